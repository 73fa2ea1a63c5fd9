import SequenceFiles

/// The rules for edits of the text of any file that is a sequence.
enum DocumentRule {
  static func check(_ bytes: [UInt8]) throws {
    let document: SequenceDocument
    do throws(SequenceFileError) {
      document = try SequenceDocument(bytes)
    } catch {
      throw PropertyViolation(description: "a sequence can't be edited: \(error)")
    }
    let cards: [YAMLNode.Step] = [.key("cards")]
    guard let count = document.value.part(at: cards)?.elements?.count else { return }
    let card = YAMLNode.mapping([.init("title", .scalar("a: #b")), .init("countdown", .scalar("1m"))])
    for place in Set([0, count / 2, count]) {
      // Some edits are refused, for example inside of an alias.
      guard
        let more = edited({ () throws(DocumentError) in try document.inserting([card], at: place, in: cards) }
        )
      else { continue }
      try require(more.value.part(at: cards + [.index(place)]) == card, "an inserted card is another one")
      if let again = edited({ () throws(DocumentError) in try more.removing(at: place, in: cards) }) {
        try require(again.value == document.value, "removing a card doesn't undo its insertion")
      }
    }
    for place in Set([0, count - 1]) where place >= 0 {
      if let copy = edited({ () throws(DocumentError) in try document.duplicating(at: place, in: cards) }) {
        try require(copy.value.part(at: cards)?.elements?.count == count + 1, "there is no copy")
      }
      if let moved = edited({ () throws(DocumentError) in
        try document.moving(at: place, in: cards, to: 0, in: cards)
      }) {
        try require(
          moved.value.part(at: cards + [.index(0)]) == document.value.part(at: cards + [.index(place)]),
          "another card was moved")
      }
    }
    for title in ["{ x, 'y'", "Set #️⃣ one", "a: \u{301}b", "\u{301}c"] {
      guard
        let renamed = edited({ () throws(DocumentError) in try document.setting("title", to: .scalar(title)) }
        )
      else { continue }
      try require(renamed.value["title"]?.text == title, "another title was written")
    }
  }

  private static func edited(
    _ edit: () throws(DocumentError) -> SequenceDocument
  ) -> SequenceDocument? {
    do throws(DocumentError) {
      return try edit()
    } catch {
      return nil
    }
  }
}
