import SequenceClient
import SequencePlatform
import SequencePresentation

/// A year as a map: a row for each day of the week, and a column for each week.
struct YearTable {
  private let glyphs: DisplayStyle.Glyphs
  private let columns: Int

  init(_ glyphs: DisplayStyle.Glyphs, columns: Int) {
    (self.glyphs, self.columns) = (glyphs, columns)
  }

  /// - Parameter today: the last day that has a mark.
  func lines(_ map: YearMap, today: CivilDay) -> [String] {
    let names = (0..<7).map { (map.weeks[0] + $0).weekdayName }
    let margin = (names.map(TextWidth.columns).max() ?? 0) + 1
    let room = max(1, columns - margin)
    let width = map.weeks.count * 2 <= room ? 2 : 1
    // In a narrow terminal, the last weeks until today.
    let shown =
      map.weeks.count * width <= room
      ? Array(map.weeks.indices) : Array(map.weeks.indices.filter { map.weeks[$0] <= today }.suffix(room))
    let days = (0..<7).map { place in
      let gap = String(repeating: " ", count: margin - TextWidth.columns(names[place]))
      return shown.reduce(names[place] + gap) { line, week in
        let mark = map.day(place, ofWeek: week).flatMap { $0 <= today ? map.level(of: $0) : nil }
        return line + String(repeating: mark.map { glyphs.levels[$0] } ?? " ", count: width)
      }
    }
    return ([months(map, shown, width, margin)] + days).map(YearTable.trimmed) + ["", legend(map)]
  }

  private func months(_ map: YearMap, _ weeks: [Int], _ width: Int, _ margin: Int) -> String {
    var line = String(repeating: " ", count: margin)
    for (index, week) in weeks.enumerated() {
      let (start, end) = (margin + index * width, TextWidth.columns(line))
      if let month = map.month(beginningIn: week), end <= start {
        line += String(repeating: " ", count: start - end) + LocalTime.months[month - 1] + " "
      }
    }
    return line
  }

  private func legend(_ map: YearMap) -> String {
    guard map.longest > .zero else { return translated("no active time") }
    let levels = (1...YearMap.levels).map {
      translated(
        "{mark} up to {time}",
        ["mark": glyphs.levels[$0], "time": ClockText.elapsed(map.most(ofLevel: $0))])
    }
    return ([translated("{} none", glyphs.levels[0])] + levels).joined(separator: "  ")
  }

  private static func trimmed(_ line: String) -> String {
    String(line.reversed().drop { $0 == " " }.reversed())
  }
}
