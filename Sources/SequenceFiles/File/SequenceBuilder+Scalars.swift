package import SequencePlatform
import SequenceRunner

extension SequenceBuilder {
  func text(_ node: YAMLNode, _ key: String) throws(SequenceFileError) -> String {
    guard case .scalar(let text) = node.content else {
      throw wrong("\(key) must be text, not \(node.kind)", node)
    }
    // C libraries, such as those of the window and of notifications, end a text there.
    guard !text.utf8.contains(0) else {
      throw wrong("\(key) contains the character U+0000", remedy: "remove it", node)
    }
    guard text.contains(where: { !$0.isWhitespace }) else {
      throw wrong("\(key) is empty", remedy: "write at least one character", node)
    }
    guard text.count <= SequenceLimits.longestTitle else {
      throw wrong(
        "\(key) has \(text.count) characters", remedy: "use at most \(SequenceLimits.longestTitle)", node)
    }
    guard text.utf8.count <= SequenceLimits.largestTitle else {
      throw wrong(
        "\(key) has \(text.utf8.count) bytes", remedy: "use at most \(SequenceLimits.largestTitle)", node)
    }
    return text
  }

  func duration(_ node: YAMLNode) throws(SequenceFileError) -> Duration { try node.duration() }

  func integer(_ node: YAMLNode, _ key: String, in range: ClosedRange<Int>) throws(SequenceFileError) -> Int {
    guard case .scalar(let text) = node.content, let number = Int(text), range.contains(number) else {
      throw wrong(
        "\(key) must be a whole number from \(range.lowerBound) to \(range.upperBound), not \(node.kind)",
        node
      )
    }
    return number
  }

  func boolean(_ node: YAMLNode) throws(SequenceFileError) -> Bool { try node.boolean() }

  func advance(_ node: YAMLNode) throws(SequenceFileError) -> Timing.Advance {
    guard case .scalar(let text) = node.content, let advance = Timing.Advance(rawValue: text) else {
      throw wrong("advance must be automatic or manual, not \(node.kind)", node)
    }
    return advance
  }
}

extension YAMLNode {
  /// Parses the scalar as a duration.
  package func duration() throws(SequenceFileError) -> Duration {
    guard case .scalar(let text) = content else {
      throw wrong(DurationTextError.notADuration.problem(with: kind), self)
    }
    do throws(DurationTextError) {
      return try DurationText.parse(text)
    } catch {
      throw wrong(error.problem(with: kind), self)
    }
  }

  /// Parses the scalar `true` or `false`; throws for any other content.
  package func boolean() throws(SequenceFileError) -> Bool {
    switch content {
    case .scalar("true"): true
    case .scalar("false"): false
    case .scalar, .list, .mapping: throw wrong("the value must be true or false, not \(kind)", self)
    }
  }
}

/// Creates an error at the position of a node.
package func wrong(_ problem: String, remedy: String? = nil, _ node: YAMLNode) -> SequenceFileError {
  SequenceFileError(.wrong(problem, remedy: remedy), at: node.position)
}

/// Creates an error at the position of a node from another error.
package func wrong(_ error: some ExplainedError, _ node: YAMLNode) -> SequenceFileError {
  wrong(error.problem.text, remedy: error.problem.remedy, node)
}

/// The values of a mapping with a fixed set of keys.
package struct Fields {
  let node: YAMLNode
  private let what: String
  private let values: [String: YAMLNode]

  package init(_ node: YAMLNode, of what: String, known: [String]) throws(SequenceFileError) {
    guard case .mapping(let entries) = node.content else {
      throw wrong("\(what) must have keys and values, but this is \(node.kind)", node)
    }
    for entry in entries where !known.contains(entry.key) {
      let near = known.first { Fields.isNear($0, entry.key) }
      let remedy = near.map { "did you mean \($0)?" } ?? "use \(known.joined(separator: ", "))"
      throw SequenceFileError(
        .wrong("unknown key \(quoted(entry.key)) in \(what)", remedy: remedy), at: entry.keyPosition)
    }
    self.node = node
    self.what = what
    values = Dictionary(entries.map { ($0.key, $0.value) }) { first, _ in first }
  }

  package func optional(_ key: String) -> YAMLNode? { values[key] }

  package func required(_ key: String) throws(SequenceFileError) -> YAMLNode {
    guard let node = values[key] else { throw wrong("the key \(key) is missing in \(what)", node) }
    return node
  }

  /// Returns whether two keys differ at most in case and by one wrong, missing or extra letter.
  private static func isNear(_ known: String, _ written: String) -> Bool {
    let (a, b) = (Array(known.lowercased()), Array(written.lowercased()))
    guard abs(a.count - b.count) <= 1 else { return false }
    let head = zip(a, b).prefix { $0 == $1 }.count
    let tail = zip(a.reversed(), b.reversed()).prefix { $0 == $1 }.count
    return head + tail >= max(a.count, b.count) - 1
  }
}
