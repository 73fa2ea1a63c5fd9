import SequenceClient
import SequencePlatform
import SequencePresentation

struct DayBar: Equatable {
  let day: CivilDay
  let active: Duration
}

/// The chart of days: a bar each, as high as its active time, over lines with their times.
enum DayChart {
  /// The times that lines may have, in minutes; a second line has twice the time.
  private static let steps = [1, 2, 5, 10, 15, 30, 60, 90, 120, 180, 240, 360, 540, 720]

  /// The time of the lower of the two lines.
  static func step(longest: Duration) -> Duration {
    let lengths = steps.lazy.map { Duration.seconds($0 * 60) }
    return lengths.first { $0 * 2 >= longest } ?? .seconds(43_200)
  }

  private static func numberInMonth(_ day: CivilDay) -> String {
    let digits = day.description.suffix(2)
    return String(digits.hasPrefix("0") ? digits.dropFirst() : digits)
  }

  static func draw(_ days: [DayBar], on canvas: Canvas) {
    guard let longest = days.map(\.active).max(), !days.isEmpty else { return }
    let size = 11 * canvas.textScale
    let (top, labels, axis) = (8 * canvas.textScale, 32 * canvas.textScale, 46 * canvas.textScale)
    let bottom = canvas.height - labels
    let room = bottom - top
    let step = step(longest: longest)
    for line in 0...2 {
      let y = bottom - room * Double(line) / 2
      canvas.use(.text(opacity: Shade.track))
      canvas.line(from: 0, to: canvas.width - axis, y: y, thickness: 1)
      canvas.use(.text(opacity: Shade.text))
      if line > 0 { canvas.text(LengthText.format(step * line), at: .end, y: y, height: size) }
    }
    let column = (canvas.width - axis) / Double(days.count)
    for (index, bar) in days.enumerated() {
      let x = Double(index) * column
      if bar.active > .zero {
        let height = max(2, min(1, bar.active / (step * 2)) * room)
        canvas.use(.named("accent_color"))
        canvas.bar(x: x + column * 0.2, y: bottom - height, width: column * 0.6, height: height)
      }
      canvas.use(.text(opacity: Shade.text))
      for (line, text) in [String(bar.day.weekdayName.prefix(2)), numberInMonth(bar.day)]
        .enumerated()
      {
        canvas.text(
          text, center: (x + column / 2, bottom + (10 + 14 * Double(line)) * canvas.textScale), height: size,
          maxWidth: column,
          isHeavy: false)
      }
    }
  }
}
