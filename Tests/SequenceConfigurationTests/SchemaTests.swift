import Foundation
import SequenceConfiguration
import TestSupport
import Testing

/// `docs/config.schema.json` as it follows from the settings and from the texts of `docs/configuration.md`.
///
/// `SEQUENCE_WRITE_SCHEMA=1 swift test --filter SchemaTests` writes it again.
struct SchemaTests {
  private static let path = BuiltProducts.repository + "/docs/config.schema.json"
  /// Below the settings the schema has the parts that they refer to, which are written by hand.
  private static let definitions = "  \"definitions\": {"

  /// The meanings of keys on the page, by the place and the key.
  private let meanings: [String: String]

  init() throws {
    let page = try String(
      contentsOfFile: BuiltProducts.repository + "/docs/configuration.md", encoding: .utf8)
    var meanings: [String: String] = [:]
    var place = ""
    for line in page.split(separator: "\n") where line.hasPrefix("| ") {
      let cells = line.dropFirst().split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      func plain(_ text: String) -> String { text.replacing("`", with: "") }
      if cells.count == 3 {
        if !cells[0].isEmpty { place = cells[0] }
        meanings["\(place) \(plain(cells[1]))"] = plain(cells[2])
      } else if cells.count == 5 {
        // A kind of notifications.
        meanings["notifications \(plain(cells[0]))"] = plain(cells[1])
      }
    }
    self.meanings = meanings
  }

  private func description(of keys: ArraySlice<String>) throws -> String? {
    let place =
      switch keys.count {
      case 1: "top level"
      case 2: keys[0]
      // The page has one row for the sounds of all moments, and for the keys of all kinds.
      default: keys[0] == "cues" ? nil : keys.last == "category" ? "a kind" : keys[0]
      } as String?
    guard let place, let key = keys.last else { return nil }
    let text = try #require(meanings["\(place) \(key)"], "docs/configuration.md has no row for \(key)")
    return text.prefix(1).uppercased() + text.dropFirst() + "."
  }

  /// Returns the lines of the properties of settings that share some first keys.
  private func properties(_ settings: [Setting], after keys: ArraySlice<String> = []) throws -> String {
    let indent = String(repeating: "  ", count: 2 + 2 * keys.count)
    var known: [String] = []
    for setting in settings where !known.contains(setting.keys[keys.count]) {
      known.append(setting.keys[keys.count])
    }
    return try known.map { key in
      let own = settings.filter { $0.keys[keys.count] == key }
      let path = keys + [key]
      let text = try description(of: path).map { "\"description\": \"\($0)\"" }
      if let setting = own.first(where: { $0.keys.count == path.count }) {
        let words = setting.choices.compactMap { $0 }.map { "\"\($0)\"" }.joined(separator: ", ")
        let schema = "\(setting.schema)"
        let members = [schema.isEmpty ? "\"enum\": [\(words)]" : schema, text].compactMap { $0 }
        return "\(indent)\"\(key)\": { \(members.joined(separator: ", ")) }"
      }
      let head = ["\"type\": \"object\"", "\"additionalProperties\": false", text].compactMap { $0 }
      return """
        \(indent)"\(key)": {
        \(head.map { "\(indent)  \($0),\n" }.joined())\(indent)  "properties": {
        \(try properties(own, after: path))
        \(indent)  }
        \(indent)}
        """
    }.joined(separator: ",\n")
  }

  @Test func `the schema follows from the settings and the page`() throws {
    let written = try String(contentsOfFile: SchemaTests.path, encoding: .utf8)
    let end = try #require(written.range(of: SchemaTests.definitions)).lowerBound
    let schema = """
      {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "The configuration of Sequence",
        "type": ["object", "null"],
        "additionalProperties": false,
        "properties": {
      \(try properties(Configuration.settings))
        },
      \(written[end...])
      """
    if ProcessInfo.processInfo.environment["SEQUENCE_WRITE_SCHEMA"] != nil {
      try schema.write(toFile: SchemaTests.path, atomically: true, encoding: .utf8)
    }
    #expect(schema == written)
    #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(schema.utf8)) }
  }

  @Test func `the page has the defaults of the settings`() throws {
    var count = 0
    for setting in Configuration.settings {
      guard let text = try description(of: setting.keys[...])?.lowercased(),
        let match = text.firstMatch(of: /(?:default: |([a-z0-9:]+) \(default\))([a-z0-9]*)/),
        let usual = setting.text(Configuration())
      else { continue }
      #expect(usual == match.1.map(String.init) ?? String(match.2), "\(setting.id)")
      count += 1
    }
    #expect(count >= 8)
  }
}
