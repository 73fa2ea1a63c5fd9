import Testing

@testable import SequenceCommand

@Suite struct KeyReaderTests {
  @Test(arguments: [
    (" ", [DisplayKey.toggle]), ("n", [.next]), ("cC", [.count, .count]), ("sbq", [.skip, .back, .leave]),
    ("+=-", [.extend, .extend, .shorten]),
    ("NSBQ", [.next, .skip, .back, .leave]), ("\u{C}", [.redraw]), ("xyz\r\n", []), ("\t", [.nextRun]),
    ("ñ日 ", [.toggle]), ("тыибсй", [.next, .skip, .back, .count, .leave]),
    ("ТЫИБСЙ", [.next, .skip, .back, .count, .leave]), ("іІ", [.skip, .skip]),
    ("νσβψ;", [.next, .skip, .back, .count, .leave]), ("ΝΣΒΨ", [.next, .skip, .back, .count]),
    ("\u{1B}тn", [.next]), ("\u{1B}[200~тн\u{1B}[201~b", [.back]),
    ("\u{1B}[I", [.focusGained]), ("\u{1B}[O", [.focusLost]), ("\u{1B}[1;2In", [.next]),
    ("\u{1B}[A\u{1B}[B\u{1B}[C\u{1B}[Dn", [.next]), ("\u{1B}OA\u{1B}OSn", [.next]), ("\u{1B}[15~n", [.next]),
    ("\u{1B}n", []), ("\u{1B}\u{1B}[Aq", [.leave]), ("\u{1B}[M !!n", [.next]), ("\u{1B}[<0;10;20Mn", [.next]),
    ("\u{1B}[200~nnn s q\u{1B}[201~b", [.back]), ("\u{1B}[200~\u{1B}\u{1B}[201~b", [.back]),
    ("\u{1B}]0;sn q\u{7}n", [.next]), ("\u{1B}P1$r q\u{1B}\\n", [.next]), ("\u{1B}(Bn", [.next]),
    ("?n", [.help, .next]), ("\u{1B}[?62;22cn", [.answered, .next]), ("\u{1B}[c\u{1B}[>1;2cn", [.next]),
    ("\u{1B}]10;rgb:ff/80/00\u{7}\u{1B}]11;black\u{7}n", [.next]),
    ("\u{1B}P11;rgb:ff/80/00\u{1B}\\n", [.next]),
    ("\u{1B}[1\u{18}n", [.next]), ("\u{1B}[1\u{1B}[On", [.focusLost, .next]),
  ])
  func `bytes become keys however reads split them`(text: String, expected: [DisplayKey]) {
    let bytes = Array(text.utf8)
    for split in 0...bytes.count {
      var reader = KeyReader()
      let keys = reader.keys(in: bytes[..<split]) + reader.keys(in: bytes[split...])
      #expect(keys == expected, "split at \(split)")
    }
    var reader = KeyReader()
    #expect(bytes.flatMap { reader.keys(in: [$0]) } == expected)
  }

  @Test func `bytes that are no character hide no key`() {
    var reader = KeyReader()
    #expect(
      reader.keys(in: [0xD1, UInt8(ascii: "n"), 0x82, 0xE0, 0xA0, UInt8(ascii: "s")]) == [.next, .skip])
    #expect(reader.keys(in: [0xD1, 0x1B, UInt8(ascii: "["), UInt8(ascii: "O")]) == [.focusLost])
    #expect(reader.keys(in: [0xD1]).isEmpty)
    #expect(reader.isAmidSequence)
    let isEscape = reader.endSequence()
    #expect(!isEscape)
    #expect(reader.keys(in: [0x82, UInt8(ascii: "n")]) == [.next])
  }

  @Test func `the escape key alone does not swallow the next key`() {
    var reader = KeyReader()
    #expect(reader.keys(in: [0x1B]).isEmpty)
    #expect(reader.isAmidSequence)
    let isEscape = reader.endSequence()
    #expect(isEscape)
    #expect(!reader.isAmidSequence)
    #expect(reader.keys(in: [UInt8(ascii: "n")]) == [.next])
  }

  @Test func `a report whose first byte counted as the escape key contains no keys`() throws {
    var reader = KeyReader()
    let orange = try #require(TerminalColor(report: "rgb:ff/80/00"))
    for (rest, keys) in [
      ("]11;rgb:ff/80/00\u{7}n", [DisplayKey.background(orange), .next]), ("[?62;22cb", [.answered, .back]),
      ("\u{1B}[Os", [.focusLost, .skip]),
    ] {
      #expect(reader.keys(in: [0x1B]).isEmpty)
      let isEscape = reader.endSequence()
      #expect(isEscape && !reader.isAmidSequence)
      #expect(reader.keys(in: rest.utf8) == keys)
    }
  }

  @Test func `pasted text with a pause in it contains no keys`() {
    var reader = KeyReader()
    #expect(reader.keys(in: "\u{1B}[200~nn".utf8).isEmpty)
    #expect(!reader.isAmidSequence)
    let isEscape = reader.endSequence()
    #expect(!isEscape)
    #expect(reader.keys(in: "q\u{1B}[201~b".utf8) == [.back])
  }

  @Test func `endless parameters are limited`() {
    var reader = KeyReader()
    let bytes = Array("\u{1B}[".utf8) + Array(repeating: UInt8(ascii: "1"), count: 10_000) + Array("mn".utf8)
    #expect(reader.keys(in: bytes) == [.next])
  }

  @Test(arguments: ["rgb:ffff/8080/0000\u{7}", "rgb:ff/80/00\u{1B}\\", "rgba:ffff/8080/0000/ffff\u{1B}\\"])
  func `the background is a report, and no key, however reads split it`(report: String) throws {
    let orange = try #require(TerminalColor(report: "rgb:ff/80/00"))
    let bytes = Array("\u{1B}]11;\(report)\u{1B}[?6cn".utf8)
    for split in 0...bytes.count {
      var reader = KeyReader()
      let keys = reader.keys(in: bytes[..<split]) + reader.keys(in: bytes[split...])
      #expect(keys == [.background(orange), .answered, .next], "split at \(split)")
    }
  }

  @Test func `an endless string is limited`() {
    var reader = KeyReader()
    let bytes = Array("\u{1B}]11;".utf8) + Array(repeating: UInt8(ascii: "1"), count: 10_000)
    #expect(reader.keys(in: bytes + Array("\u{7}n".utf8)) == [.next])
  }
}
