/// The notation of the scalars of a JSON text: YAML's values are texts, and JSON's may be numbers and words.
struct JSONStyle {
  /// Whether scalars are in quotes, by their keys and texts.
  private var known: [Place: Bool] = [:]

  private struct Place: Hashable {
    let key: String
    /// `nil` for the last scalar of the key.
    let text: String?
  }

  /// The notation in a text.
  init(_ root: TextNode?) {
    if let root { learn(root, "") }
  }

  private mutating func learn(_ node: TextNode, _ key: String) {
    switch node.content {
    case .scalar(let text):
      known[Place(key: key, text: text)] = node.form == .enclosed
      known[Place(key: key, text: nil)] = node.form == .enclosed
    case .list(let nodes): for node in nodes { learn(node, key) }
    case .mapping(let entries): for entry in entries { learn(entry.value, entry.key) }
    case .alias: break
    }
  }

  /// The text of a value; `nil` if it has an anchor or an alias, which JSON has not.
  ///
  /// - Parameters:
  ///   - key: its key.
  ///   - old: the value in whose place it comes.
  ///   - indentation: the spaces before it, if each part gets a line; `nil` for one line.
  func text(
    of value: YAMLValue, _ key: String, like old: TextNode? = nil, at indentation: Int? = nil,
    _ newline: String = "\n"
  ) -> String? {
    let inner = indentation.map { $0 + 2 }
    let parts: [String?]
    let ends: (String, String)
    switch value {
    case .scalar(let text): return self.text(of: text, key, like: old)
    case .alias, .anchored: return nil
    case .list(let elements):
      (parts, ends) = (elements.map { self.text(of: $0, key, at: inner, newline) }, ("[", "]"))
    case .mapping(let entries):
      parts = entries.map { entry in
        self.text(of: entry.value, entry.key, at: inner, newline).map {
          YAMLValue.quotedJSON(entry.key) + ": " + $0
        }
      }
      ends = ("{", "}")
    }
    let texts = parts.compactMap(\.self)
    guard texts.count == parts.count else { return nil }
    guard let indentation, !texts.isEmpty else { return ends.0 + texts.joined(separator: ", ") + ends.1 }
    func line(_ column: Int) -> String { newline + String(repeating: " ", count: column) }
    return ends.0 + line(indentation + 2) + texts.joined(separator: "," + line(indentation + 2))
      + line(indentation) + ends.1
  }

  private func text(of text: String, _ key: String, like old: TextNode?) -> String {
    let isLiteral = ["true", "false"].contains(text) || Int(text).map { String($0) == text } ?? false
    let isQuoted: Bool
    if case .scalar(text)? = old?.content {
      isQuoted = old?.form == .enclosed
    } else if let known = known[Place(key: key, text: text)] {
      isQuoted = known
    } else if !isLiteral {
      isQuoted = true
    } else if case .scalar? = old?.content {
      isQuoted = old?.form == .enclosed
    } else {
      isQuoted = known[Place(key: key, text: nil)] ?? ["title", "note"].contains(key)
    }
    return isQuoted ? YAMLValue.quotedJSON(text) : text
  }
}
