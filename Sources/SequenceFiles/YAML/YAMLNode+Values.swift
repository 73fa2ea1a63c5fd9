package import SequencePlatform
package import SequenceRunner

/// The values that files and `config.yaml` have in common.
extension YAMLNode {
  package func duration() throws(SequenceFileError) -> Duration {
    guard case .scalar(let text) = content else {
      throw wrong(DurationTextError.notADuration.problem(with: kind), self)
    }
    do throws(DurationTextError) {
      return try DurationText.parseWritten(text)
    } catch {
      throw wrong(error.problem(with: kind), self)
    }
  }

  /// Returns a duration with a sign, such as `+5s`.
  func signedDuration() throws(SequenceFileError) -> Duration {
    guard case .scalar(let text) = content else {
      throw wrong(
        "perRound must be a duration with a sign, not \(kind)", remedy: "write it like +5s or -5s", self)
    }
    do throws(DurationTextError) {
      return try DurationText.parseSigned(text)
    } catch {
      throw wrong(error.problem(with: kind), self)
    }
  }

  package func boolean() throws(SequenceFileError) -> Bool {
    switch content {
    case .scalar("true"): true
    case .scalar("false"): false
    case .scalar, .list, .mapping: throw wrong("the value must be true or false, not \(kind)", self)
    }
  }

  /// Returns the name of a sound, its absolute path, or an empty text for `none`.
  ///
  /// - Parameter folder: the folder of relative paths; `nil` if a path has to be absolute.
  package func sound(in folder: String? = nil) throws(SequenceFileError) -> String {
    guard case .scalar(let text) = content, !text.isEmpty, !text.utf8.contains(where: { $0 < 0x20 }) else {
      throw wrong("a sound must be a name, a path or none, not \(kind)", self)
    }
    guard text != "none" else { return "" }
    var sound = text
    // No name of a theme has a dot.
    let isFile =
      text.unicodeScalars.contains("/") || [".oga", ".ogg", ".wav"].contains { text.hasSuffix($0) }
    if isFile, !isAbsolute(text) {
      guard let folder else {
        throw wrong("the path of a sound must begin with /, not \(kind)", self)
      }
      sound = YAMLNode.path(text, in: folder)
    }
    guard sound.utf8.count <= YAMLNode.longestSound else {
      throw wrong("a sound must be a name, a path or none, not \(kind)", self)
    }
    return sound
  }

  /// Returns the absolute path of a picture.
  func image(in folder: String) throws(SequenceFileError) -> String {
    guard case .scalar(let text) = content, !text.isEmpty, !text.utf8.contains(where: { $0 < 0x20 }) else {
      throw wrong("an image must be the path of a picture, not \(kind)", self)
    }
    let path = isAbsolute(text) ? text : YAMLNode.path(text, in: folder)
    guard !SequenceLimits.isTooLong(path) else {
      throw wrong("the path of an image can have at most \(SequenceLimits.titleLimits)", self)
    }
    return path
  }

  private static func path(_ text: String, in folder: String) -> String {
    folder + "/" + (text.hasPrefix("./") ? String(text.dropFirst(2)) : text)
  }

  /// Sixty counted seconds with such names are one packet of orders.
  private static let longestSound = 900
}

extension SuspendPolicy {
  /// - Parameter key: the key of the node, for messages.
  package init(_ node: YAMLNode, _ key: String) throws(SequenceFileError) {
    guard case .scalar(let text) = node.content, let policy = SuspendPolicy(rawValue: text) else {
      throw wrong("\(key) must be continue, pause or ask, not \(node.kind)", node)
    }
    self = policy
  }
}

package func wrong(_ problem: LocalizedText, remedy: LocalizedText? = nil, _ node: YAMLNode)
  -> SequenceFileError
{
  SequenceFileError(.wrong(problem, remedy: remedy), at: node.position)
}

package func wrong(_ error: some ExplainedError, _ node: YAMLNode) -> SequenceFileError {
  wrong(error.problem.text, remedy: error.problem.remedy, node)
}

/// The values of a mapping with a fixed set of keys.
package struct Fields {
  let node: YAMLNode
  private let what: LocalizedText
  private let values: [String: YAMLNode]

  package init(_ node: YAMLNode, of what: LocalizedText, known: [String]) throws(SequenceFileError) {
    guard case .mapping(let entries) = node.content else {
      throw wrong("\(what) must have keys and values, but this is \(node.kind)", node)
    }
    for entry in entries where !known.contains(entry.key) {
      let near = known.first { Fields.isNear($0, entry.key) }
      let remedy =
        near.map { LocalizedText("did you mean \($0)?") }
        ?? LocalizedText("use \(known.joined(separator: ", "))")
      throw SequenceFileError(
        .wrong("unknown key \(quoted(entry.key)) in \(what)", remedy: remedy), at: entry.keyOrigin?.position)
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
