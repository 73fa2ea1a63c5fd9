import SequencePlatform
import SequencePresentation

struct TextTable {
  enum Alignment {
    case left
    case right
  }

  struct Column {
    let title: String
    var alignment = Alignment.left
    /// The most columns that it takes; `nil` for as many as its texts need.
    var most: Int?
    /// The columns that it keeps of them in a table that is too wide; `nil` for all.
    var least: Int?
    /// Whether a table that is still too wide goes without it, the last one first.
    var isOptional = false
  }

  private let columns: [Column]
  private var rows: [[String]] = []
  /// The widths of the columns in the pages before.
  private var reached: [Int]
  private static let gap = 2

  init(_ columns: [Column]) {
    self.columns = columns
    reached = columns.map { _ in 0 }
  }

  /// Adds a row with a text for each column, without control characters.
  mutating func add(_ row: [String]) {
    rows.append(row)
  }

  /// - Parameter room: the columns of the terminal, if the table is to fit into it.
  func lines(hasTitles: Bool = true, in room: Int = .max, ellipsis: Character = "…") -> [String] {
    laidOut(hasTitles: hasTitles, in: room, ellipsis: ellipsis).lines
  }

  /// Returns the lines of the rows since the page before; the columns are at least as wide as there.
  mutating func page(hasTitles: Bool, ellipsis: Character) -> [String] {
    let (lines, widths) = laidOut(hasTitles: hasTitles, in: .max, ellipsis: ellipsis)
    reached = widths.map { $0 ?? 0 }
    rows = []
    return lines
  }

  private func laidOut(
    hasTitles: Bool, in room: Int, ellipsis: Character
  ) -> (lines: [String], widths: [Int?]) {
    let all = (hasTitles ? [columns.map(\.title)] : []) + rows
    let sizes = all.map { $0.map(TextWidth.columns) }
    let widths = widths(of: sizes, in: room)
    return (zip(all, sizes).map { line($0, sizes: $1, widths: widths, ellipsis: ellipsis) }, widths)
  }

  /// Returns the width of each column; `nil` for one that is left out.
  private func widths(of sizes: [[Int]], in room: Int) -> [Int?] {
    let whole = columns.indices.map { index in
      min(
        sizes.reduce(reached[index]) { max($0, index < $1.count ? $1[index] : 0) },
        columns[index].most ?? .max)
    }
    var shown = Array(columns.indices)
    var widths = whole
    while shown.reduce(-TextTable.gap, { $0 + widths[$1] + TextTable.gap }) > room {
      let flexible = shown.filter { index in columns[index].least.map { $0 < widths[index] } == true }
      if let widest = flexible.max(by: { widths[$0] < widths[$1] }) {
        widths[widest] -= 1
      } else if let last = shown.lastIndex(where: { columns[$0].isOptional }) {
        shown.remove(at: last)
        widths = whole
      } else {
        break
      }
    }
    return columns.indices.map { shown.contains($0) ? widths[$0] : nil }
  }

  private func line(_ row: [String], sizes: [Int], widths: [Int?], ellipsis: Character) -> String {
    var (line, gap) = ("", 0)
    for (index, text) in row.enumerated() {
      guard let width = widths[index] else { continue }
      let isCut = sizes[index] > width
      let text = isCut ? TextWidth.truncated(text, to: width, ellipsis: ellipsis) : text
      let spaces = width - (isCut ? TextWidth.columns(text) : sizes[index])
      if columns[index].alignment == .right { gap += spaces }
      if !text.isEmpty {
        line += String(repeating: " ", count: gap) + TextSafety.isolated(text)
        gap = 0
      }
      if columns[index].alignment == .left { gap += spaces }
      gap += TextTable.gap
    }
    while line.utf8.last == UInt8(ascii: " ") { line.removeLast() }
    return line
  }
}
