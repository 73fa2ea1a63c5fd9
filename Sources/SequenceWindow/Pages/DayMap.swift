import SequenceClient
import SequencePlatform
import SequencePresentation

/// A square for each day of a year, in columns of weeks, as dark as the day was active.
final class DayMap {
  private let widget: Box
  private let months: DrawingArea
  private let squares: FlowBox
  private var map: YearMap?
  private var shown: [Square] = []
  private var listed: Range<CivilDay>?
  var onDay: (CivilDay) -> Void = { _ in }

  private struct Square {
    /// `nil` for a place before the first day of the year.
    let day: CivilDay?
    let child: FlowBoxChild
    var level: Int?
  }

  init(_ interface: Interface) throws {
    widget = try interface.object("map")
    months = try interface.object("map_months")
    squares = try interface.object("map_days")
    squares.setChildrenPerLine(7)
    Canvas.draw(months) { [weak self] canvas in
      if let map = self?.map { DayMap.drawMonths(of: map, on: canvas) }
    }
    squares.onChild { [unowned self] index in
      if shown.indices.contains(index), let day = shown[index].day { onDay(day) }
    }
  }

  /// - Parameter map: `nil` for another period than a year.
  func show(_ map: YearMap?, today: CivilDay) throws {
    widget.isVisible = map != nil
    guard let map else { return }
    let isSameYear = map.days == self.map?.days && map.weeks == self.map?.weeks
    self.map = map
    if !isSameYear { try makeSquares(map) }
    for (index, square) in shown.enumerated() {
      guard let day = square.day else { continue }
      let text = DayMap.text(of: day, in: map, today: today)
      square.child.setAccessibleName(text)
      square.child.setTooltip(text)
      square.child.isSensitive = day <= today
      let level = map.level(of: day)
      guard level != square.level else { continue }
      if let old = square.level { square.child.set(class: "level-\(old)", false) }
      square.child.set(class: "level-\(level)", true)
      shown[index].level = level
    }
    months.queueDraw()
  }

  private func makeSquares(_ map: YearMap) throws {
    squares.removeChildren()
    (shown, listed) = ([], nil)
    let days = map.weeks[0].number..<map.days.upperBound.number
    for day in days.lazy.map(CivilDay.init) {
      let child = try FlowBoxChild.make()
      let isOfYear = map.days.contains(day)
      if isOfYear {
        let actions = try ActionGroup.make()
        try actions.add("open") { [unowned self] in onDay(day) }
        child.insert(actions, prefix: "day")
      } else {
        child.set(class: "blank", true)
        child.isSensitive = false
        child.hideFromScreenReaders()
      }
      squares.append(child)
      shown.append(Square(day: isOfYear ? day : nil, child: child))
    }
  }

  /// Marks the day whose runs are listed.
  func show(listed days: Range<CivilDay>?) {
    guard days != listed else { return }
    listed = days
    for square in shown {
      guard let day = square.day else { continue }
      let isListed = days == day..<day + 1
      square.child.set(class: "listed", isListed)
      square.child.setAccessibleSelected(isListed)
    }
  }

  private static func text(of day: CivilDay, in map: YearMap, today: CivilDay) -> String {
    let title = RelativeDay.title(of: day..<day + 1, today: today)
    let active = map.active(on: day)
    guard active > .zero else { return translated("{}: no active time", title) }
    return "\(title): \(LengthText.total(active))"
  }

  private static func drawMonths(of map: YearMap, on canvas: Canvas) {
    // The flow box gives columns whole pixels, and one between them.
    let weeks = Double(map.weeks.count)
    let column = ((canvas.width - weeks + 1) / weeks).rounded(.down) + 1
    let room = column * weeks / 12
    let year = map.days.lowerBound.date.year
    let step = PeriodChart.monthStep(room: room, textScale: canvas.textScale)
    canvas.use(.text(opacity: Shade.text))
    for month in stride(from: 1, through: 12, by: step) {
      let middle = CivilDay(year: year, month: month, day: 15)
      let place = (Double((middle.number - map.weeks[0].number) / 7) + 0.5) * column
      canvas.text(
        RelativeDay.shortMonth(of: middle),
        center: (canvas.isRightToLeft ? canvas.width - place : place, canvas.height / 2),
        height: 11 * canvas.textScale, maxWidth: room * Double(step), isHeavy: false)
    }
  }
}
