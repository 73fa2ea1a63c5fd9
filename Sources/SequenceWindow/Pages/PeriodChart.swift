import SequenceClient
import SequencePlatform
import SequencePresentation

/// The chart of a period: a bar each day or month, as high as its active time, over lines with their times.
enum PeriodChart {
  /// The times that lines may have, in minutes; a second line has twice the time.
  private static let steps = [1, 2, 5, 10, 15, 30, 60, 90, 120, 180, 240, 360, 540, 720]

  /// The time of the lower of the two lines.
  static func step(longest: Duration) -> Duration {
    let lengths = steps.lazy.map { Duration.seconds($0 * 60) }
    if let length = lengths.first(where: { $0 * 2 >= longest }) { return length }
    var length = Duration.seconds(86_400)
    while length * 2 < longest { length *= 2 }
    return length
  }

  /// Returns 1 if each month has room for its name, 2 if every second one has, and so on.
  static func monthStep(room: Double, textScale: Double) -> Int {
    [1, 2, 3, 4, 6].first { room * Double($0) >= 30 * textScale } ?? 12
  }

  /// The room beside the bars for the times of the lines, in pixels.
  static func axis(textScale: Double) -> Double { 52 * textScale }

  private static func places(_ canvas: Canvas) -> (size: Double, top: Double, bottom: Double) {
    (11 * canvas.textScale, 8 * canvas.textScale, canvas.height - 32 * canvas.textScale)
  }

  /// Draws the lines with their times, and the days or months below the bars.
  static func drawAxes(of statistics: PeriodStatistics, on canvas: Canvas) {
    let (size, top, bottom) = places(canvas)
    let axis = axis(textScale: canvas.textScale)
    let longest = statistics.longest
    // In a script from right to left, the times are on the left.
    let (start, end) = canvas.isRightToLeft ? (axis, canvas.width) : (0, canvas.width - axis)
    for line in 0...2 {
      let y = bottom - (bottom - top) * Double(line) / 2
      canvas.use(.text(opacity: Shade.track))
      canvas.line(from: start, to: end, y: y, thickness: 1)
      canvas.use(.text(opacity: Shade.text))
      guard line > 0, longest > .zero else { continue }
      canvas.text(
        LengthText.total(step(longest: longest) * line), at: canvas.isRightToLeft ? .start : .end, y: y,
        height: size)
    }
    let column = (end - start) / Double(statistics.bars.count)
    let step =
      statistics.period.span == .year ? monthStep(room: column, textScale: canvas.textScale) : 1
    for (index, bar) in statistics.bars.enumerated() where index % step == 0 {
      let place = Double(canvas.isRightToLeft ? statistics.bars.count - 1 - index : index) + 0.5
      for (line, text) in labels(of: bar.days.lowerBound, in: statistics.period.span).enumerated() {
        canvas.text(
          text, center: (start + place * column, bottom + (10 + 14 * Double(line)) * canvas.textScale),
          height: size, maxWidth: max(column * Double(step), 18 * canvas.textScale), isHeavy: false)
      }
    }
  }

  /// Draws a bar of stacked parts.
  static func drawBar(_ bar: Int, of statistics: PeriodStatistics, on canvas: Canvas) {
    let (_, top, bottom) = places(canvas)
    let parts = statistics.bars[bar].parts
    let scale = (bottom - top) / (step(longest: statistics.longest) * 2).seconds
    let last = parts.lastIndex { $0 > .zero }
    var y = bottom
    for (index, part) in parts.enumerated() where part > .zero {
      let color = statistics.series[index].color
      canvas.use(color.map { .named(SequenceLook.name(of: $0)) } ?? .text(opacity: Shade.shape))
      // A part that is short can still be seen, and a line of the background is between two parts.
      let height = max(2, part.seconds * scale)
      let gap = index == last || height < 4 ? 0.0 : 1
      canvas.bar(
        x: canvas.width * 0.15, y: y - height + gap, width: canvas.width * 0.7, height: height - gap,
        corner: index == last ? 4 : 0)
      y -= height
    }
  }

  private static func labels(of day: CivilDay, in span: StatisticsGrouping) -> [String] {
    let number = day.date.day
    return switch span {
    case .week: [day.weekdayName, String(number)]
    // In a narrow window, a column is narrower than two digits.
    case .month: number % 7 == 1 ? [String(number)] : []
    default: [RelativeDay.shortMonth(of: day)]
    }
  }
}
