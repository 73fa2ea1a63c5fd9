import CSequenceAdwaita
import SequenceClient
import SequencePlatform
import SequencePresentation

/// A square for each day of a year, in columns of weeks, as dark as the day was active.
///
/// It is one widget for the focus and for screen readers, whose name is the chosen day with its active time. A widget for
/// each day would have screen readers ask for hundreds of objects.
final class DayMap {
  private let widget: Box
  private let months: DrawingArea
  private let squares: DrawingArea
  private let text: Label
  private var map: YearMap?
  private var today = CivilDay(number: 0)
  private var chosen = CivilDay(number: 0)
  private var listed: Range<CivilDay>?
  var onDay: (CivilDay) -> Void = { _ in }

  private static let row = 11.0
  private static let gap = 1.0
  /// The opacities of the levels, as parts of the color of the accent.
  private static let opacities = [0, 0.3, 0.5, 0.75, 1]

  init(_ interface: Interface) throws {
    widget = try interface.object("map")
    months = try interface.object("map_months")
    squares = try interface.object("map_days")
    text = try interface.object("map_day")
    squares.setContentSize(height: Int(7 * DayMap.row - DayMap.gap))
    Canvas.draw(months) { [weak self] canvas in
      if let map = self?.map { DayMap.drawMonths(of: map, on: canvas) }
    }
    Canvas.draw(squares) { [weak self] canvas in self?.drawDays(on: canvas) }
    squares.on("notify::has-focus") { [unowned self] in squares.queueDraw() }
    try squares.onKey { [unowned self] key, held in held.isEmpty && take(key) }
    try squares.onPointerMoved { [unowned self] x, y in squares.setTooltip(day(x, y).map(text(of:))) }
    try squares.onRelease { [unowned self] x, y in
      guard let day = day(x, y) else { return }
      squares.grabFocus()
      choose(day)
      onDay(day)
    }
    let actions = try ActionGroup.make()
    try actions.add("open") { [unowned self] in onDay(chosen) }
    try actions.add("previous") { [unowned self] in _ = move(by: -1) }
    try actions.add("next") { [unowned self] in _ = move(by: 1) }
    squares.insert(actions, prefix: "day")
  }

  /// Shows a map with the chosen day of before, if it has that; else with today or the last active day.
  ///
  /// - Parameter map: `nil` for another period than a year.
  func show(_ map: YearMap?, today: CivilDay) {
    widget.isVisible = map != nil
    self.map = map
    self.today = today
    guard let map else { return }
    if !map.days.contains(chosen) {
      chosen = map.days.contains(today) ? today : map.lastActive ?? map.days.upperBound + -1
    }
    choose(chosen)
    months.queueDraw()
  }

  /// Marks the day whose runs are listed.
  func show(listed days: Range<CivilDay>?) {
    guard days != listed else { return }
    listed = days
    if let days, days.upperBound == days.lowerBound + 1, map?.days.contains(days.lowerBound) == true {
      choose(days.lowerBound)
    }
    squares.setAccessibleSelected(listed == chosen..<chosen + 1)
    squares.queueDraw()
  }

  // MARK: - The chosen day

  private func choose(_ day: CivilDay) {
    chosen = day
    squares.setAccessibleSelected(listed == day..<day + 1)
    squares.queueDraw()
    let text = text(of: day)
    guard text != self.text.text else { return }
    self.text.text = text
    squares.setAccessibleName(text)
  }

  /// Returns whether there is such a day.
  private func move(by days: Int) -> Bool {
    guard let map, map.days.contains(chosen + days), chosen + days <= today else { return false }
    choose(chosen + days)
    return true
  }

  /// Returns whether a key was for the map; arrows at its edge move the focus.
  private func take(_ key: Int) -> Bool {
    guard let map else { return false }
    let week = squares.isRightToLeft ? -7 : 7
    switch Int32(key) {
    case GDK_KEY_Up, GDK_KEY_KP_Up: return move(by: -1)
    case GDK_KEY_Down, GDK_KEY_KP_Down: return move(by: 1)
    case GDK_KEY_Left, GDK_KEY_KP_Left: return move(by: -week)
    case GDK_KEY_Right, GDK_KEY_KP_Right: return move(by: week)
    case GDK_KEY_Home, GDK_KEY_KP_Home: choose(map.days.lowerBound)
    case GDK_KEY_End, GDK_KEY_KP_End: choose(min(map.days.upperBound + -1, today))
    case GDK_KEY_Return, GDK_KEY_KP_Enter, GDK_KEY_space, GDK_KEY_KP_Space: onDay(chosen)
    default: return false
    }
    return true
  }

  private func text(of day: CivilDay) -> String {
    let title = RelativeDay.title(of: day..<day + 1, today: today)
    let active = map?.active(on: day) ?? .zero
    guard active > .zero else { return translated("{}: no active time", title) }
    return "\(title): \(LengthText.total(active))"
  }

  // MARK: - Places

  /// The whole pixels of a column with its gap.
  private static func column(_ map: YearMap, width: Double) -> Double {
    ((width + gap) / Double(map.weeks.count)).rounded(.down)
  }

  /// Returns the day at a point; `nil` for a day to come and outside of the days.
  private func day(_ x: Double, _ y: Double) -> CivilDay? {
    let width = Double(squares.width)
    guard let map, x >= 0, x < width, y >= 0 else { return nil }
    let column = DayMap.column(map, width: width)
    guard column > 0 else { return nil }
    let week = Int((squares.isRightToLeft ? width - x : x) / column)
    let place = Int(y / DayMap.row)
    guard map.weeks.indices.contains(week), place < 7 else { return nil }
    return map.day(place, ofWeek: week).flatMap { $0 <= today ? $0 : nil }
  }

  private func drawDays(on canvas: Canvas) {
    guard let map else { return }
    let column = DayMap.column(map, width: canvas.width)
    for week in map.weeks.indices {
      let start = Double(week) * column
      let x = canvas.isRightToLeft ? canvas.width - start - column + DayMap.gap : start
      for place in 0..<7 {
        guard let day = map.day(place, ofWeek: week) else { continue }
        let square = canvas.rectangle(
          x: x, y: Double(place) * DayMap.row, width: column - DayMap.gap, height: DayMap.row - DayMap.gap,
          corner: 2)
        let level = map.level(of: day)
        if level > 0 {
          canvas.use(.named("accent_color", opacity: DayMap.opacities[level]))
        } else {
          // A day to come is paler.
          canvas.use(.text(opacity: day > today ? 0.03 : 0.08))
        }
        canvas.fill(square)
        let isListed = listed == day..<day + 1
        guard isListed || day == chosen && squares.hasFocus else { continue }
        canvas.use(.text(opacity: 1))
        canvas.stroke(square.inset(by: isListed ? 0.5 : 1), thickness: isListed ? 3 : 2)
      }
    }
  }

  private static func drawMonths(of map: YearMap, on canvas: Canvas) {
    let column = column(map, width: canvas.width)
    let room = column * Double(map.weeks.count) / 12
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
