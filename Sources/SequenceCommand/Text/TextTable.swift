import Presentation

/// Rows of text in columns, counted as a terminal shows them.
struct TextTable {
  /// Where the text of a column stands.
  enum Alignment {
    case left
    case right
  }

  /// A column: what stands above it, and how wide it may be.
  struct Column {
    let title: String
    var alignment = Alignment.left
    /// Longer text is cut; `nil` for any width.
    var most: Int?
  }

  private let columns: [Column]
  private var rows: [[String]] = []

  init(_ columns: [Column]) {
    self.columns = columns
  }

  /// Adds a row, which has a text for each column and no control characters in it.
  mutating func add(_ row: [String]) {
    rows.append(row)
  }

  /// The lines, without spaces at their ends.
  func lines(hasTitles: Bool = true, ellipsis: Character = "…") -> [String] {
    let all = (hasTitles ? [columns.map(\.title)] : []) + rows
    let cut = all.map { row in
      zip(row, columns).map { text, column in
        column.most.map { TextWidth.truncated(text, to: $0, ellipsis: ellipsis) } ?? text
      }
    }
    let widths = columns.indices.map { index in
      cut.reduce(0) { max($0, index < $1.count ? TextWidth.columns($1[index]) : 0) }
    }
    return cut.map { row in
      let line = row.enumerated().map { index, text in
        let spaces = String(repeating: " ", count: widths[index] - TextWidth.columns(text))
        return columns[index].alignment == .left ? text + spaces : spaces + text
      }.joined(separator: "  ")
      return String(line.reversed().drop { $0 == " " }.reversed())
    }
  }
}
