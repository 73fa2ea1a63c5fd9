import SequencePresentation

struct TextTable {
  enum Alignment {
    case left
    case right
  }

  struct Column {
    let title: String
    var alignment = Alignment.left
    var most: Int?
  }

  private let columns: [Column]
  private var rows: [[String]] = []

  init(_ columns: [Column]) {
    self.columns = columns
  }

  /// Adds a row with a text for each column, without control characters.
  mutating func add(_ row: [String]) {
    rows.append(row)
  }

  func lines(hasTitles: Bool = true, ellipsis: Character = "…") -> [String] {
    let all = (hasTitles ? [columns.map(\.title)] : []) + rows
    let cut = all.map { row in
      zip(row, columns).map { text, column in
        column.most.map { TextWidth.truncated(text, to: $0, ellipsis: ellipsis) } ?? text
      }
    }
    let sizes = cut.map { $0.map(TextWidth.columns) }
    let widths = columns.indices.map { index in
      sizes.reduce(0) { max($0, index < $1.count ? $1[index] : 0) }
    }
    return zip(cut, sizes).map { line($0, sizes: $1, widths: widths) }
  }

  private func line(_ row: [String], sizes: [Int], widths: [Int]) -> String {
    var (line, gap) = ("", 0)
    for (index, text) in row.enumerated() {
      let spaces = widths[index] - sizes[index]
      if columns[index].alignment == .right { gap += spaces }
      if !text.isEmpty {
        line += String(repeating: " ", count: gap) + text
        gap = 0
      }
      if columns[index].alignment == .left { gap += spaces }
      gap += 2
    }
    while line.utf8.last == UInt8(ascii: " ") { line.removeLast() }
    return line
  }
}
