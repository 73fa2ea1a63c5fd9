import Foundation
import SequencePlatform
import TestSupport
import Testing

/// Texts and their catalogs.
@Suite struct TranslationTests {
  @Test func `parts take their places, and are left out without one`() {
    #expect(translated("{} left", "1 min") == "1 min left")
    #expect(translated("{b} of {a}", ["a": "1 {b}", "b": "3"]) == "3 of 1 {b}")
    #expect(translated("No place", "1") == "No place")
    #expect(translated("{b} of {a} and {", ["b": "1"]) == "1 of  and {")
    #expect(translated("Straße: {}", "„{}“") == "Straße: „{}“")
  }

  @Test(arguments: [(0, "0 hooks"), (1, "1 hook"), (2, "2 hooks")])
  func `a number has its form`(count: Int, text: String) {
    #expect(plural("1 hook", "{} hooks", count: count) == text)
    #expect(plural("{a}", "{} {a}", count: count, ["a": "b"]) == (count == 1 ? "b" : "\(count) b"))
  }

  private static let catalogs = URL(filePath: BuiltProducts.repository + "/po")

  private func run(_ words: [String]) throws -> ChildProcess.Output {
    let child = try ChildProcess(
      "/usr/bin/env", words, environment: ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"])
    try child.endInput()
    return try child.outcome(within: .seconds(60))
  }

  /// The texts of a catalog, each with its translations.
  private func texts(of file: URL) throws -> [String: [String]] {
    // One line for each text, whatever its length.
    let output = try run(["msgcat", "--no-wrap", file.path])
    try #require(output.status == 0, "\(output.errors)")
    var texts: [String: [String]] = [:]
    var key = ""
    for line in output.text.split(separator: "\n") where line.hasPrefix("msg") {
      guard let quote = line.firstIndex(of: "\"") else { continue }
      let text = String(line[line.index(after: quote)...].dropLast())
      if line.hasPrefix("msgstr") {
        texts[key, default: []].append(text)
      } else {
        key = line.hasPrefix("msgid_plural") ? key + "\n" + text : text
      }
    }
    texts[""] = nil
    return texts
  }

  @Test func `the template has the texts of the sources, and the catalogs those of the template`() throws {
    let directory = try TemporaryDirectory()
    let made = try run([BuiltProducts.repository + "/scripts/make-template", directory.path])
    try #require(made.status == 0, "\(made.errors)")
    let name = "sequence-timer.pot"
    let sources = try Set(texts(of: URL(filePath: directory.path + "/" + name)).keys)
    let template = try Set(texts(of: TranslationTests.catalogs.appending(path: name)).keys)
    #expect(sources.count > 500)
    #expect(sources == template, "run make pot: \(sources.symmetricDifference(template).sorted())")
    for catalog in try catalogs() {
      let known = try Set(texts(of: catalog).keys)
      #expect(known == template, "run make pot: \(catalog.lastPathComponent)")
    }
  }

  @Test func `each text of the interface is marked`() throws {
    let directory = URL(filePath: BuiltProducts.repository + "/Sources/SequenceWindow/Interface")
    let names = "label|title|subtitle|tooltip-text|placeholder-text|description"
    let text = try Regex("<(property|attribute) name=\"(\(names))\">[^<]*[A-Za-z]{2}[^<]*")
    for file in try FileManager.default.contentsOfDirectory(at: directory, includingPropertiesForKeys: nil)
    where file.pathExtension == "ui" {
      let unmarked = try String(contentsOf: file, encoding: .utf8).matches(of: text).map { $0[0].substring }
      #expect(unmarked.isEmpty, "\(file.lastPathComponent) lacks translatable=\"yes\": \(unmarked)")
    }
  }

  private func catalogs() throws -> [URL] {
    try FileManager.default.contentsOfDirectory(
      at: TranslationTests.catalogs, includingPropertiesForKeys: nil
    ).filter { $0.pathExtension == "po" }
  }

  /// The places of a text, in order of their names.
  private func places(_ text: String) -> [String] {
    text.matches(of: /\{[a-z0-9]*\}/).map { String($0.output) }.sorted()
  }

  @Test func `each catalog is complete and has the places of the texts`() throws {
    let catalogs = try catalogs()
    #expect(!catalogs.isEmpty)
    for catalog in catalogs {
      let checked = try run(["msgfmt", "--check", "--output-file=/dev/null", catalog.path])
      #expect(checked.status == 0, "\(checked.errors)")
      for (key, translations) in try texts(of: catalog) {
        let language = catalog.lastPathComponent
        #expect(!translations.contains(""), "\(language) lacks \(key)")
        let forms = key.split(separator: "\n").map { places(String($0)) }
        for text in translations {
          #expect(forms.contains(places(text)), "\(language) has other places in \(text) than in \(key)")
        }
      }
    }
  }
}
