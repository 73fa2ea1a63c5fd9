import SequenceClient
import SequenceConfiguration
import SequenceFiles
import SequencePlatform
import SequencePresentation

/// The questions for a schedule of a sequence.
final class ScheduleForm {
  let widget: ListBox
  let time: Entry
  private let client: Client
  private let source: SequenceSource
  private let kind: DropDown
  private var days: [ToggleButton] = []

  init(_ source: SequenceSource, _ client: Client) throws {
    (self.source, self.client) = (source, client)
    let interface = try Interface(PackageResources.schedule_ui)
    widget = try interface.object("schedule")
    kind = try DropDown.make([translated("Begins at"), translated("Ends at")])
    time = try Entry.make()
    time.activatesDefault()
    time.setPlaceholder("7:00")
    time.setAccessibleName(translated("Time"))
    kind.setAccessibleName(translated("Begins or ends"))
    let row = try ActionRow.make("")
    // Tab goes from field to field.
    row.set("focusable", to: false)
    for field in [kind, time] as [Widget] {
      field.centerVertically()
      row.addSuffix(field)
    }
    widget.insert(row, at: 0)
    let week: Box = try interface.object("week")
    for name in RelativeDay.weekdays {
      let button = try ToggleButton.make(with: [])
      button.label = name.prefix(1).uppercased()
      button.setAccessibleName(name)
      button.setTooltip(name)
      button.set(class: "circular", true)
      week.append(button)
      days.append(button)
    }
  }

  func onChange(_ handler: @escaping () -> Void) {
    time.onChange(handler)
    kind.onSelected(handler)
    for button in days { button.onClicked(handler) }
  }

  /// Returns the schedule that the fields describe; `nil` while there is no time.
  func schedule() throws -> Schedule? {
    guard time.text.contains(where: { !$0.isWhitespace }) else { return nil }
    guard let clock = TimeOfDay(time.text) else {
      throw Problem(
        "\(quoted(time.text)) is not a time of day", remedy: "write it like 7:00 or 7pm")
    }
    var chosen: ScheduleDays = []
    for (day, button) in zip(ScheduleDays.week, days) where button.isOn { chosen.insert(day.days) }
    return try client.schedule(source, ScheduleChoices(), at: clock, on: chosen, until: kind.selected == 1)
  }

  /// Says when it begins for the first time, or what is missing.
  func check() -> (text: String, isComplete: Bool) {
    do {
      guard let schedule = try schedule() else {
        return (translated("Choose a time. Without a day it begins once."), false)
      }
      let first = ScheduleForm.begin(schedule, now: client.store.clock.now().wall)
      return (
        schedule.days.phrase.map {
          translated("Begins {time}, and then {days}.", ["time": first, "days": $0])
        }
          ?? translated("Begins {}, once.", first), true
      )
    } catch {
      return (Message.sentence(explained(error)), false)
    }
  }

  /// Returns the day and the time of the next start, such as `tomorrow at 07:00`.
  static func begin(_ schedule: Schedule, now: Moment) -> String {
    let day = RelativeDay.text(schedule.due.wall, now: now, LocalDays())
    return translated(
      "{day} at {time}", ["day": day, "time": LocalTime.clock(of: schedule.due.wall, now: schedule.due.wall)])
  }

  /// Returns when it begins, and what became of it the last time.
  static func facts(of schedule: Schedule, now: Moment) -> String {
    let repeats = schedule.days.isEmpty ? [] : [schedule.days.text]
    let end = schedule.lead == nil ? [] : [translated("to end at {}", schedule.time.shown)]
    let missed = schedule.last?.outcome == .missed ? [translated("missed the last time")] : []
    return ([begin(schedule, now: now)] + end + repeats + missed).joined(separator: " · ").capitalizedFirst
  }
}
