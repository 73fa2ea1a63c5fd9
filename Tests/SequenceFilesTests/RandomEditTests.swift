import Foundation
import SequencePlatform
import TestSupport
import Testing

@testable import SequenceFiles

/// Random edits of texts of all kinds, which mean what they should and leave everything else as it is.
///
/// `DOCUMENT_EDITS` sets how many are done to each text.
@Suite(.timeLimit(.minutes(3)))
struct RandomEditTests {
  private static func corpus() throws -> [(name: String, text: String)] {
    var texts: [(String, String)] = [("workout", SequenceDocumentTests.workout)]
    for folder in ["examples", "examples/configuration", "share/sequence/starters"] {
      let path = BuiltProducts.repository + "/" + folder
      for name in try FileManager.default.contentsOfDirectory(atPath: path).sorted()
      where name.hasSuffix(".yaml") {
        texts.append((name, try String(contentsOfFile: path + "/" + name, encoding: .utf8)))
      }
    }
    let deep = (0..<16).reversed().reduce("- { title: Deep, countdown: 1s }") { text, _ in
      "- rounds: 2\n  cards:\n" + text.split(separator: "\n").map { "    " + $0 }.joined(separator: "\n")
    }
    texts += [
      ("deep", "title: Deep\ncards:\n" + deep + "\n"),
      ("no indentation", "title: A\ncards:\n- title: B\n  countdown: 1m\n- title: C\n  countdown: 2m\n"),
      (
        "comments",
        """
        # a
        title: A # b
        # c
        cards: # d
          # e
          - # f
            # g
            title: B # h
            # i
            countdown: 1m # j
            # k
          # l

          # m
          - title: C # n
            countUp: # o
              # p
              goal: 1m # q
              # r
        # s
        onLock: pause # t
        # u
        """
      ),
      (
        "flow",
        "{ title: A, cards: [ { title: B, countdown: 1m }, { title: C, countdown: 2m, note: 'x, y' } ] }\n"
      ),
      (
        "flow in lines",
        "title: A\ncards: [\n  { title: B, countdown: 1m }, # b\n  { title: C,\n    countdown: 2m },\n]\n"
      ),
      (
        "JSON",
        "{\n  \"title\": \"A\",\n  \"cards\": [\n    {\"title\": \"B\", \"countdown\": \"1m\"}\n  ]\n}\n"
      ),
      (
        "folded",
        "title: >-\n  A\n  B\n\ncards:\n  - title: C\n    note: |+\n      one\n\n        two\n\n    countdown: 1m\n  - title: \"D\n      E\"\n    countdown: 1m\n"
      ),
      (
        "CRLF",
        "title: A\r\n# b\r\ncards:\r\n  # c\r\n  - title: D\r\n    countdown: 1m\r\n  - { title: E, countUp: {} }\r\n"
      ),
      ("marked", "\u{FEFF}title: A\ncards:\n  - title: B\n    countdown: 1m\n"),
      ("no end", "title: A\ncards:\n  - title: B\n    countdown: 1m"),
      (
        "wide",
        "title: Ü 🚲\ncards:\n  - { title: \"🚲: é\", countdown: 1m }   # ü\n  - title: 漢字\n    countdown: 1m\n"
      ),
      (
        "nulls",
        "title: A\nnote:\ncards:\n  -\n    title: B\n    countdown: 1m\n    note:\n  - title: C\n    countUp:\n"
      ),
      (
        "first keys",
        "title: A\ncards:\n  - note: B # b\n    # c\n    title: C # d\n    # e\n    countdown: 1m\n  - id: x\n\n    # f\n    title: D\n    countdown: 1m\n"
      ),
      (
        "flow with comments",
        "title: A\ncards:\n  - { title: B, # b\n      # c\n      note: D, # d\n      # e\n      countdown: 1m # f\n    } # g\n  - title: E\n    countdown: 1m\n"
      ),
      ("quotes", "title: 'A'\ncards:\n  - title: \"B\"\n    note: 'it''s'\n    countdown: 1m\n"),
      (
        "JSON escapes",
        "{\"title\": \"A \\ud83c\\udf55\", \"cards\": [{\"title\": \"\\ud83c\\udf55\", \"countdown\": \"1m\", \"rest\": true}]}"
      ),
      (
        "anchors",
        "title: A\ncards:\n  - &w { title: B, countdown: 1m }\n  - *w\n  - &w { title: C, countdown: 2m }\n  - *w\n"
      ),
      ("marks", "---\ntitle: A\ncards:\n  - title: B\n    countdown: 1m\n...\n"),
      ("nested lists", "a:\n  - - x\n    - y\n  - z: 1\n  - [p, q]\n"),
      (
        "alias",
        "title: A\ncards:\n  - &w { title: B, countdown: 1m }\n  - { title: C, countdown: 2m }\n  - *w\n"
      ),
    ]
    return texts
  }

  private func text(_ document: SequenceDocument) -> String {
    String(decoding: document.bytes, as: UTF8.self)
  }

  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func `random edits mean what they should, and change nothing else`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let count = Int(ProcessInfo.processInfo.environment["DOCUMENT_EDITS"] ?? "") ?? 60
    var (edits, rewrites, refusals) = (0, 0, 0)
    for (name, text) in try RandomEditTests.corpus() {
      let first = try SequenceDocument(Array(text.utf8))
      var document = first
      for _ in 0..<count {
        // From time to time from the beginning, so that texts don't wear out.
        if Int.random(in: 0..<12, using: &random) == 0 { document = first }
        let edit = try #require(Edit(in: document, &random))
        edits += 1
        do throws(DocumentError) {
          let next = try edit.applied(to: document)
          rewrites += next.rewriteCount - document.rewriteCount
          if next.rewriteCount == document.rewriteCount {
            #expect(
              edit.isLocal(document, next), "\(name): \(edit)\n\(self.text(document))\n=>\n\(self.text(next))"
            )
          }
          #expect(
            edit.doublesComments || next.hasNoMoreComments(than: document),
            "\(name): \(edit)\n\(self.text(document))\n=>\n\(self.text(next))")
          if name.hasPrefix("JSON") {
            #expect(throws: Never.self, "\(edit)\n\(self.text(document))\n=>\n\(self.text(next))") {
              _ = try JSONSerialization.jsonObject(with: Data(next.bytes))
            }
          }
          document = next
        } catch {
          refusals += 1
          let mayRefuse = document.value.hasAnchor || error == .noSuchPlace
          #expect(mayRefuse, "\(name): \(edit): \(error)\n\(self.text(document))")
          if !mayRefuse { return }
        }
      }
    }
    print("\(edits) edits, \(rewrites) wrote a part anew, \(refusals) were refused")
    #expect(rewrites * 8 < edits)
  }
}

private enum Edit {
  case set(String, YAMLNode?, [YAMLNode.Step])
  case insert(YAMLNode, Int, [YAMLNode.Step])
  case remove(Int, [YAMLNode.Step])
  case duplicate(Int, [YAMLNode.Step])
  case move(Int, [YAMLNode.Step], Int, [YAMLNode.Step])
  case group(Range<Int>, [YAMLNode.Step])
  case ungroup(Int, [YAMLNode.Step])
  case makeIndependent(Int, [YAMLNode.Step])

  init?(in document: SequenceDocument, _ random: inout SplitMix64) {
    var lists: [([YAMLNode.Step], [YAMLNode])] = []
    var mappings: [([YAMLNode.Step], [YAMLNode.Entry])] = []
    func walk(_ value: YAMLNode, _ path: [YAMLNode.Step]) {
      guard value.alias == nil, value.anchor == nil else { return }
      switch value.content {
      case .list(let elements):
        lists.append((path, elements))
        for (index, element) in elements.enumerated() { walk(element, path + [.index(index)]) }
      case .mapping(let entries):
        mappings.append((path, entries))
        for entry in entries { walk(entry.value, path + [.key(entry.key)]) }
      case .scalar: break
      }
    }
    walk(document.value, [])
    let texts = [
      "Plank", "5m", "a: b", "# c", "it's \"x\"", "- d", "ü 🚲", "", " e ", "true", "two\nlines", "[f", "g, h",
      "~", "%i",
      "j #k", "l:", "m #️⃣ n", "o #\u{301}", "p: \u{301}q", "\u{301}r", "s:️⃣ t",
    ]
    func scalar() -> YAMLNode { .scalar(texts.randomElement(using: &random) ?? "") }
    func element() -> YAMLNode {
      switch Int.random(in: 0..<4, using: &random) {
      case 0: .mapping([.init("title", scalar())])
      case 1:
        .mapping([
          .init("rounds", .scalar("3")),
          .init("cards", .list([.mapping([.init("title", scalar()), .init("countdown", .scalar("1m"))])])),
        ])
      default:
        .mapping([.init("title", scalar()), .init("countdown", .scalar("30s")), .init("note", scalar())])
      }
    }
    let kind = Int.random(in: 0..<10, using: &random)
    guard kind > 3, let (path, elements) = lists.randomElement(using: &random) else {
      guard let (path, entries) = mappings.randomElement(using: &random) else { return nil }
      let old = entries.randomElement(using: &random)
      let key = kind == 0 ? "k\(Int.random(in: 0..<3, using: &random))" : old?.key ?? "title"
      let isScalar = old?.value.anchor == nil && old?.value.text != nil
      let isText = kind == 0 || isScalar
      self = .set(key, kind == 3 || !isText ? nil : scalar(), path)
      return
    }
    let index = elements.isEmpty ? 0 : Int.random(in: elements.indices, using: &random)
    switch kind {
    case _ where elements.isEmpty, 4:
      self = .insert(element(), Int.random(in: 0...elements.count, using: &random), path)
    case 5: self = .remove(index, path)
    case 6: self = .duplicate(index, path)
    case 7: self = .group(index..<(index + 1), path)
    case 8 where elements[index].alias != nil: self = .makeIndependent(index, path)
    case 8 where elements[index]["cards"]?.elements?.isEmpty == false: self = .ungroup(index, path)
    default:
      let target = lists.filter { !$0.0.starts(with: path + [.index(index)]) }.randomElement(using: &random)
      let count = (target?.1.count ?? 0) - (target?.0 == path ? 1 : 0)
      self = .move(index, path, Int.random(in: 0...max(0, count), using: &random), target?.0 ?? path)
    }
  }

  func applied(to document: SequenceDocument) throws(DocumentError) -> SequenceDocument {
    switch self {
    case .set(let key, let value, let path): try document.setting(key, to: value, at: path)
    case .insert(let element, let index, let path): try document.inserting([element], at: index, in: path)
    case .remove(let index, let path): try document.removing(at: index, in: path)
    case .duplicate(let index, let path): try document.duplicating(at: index, in: path)
    case .move(let index, let path, let newIndex, let newPath):
      try document.moving(at: index, in: path, to: newIndex, in: newPath)
    case .group(let range, let path): try document.grouping(range, in: path, rounds: 2)
    case .ungroup(let index, let path): try document.ungrouping(at: index, in: path)
    case .makeIndependent(let index, let path):
      if let element = document.value.part(at: path + [.index(index)]) {
        try document.replacing(at: index, in: path, by: element.copy)
      } else {
        throw .noSuchPlace
      }
    }
  }

  var doublesComments: Bool { if case .duplicate = self { true } else { false } }

  /// Whether nothing but a part in one place was changed: lines were only added or only removed, or those of an element
  /// were; no comment was lost but with what it belongs to.
  func isLocal(_ before: SequenceDocument, _ after: SequenceDocument) -> Bool {
    let (old, new) = (
      String(decoding: before.bytes, as: UTF8.self), String(decoding: after.bytes, as: UTF8.self)
    )
    func comments(_ text: String) -> Int {
      text.split(whereSeparator: \.isNewline).count { $0.contains("# ") }
    }
    func count(_ document: SequenceDocument, _ path: [YAMLNode.Step]) -> Int {
      document.value.part(at: path)?.elements?.count ?? 0
    }
    switch self {
    // An empty list is written in another way.
    case .insert(_, _, let path) where count(before, path) == 0: return true
    case .remove(_, let path) where count(after, path) == 0: return true
    case .insert, .duplicate: return comments(new) >= comments(old) && isExtended(old, new)
    case .remove: return isExtended(new, old)
    case .move, .group: return comments(new) == comments(old)
    case .set(let key, _, let path):
      return before.commentsOfOthers(than: key, path).isSubset(of: after.comments)
    case .ungroup(let index, let path):
      return before.comments.subtracting(after.comments)
        .isSubset(of: before.commentsOfKeys(ofGroupAt: path + [.index(index)]))
    case .makeIndependent: return comments(new) == comments(old)
    }
  }

  /// Whether a text is the other one with one more part.
  private func isExtended(_ short: String, _ long: String) -> Bool {
    let (short, long) = (Array(short.utf8), Array(long.utf8))
    let prefix = zip(short, long).prefix { $0 == $1 }.count
    let suffix = zip(short.reversed(), long.reversed()).prefix { $0 == $1 }.count
    return short.count <= long.count && prefix + suffix >= short.count
  }
}

extension SequenceDocument {
  fileprivate var comments: Set<String> { Set(placedComments.map(\.text)) }

  private var placedComments: [(place: Int, text: String)] {
    var scalars: [Range<Int>] = []
    func walk(_ node: YAMLNode) {
      if node.alias != nil || node.text != nil { scalars.append(node.range) }
      node.elements?.forEach(walk)
      for entry in node.entries ?? [] {
        scalars.append(entry.keyRange)
        walk(entry.value)
      }
    }
    if let root { walk(root) }
    var comments: [(Int, String)] = []
    var place = 0
    while place < text.count {
      if text[place] == UInt8(ascii: "#"), !scalars.contains(where: { $0.contains(place) }) {
        let comment = text[place...].prefix { $0 != 0x0A && $0 != 0x0D }
        comments.append((place, String(decoding: comment, as: UTF8.self)))
        place = comment.endIndex
      }
      place += 1
    }
    return comments
  }

  fileprivate func hasNoMoreComments(than before: SequenceDocument) -> Bool {
    func counts(_ document: SequenceDocument) -> [String: Int] {
      document.placedComments.reduce(into: [:]) { $0[$1.text, default: 0] += 1 }
    }
    let old = counts(before)
    return counts(self).allSatisfy { $0.value <= old[$0.key, default: 0] }
  }

  /// The comments in a group that are not in the lines of its cards.
  fileprivate func commentsOfKeys(ofGroupAt path: [YAMLNode.Step]) -> Set<String> {
    guard let group = root?.part(at: path), let cards = group.entries?.first(where: { $0.key == "cards" })
    else { return [] }
    func lineEnd(_ place: Int) -> Int { text[place...].firstIndex(of: 0x0A) ?? text.count }
    let head = group.range.lowerBound...lineEnd(cards.keyRange.upperBound)
    let isLast = group.entries?.last?.key == "cards"
    let tail =
      cards.value.range.upperBound...(isLast ? cards.value.range.upperBound : lineEnd(group.range.upperBound))
    // The comment between the dash and the first key is of the group, too.
    let lines = text[..<group.range.lowerBound].reversed().prefix { $0 != UInt8(ascii: "-") }.count
    return Set(
      placedComments.filter {
        head.contains($0.place) || tail.contains($0.place)
          || (group.range.lowerBound - lines..<group.range.lowerBound).contains($0.place)
      }.map(\.text))
  }

  /// The comments but those of a key: right above it in its column, in its lines, and in its value.
  fileprivate func commentsOfOthers(than key: String, _ path: [YAMLNode.Step]) -> Set<String> {
    let node = root?.part(at: path)
    guard let node, let entry = node.entries?.first(where: { $0.key == key }) else { return comments }
    let lines = text.split(separator: 0x0A, omittingEmptySubsequences: false)
    var line =
      lines.firstIndex {
        $0.startIndex <= entry.keyRange.lowerBound && entry.keyRange.lowerBound <= $0.endIndex
      } ?? 0
    let column = entry.keyRange.lowerBound - lines[line].startIndex
    var start = entry.keyRange.lowerBound
    if lines[line].prefix(while: { $0 == 0x20 }).count == column {
      while line > 0, lines[line - 1].prefix(while: { $0 == 0x20 }).count == column,
        lines[line - 1].dropFirst(column).first == UInt8(ascii: "#")
      {
        line -= 1
        start = lines[line].startIndex
      }
    }
    let end = max(entry.keyRange.upperBound, entry.value.range.upperBound)
    let lineEnd = text[end...].firstIndex(of: 0x0A) ?? text.count
    let own = start..<(node.isBlock ? lineEnd : end)
    return Set(placedComments.filter { !own.contains($0.place) }.map(\.text))
  }
}
