import SequencePresentation
import SequenceRunner

enum Table {
  private static let widths = [58, 10, 34, 9, 10]

  static func header() -> String {
    let names = line(["what", "ours", "beside", "ratio", "goal"], "met")
    return names + "\n" + String(repeating: "-", count: names.count)
  }

  static func line(_ row: Row) -> String {
    let other = row.other.map { "\($0.name) \($0.figure.text)" } ?? ""
    let met = row.isMet.map { $0 ? "yes" : "NO" } ?? ""
    return line(
      [row.what, row.ours.text, other, row.ratio.map(ratioText) ?? "", row.goal.map(text) ?? ""], met)
  }

  private static func line(_ cells: [String], _ last: String) -> String {
    let padded = zip(cells, widths).map { cell, width in
      cell + String(repeating: " ", count: max(0, width - cell.count))
    }
    return (padded + [last]).joined(separator: "  ")
  }

  private static func text(_ goal: Row.Goal) -> String {
    switch goal {
    case .ratio(let most): "<= \(ratioText(most))"
    case .limit(let most): "<= \(most.text)"
    }
  }

  /// Formats a ratio; a small one as a fraction, which is easier to read.
  private static func ratioText(_ ratio: Double) -> String {
    ratio > 0 && ratio < 0.1 ? "1/\(decimal(1 / ratio, places: 0))" : "\(decimal(ratio, places: 2)) x"
  }
}
