import FoundationEssentials
import SequenceClient
import SequenceConfiguration
import SequenceFiles
import SequencePlatform
import SequencePresentation
import SequenceRunner

final class IdlePage {
  let widget: ScrolledWindow
  private let line: Label
  private let quick: QuickTimer
  private let recent: ListBox
  private let recentTitle: Label
  private let findings: ListBox
  private let clock: any ClockSource
  private var recentRuns: [ActiveRunSnapshot] = []
  private let cards: SequenceCards
  private let allSequences: Button
  private var listed: [ListedSequence] = []
  var onStart: (Timeline, RunSource, _ labels: [String]) -> Void = { _, _, _ in }
  var onOpen: (ListedSequence) -> Void = { _ in }
  var onSchedule: () -> Void = {}
  var onStartSequence: (ListedSequence) -> Void = { _ in }
  /// Copies a starter into the library, and starts it or opens its page.
  var onStarter: (_ starter: Starter, _ starts: Bool) -> Void = { _, _ in }

  /// The lengths of the timers that have a button, in minutes.
  private static let lengths = [1, 5, 10, 25]
  static let mostRecent = 3
  static let mostCards = 8
  private static let mostSearched = 50

  init(_ clock: any ClockSource) throws {
    self.clock = clock
    quick = try QuickTimer(clock)
    let interface = try Interface(PackageResources.idle_ui)
    widget = try interface.object("idle")
    line = try interface.object("idle_line")
    recent = try interface.object("recent")
    recentTitle = try interface.object("recent_title")
    findings = try interface.object("findings")
    cards = SequenceCards(try interface.object("cards"))
    allSequences = try interface.object("all_sequences")
    let lengths: Box = try interface.object("lengths")
    // Two rows of two, if one row has no room.
    let halves = [try Box.make(spacing: 6), try Box.make(spacing: 6)]
    for half in halves {
      half.setChildrenEqual()
      lengths.append(half)
    }
    lengths.setVertical(lengths.hasLargeText)
    lengths.onTextScale { [weak lengths] in lengths?.setVertical((lengths?.textScale ?? 1) >= 1.5) }
    for (index, minutes) in IdlePage.lengths.enumerated() {
      let button = try Button.make(label: LengthText.format(.seconds(minutes * 60)))
      button.setAccessibleName(
        plural("Start a timer of 1 minute", "Start a timer of {} minutes", count: minutes))
      button.setAction("app.start-timer", "\(minutes)m")
      button.set(class: "length", true)
      halves[index * 2 / IdlePage.lengths.count].append(button)
    }
    try (interface.object("quick_place") as Bin).setChild(quick.widget)
    cards.onOpen = { [unowned self] in choose($0, starts: false) }
    cards.onStart = { [unowned self] in choose($0, starts: true) }
    quick.onStart = { [unowned self] in onStart($0, .timer, []) }
    // A problem can't be activated.
    findings.onRow { [unowned self] _ in onSchedule() }
    recent.onRow { [unowned self] index in
      guard recentRuns.indices.contains(index) else { return }
      let run = recentRuns[index]
      onStart(run.timeline, run.source, run.options.labels)
    }
  }

  func show(_ ended: EndedRun?) {
    // A mistake of before the run has been seen.
    quick.showLine()
    // The result takes the place of the hint, so that the field stays where it is.
    line.text = ended.map { IdlePage.result(EndedRunSummary($0)) } ?? IdlePage.hint
  }

  private static var hint: String { translated("Write a duration, or a title and a duration.") }

  static func result(_ run: EndedRunSummary) -> String {
    let parts: KeyValuePairs = [
      "title": TextSafety.sanitised(run.title), "time": LengthText.elapsed(run.active),
    ]
    let steps = run.steps == 1 ? "" : " · \(StepText.completed(run))"
    return switch run.outcome {
    case .finished: translated("“{title}” is finished after {time}", parts) + steps
    case .stopped: translated("“{title}” was stopped after {time}", parts) + steps
    case .lost: translated("“{title}” was lost after {time}", parts)
    }
  }

  func refreshRecent(_ client: Client) throws {
    recentRuns = []
    recent.removeRows()
    var seen: Set<String> = []
    for summary in try client.store.historySummaries(HistoryQuery(most: IdlePage.mostSearched))
    where summary.outcome != .lost && seen.insert(summary.sequenceID).inserted {
      guard let id = UUID(uuidString: summary.runID), let run = try client.store.endedRun(id: id),
        run.snapshot.source == .timer
      else { continue }
      recentRuns.append(run.snapshot)
      let length = SequenceLength(run.snapshot.timeline)
      let row = try ActionRow.make(
        TextSafety.sanitised(summary.title), "\(length.stepsText) · \(length.timeText(LengthText.format))",
        isActivatable: true)
      row.addPrefix(try Image.make(icon: "media-playback-start-symbolic"))
      let save = try Button.make(
        icon: "list-add-symbolic",
        translated("Add “{}” to the Library", TextSafety.sanitised(summary.title)))
      save.setAction("app.save-run", summary.runID)
      row.addSuffix(save)
      recent.append(row)
      if recentRuns.count == IdlePage.mostRecent { break }
    }
    recent.isVisible = !recentRuns.isEmpty
    recentTitle.isVisible = !recentRuns.isEmpty
  }

  /// - Parameter sequences: those of the library without a mistake, the last used first.
  func show(_ sequences: [ListedSequence]) throws {
    listed = Array(sequences.prefix(IdlePage.mostCards))
    allSequences.isVisible = !listed.isEmpty
    let found = listed.compactMap { sequence in
      sequence.content.map { content in
        SequenceCards.Card(
          look: SequenceLook(content), title: TextSafety.sanitised(content.title),
          facts: sequence.length?.timeText(LengthText.format) ?? "")
      }
    }
    guard listed.isEmpty else { return try cards.show(found) }
    try cards.show(
      Starter.allCases.map {
        SequenceCards.Card(look: SequenceLook($0), title: $0.title, facts: $0.summary)
      })
  }

  private func choose(_ index: Int, starts: Bool) {
    if listed.isEmpty {
      onStarter(Starter.allCases[index], starts)
    } else {
      (starts ? onStartSequence : onOpen)(listed[index])
    }
  }

  /// - Parameter next: the schedule that comes next, which is shown if there is no problem.
  func show(_ found: [Finding], next: Schedule?) throws {
    findings.removeRows()
    if found.isEmpty, let next {
      let row = try ActionRow.make(
        TextSafety.sanitised(
          translated(
            "{title} {time}",
            ["title": next.title, "time": ScheduleForm.begin(next, now: clock.now().wall)])),
        isActivatable: true)
      row.addPrefix(try Image.make(icon: "alarm-symbolic"))
      findings.append(row)
    }
    for finding in found {
      // The newest failure is enough to begin with; doctor lists them all.
      let lines = (finding.items.prefix(1) + [finding.advice].compactMap { $0 })
        .map { TextSafety.sanitised($0.translation).capitalizedFirst }
      let row = try ActionRow.make(
        TextSafety.sanitised(
          LocalizedText("\(finding.check.title): \(finding.text)").translation.capitalizedFirst),
        lines.isEmpty ? nil : lines.joined(separator: "\n"))
      // A remedy is of no use without the whole problem.
      row.setTitleLines(0)
      row.addPrefix(
        try Image.make(icon: finding.state == .error ? "dialog-error-symbolic" : "dialog-warning-symbolic"))
      findings.append(row)
    }
    findings.isVisible = !found.isEmpty || next != nil
  }

  func start(_ text: String) { quick.start(text) }

  func focusField() { quick.focus() }
}

/// The field of the quick timer, with a line below it that says how the text is understood.
final class QuickTimer {
  let widget: Widget
  private let field: Entry
  private let line: Label
  /// The buttons for the units that a number may have been meant in.
  private let units: Box
  private let unitButtons: [Button]
  private let clock: any ClockSource
  /// Writes the line again, because its end moves with the clock.
  private var update: LoopSource?
  var onStart: (Timeline) -> Void = { _ in }

  init(_ clock: any ClockSource) throws(Problem) {
    self.clock = clock
    let interface = try Interface(PackageResources.quick_ui)
    widget = try interface.object("quick_timer")
    field = try interface.object("quick")
    line = try interface.object("quick_line")
    units = try interface.object("quick_units")
    unitButtons = [try interface.object("quick_minutes"), try interface.object("quick_seconds")]
    field.onActivate { [unowned self] in start(field.text) }
    field.onChange { [unowned self] in showLine() }
    try (interface.object("quick_start") as Button).onClicked { [unowned self] in start(field.text) }
    for (place, button) in unitButtons.enumerated() {
      button.onClicked { [unowned self] in
        let choices = QuickTimer.withUnits(field.text, at: clock.now().wall)
        if choices.indices.contains(place) { start(choices[place].text) }
      }
    }
  }

  func start(_ text: String) {
    do {
      let timeline = try QuickTimer.timeline(text, at: clock.now().wall)
      field.text = ""
      onStart(timeline)
    } catch {
      show(line: Message.sentence(explained(error)), isMistake: true)
      field.grabFocus()
    }
  }

  func showLine() {
    let now = clock.now().wall
    let choices = QuickTimer.withUnits(field.text, at: now)
    units.isVisible = !choices.isEmpty
    for (button, choice) in zip(unitButtons, choices) {
      button.label = LengthText.format(choice.length)
      button.setAccessibleName(translated("Start {}", button.label))
    }
    show(line: choices.isEmpty ? QuickTimer.line(field.text, at: now) : nil, isMistake: false)
    guard line.isVisible else { return }
    let second = Int(now.microseconds / 1_000_000 % 60)
    update = LoopSource.after(seconds: 60 - second) { [unowned self] in showLine() }
  }

  /// Returns the sequence of a timer, which can end at a time of day.
  static func timeline(_ text: String, at now: Moment) throws(Problem) -> Timeline {
    try CardSpec.timer(text) { LocalDays.duration(until: $0, after: now) }
  }

  /// Returns the timers that a text may mean whose number has no unit: minutes and seconds.
  static func withUnits(_ text: String, at now: Moment) -> [(text: String, length: Duration)] {
    let text = trimmed(text)
    guard text.last?.isNumber == true, length(of: text, at: now) == nil else { return [] }
    let found = ["m", "s"].compactMap { unit in
      length(of: text + unit, at: now).map { (text: text + unit, length: $0) }
    }
    return found.count == 2 ? found : []
  }

  /// Returns the length of a timer; `nil` if the text isn't one.
  private static func length(of text: String, at now: Moment) -> Duration? {
    do throws(Problem) {
      return try timeline(text, at: now).card(at: 0).timing.duration
    } catch {
      return nil
    }
  }

  /// Stops the updates of the line while the field is hidden.
  func pause() { update = nil }

  private func show(line text: String?, isMistake: Bool) {
    update = nil
    line.text = text ?? ""
    line.set(class: "error", isMistake)
    line.set(class: "dim-label", !isMistake)
    line.isVisible = text != nil
  }

  /// Returns how a text is understood, such as `“Tea” for 5 min, until 14:35`, or what is missing; `nil` for a blank
  /// text.
  static func line(_ text: String, at now: Moment) -> String? {
    guard text.contains(where: { !$0.isWhitespace }) else { return nil }
    do throws(Problem) {
      let card = try timeline(text, at: now).card(at: 0)
      let length = card.timing.duration ?? .zero
      return TextSafety.sanitised(
        translated(
          "“{title}” for {length}, until {time}",
          [
            "title": card.title, "length": LengthText.format(length),
            "time": EndText.clock(now, after: length),
          ]))
    } catch {
      return Message.sentence(explained(error))
    }
  }

  func focus() { field.grabFocus() }
}
