import Presentation
import SequenceClient
import SequenceRunner

/// The active time of a day.
struct DayBar: Equatable {
  let day: CivilDay
  let active: Duration
}

/// The chart of days: a bar each, as high as its active time.
enum DayChart {
  static func draw(_ days: [DayBar], on canvas: Canvas) {
    guard let longest = days.map(\.active).max(), !days.isEmpty else { return }
    let labels = 18.0
    let column = canvas.width / Double(days.count)
    let room = canvas.height - labels - 16
    for (index, bar) in days.enumerated() {
      let share = longest > .zero ? bar.active / longest : 0
      let height = max(2, share * room)
      let x = Double(index) * column
      canvas.use(bar.active > .zero ? .named("accent_color") : .text(opacity: 0.2))
      canvas.bar(x: x + column * 0.2, y: 16 + room - height, width: column * 0.6, height: height)
      canvas.use(.text(opacity: 0.7))
      canvas.text(
        String(bar.day.weekdayName.prefix(2)), center: (x + column / 2, canvas.height - labels / 2),
        height: 11,
        maxWidth: column, isHeavy: false)
      if bar.active == longest, longest > .zero {
        canvas.text(
          LengthText.elapsed(bar.active),
          center: (min(max(x + column / 2, 24), canvas.width - 24), 16 + room - height - 8), height: 11,
          maxWidth: 80, isHeavy: true)
      }
    }
  }
}
