import SequenceClient
import SequenceFiles
import SequencePlatform
import SequencePresentation
import SequenceRunner

final class NewPage {
  let widget: Box
  private let body: Stack
  private let choices: ListBox
  private let workout: WorkoutForm
  /// Opens the editor with a new sequence, which is made by a function.
  var onCreate: ((LibraryControl) throws -> String) -> Void = { _ in }

  init() throws {
    let interface = try Interface(PackageResources.new_ui)
    widget = try interface.object("new_page")
    body = try interface.object("new_body")
    choices = try interface.object("new_choices")
    workout = try WorkoutForm(interface)
    let rows =
      [(translated("Workout…"), translated("Your exercises, with rests between them"))]
      + Starter.allCases.map { ($0.title, $0.summary) }
      + [(translated("Empty"), translated("One card, to which you add others"))]
    for (title, summary) in rows {
      let row = try ActionRow.make(title, summary, isActivatable: true)
      row.addSuffix(try Image.make(icon: "go-next-symbolic"))
      choices.append(row)
    }
    choices.onRow { [unowned self] in choose($0) }
    workout.onCreate = { [unowned self] plan in onCreate { try $0.create(plan.sequence) } }
  }

  func show() {
    body.page = "choices"
    choices.firstRow?.grabFocus()
  }

  /// Goes back to the starting points; returns whether there was something to go back from.
  func goBack() -> Bool {
    guard body.page == "workout" else { return false }
    body.page = "choices"
    return true
  }

  private func choose(_ index: Int) {
    let starters = Starter.allCases
    switch index {
    case 0:
      body.page = "workout"
      workout.focus()
    case 1...starters.count: onCreate { try $0.create(starters[index - 1]) }
    default: onCreate { try $0.createEmpty() }
    }
  }
}

/// The questions from which a workout is made.
final class WorkoutForm {
  private let title: Entry
  private let exercises: TextView
  private let example: Label
  private let exercisesMistake: Label
  private let rounds: SpinButton
  private let longerAfter: DropDown
  private let summary: Label
  private let create: Button
  private var rows: [Name: FormRow] = [:]
  private var isSetting = false
  var onCreate: (WorkoutPlan) -> Void = { _ in }

  private enum Name: Hashable { case work, rest, rounds, betweenRounds, longer, ready }

  init(_ interface: Interface) throws(Problem) {
    title = try interface.object("workout_title")
    title.text = WorkoutPlan().title
    exercises = try interface.object("workout_exercises")
    exercises.setPadding(6)
    exercises.setAccessibleName(translated("Exercises, one in each line"))
    example = try interface.object("workout_example")
    example.text = translated("Squats\nPlank 1 min\nPush-ups")
    exercisesMistake = try interface.object("workout_mistake")
    summary = try interface.object("workout_length")
    create = try interface.object("workout_create")
    rounds = try SpinButton.make(1...999)
    longerAfter = try DropDown.make([translated("None")])
    let list: ListBox = try interface.object("workout_times")
    for (name, text, start) in [
      (Name.work, translated("Work"), "20 s"), (.rest, translated("Rest"), "10 s"),
      (.rounds, translated("Rounds"), nil), (.betweenRounds, translated("Rest Between Rounds"), ""),
      (.longer, translated("Longer Rest"), "1 min"), (.ready, translated("Get Ready"), "10 s"),
    ] {
      if name == .longer {
        list.append(try FormRow(translated("Longer Rest After"), longerAfter).widget)
      }
      let row = try FormRow(text, start == nil ? rounds : try Entry.make())
      if let start { row.text = start }
      rows[name] = row
      list.append(row.widget)
    }
    rows[.betweenRounds]?.setPlaceholder(translated("As others"))
    for entry in rows.values.compactMap(\.entry) + [title] {
      entry.onChange { [unowned self] in update() }
      entry.onActivate { [unowned self] in finish() }
    }
    exercises.onChange { [unowned self] in update() }
    rounds.onValue { [unowned self] in update() }
    longerAfter.onSelected { [unowned self] in if !isSetting { update() } }
    create.onClicked { [unowned self] in finish() }
    update()
  }

  func focus() {
    // The page gives the focus to its first field, which selects its text.
    title.deselect()
    exercises.grabFocus()
  }

  private func finish() {
    if let plan = update() { onCreate(plan) }
  }

  /// Shows the length of the workout; if a part is missing, asks for it and returns `nil`.
  @discardableResult
  private func update() -> WorkoutPlan? {
    var plan = WorkoutPlan()
    var isComplete = true
    func take<Value>(_ reading: EditorText.Parsed<Value>, at show: (String?) -> Void, _ set: (Value) -> Void)
    {
      switch reading {
      case .value(let value):
        set(value)
        show(nil)
      case .mistake(let text):
        isComplete = false
        show(text)
      }
    }
    func take(_ name: Name, _ read: (String) -> EditorText.Parsed<Duration>, _ set: (Duration) -> Void) {
      guard let row = rows[name], row.widget.isVisible else { return }
      take(read(row.text), at: row.show(mistake:), set)
    }
    take(WorkoutForm.exercises(exercises.text), at: show(mistake:)) { plan.exercises = $0 }
    showChoices(plan.exercises)
    plan.rounds = rounds.value
    rows[.betweenRounds]?.widget.isVisible = plan.rounds > 1
    rows[.longer]?.widget.isVisible = longerAfter.selected > 0
    take(EditorText.title(title.text), at: { title.setAccessibleInvalid($0 != nil) }) { plan.title = $0 }
    take(.work, EditorText.duration) { plan.work = $0 }
    take(.rest, WorkoutForm.pause) { plan.rest = $0 }
    if rows[.betweenRounds]?.text.isEmpty == false {
      take(.betweenRounds, WorkoutForm.pause) { plan.restBetweenRounds = $0 }
    } else {
      rows[.betweenRounds]?.show(mistake: nil)
    }
    take(.longer, EditorText.duration) { plan.longerRest = (longerAfter.selected, $0) }
    take(.ready, WorkoutForm.pause) { plan.getReady = $0 }
    let timeline = isComplete && !plan.exercises.isEmpty ? WorkoutForm.timeline(plan) : nil
    create.isSensitive = timeline != nil
    if let timeline {
      let length = SequenceLength(timeline)
      summary.text = "\(length.timeText(LengthText.format)) · \(length.stepsText)"
      return plan
    }
    let isEmpty = exercises.text.allSatisfy(\.isWhitespace)
    summary.text = isEmpty ? translated("Write your exercises") : ""
    return nil
  }

  private func show(mistake text: String?) {
    example.isVisible = exercises.text.isEmpty
    exercisesMistake.text = text ?? ""
    exercisesMistake.isVisible = text != nil
    exercises.set(class: "error", text != nil)
    exercises.setAccessibleInvalid(text != nil)
    exercises.setAccessibleDescription(
      text ?? translated("A line can end with a length, such as Plank 1 min"))
  }

  /// Offers all exercises but the last, which the end of the round follows.
  private func showChoices(_ exercises: [WorkoutPlan.Exercise]) {
    let names = [translated("None")] + exercises.dropLast().map { TextSafety.sanitised($0.title) }
    guard names != longerAfter.choices, exercises.count > 0 || self.exercises.text.isEmpty else { return }
    let selected = longerAfter.selected
    isSetting = true
    longerAfter.setChoices(names)
    longerAfter.selected = selected < names.count ? selected : 0
    isSetting = false
  }

  /// Reads exercises, one in each line, as the field of the quick timer reads a timer.
  static func exercises(_ text: String) -> EditorText.Parsed<[WorkoutPlan.Exercise]> {
    var exercises: [WorkoutPlan.Exercise] = []
    for line in EditorText.titles(text) {
      if case .mistake(let mistake) = EditorText.title(line) { return .mistake(mistake) }
      do throws(Problem) {
        let card = try CardSpec.card(line)
        exercises.append(.init(title: card.title, length: card.timing.duration))
      } catch {
        // The number before "10 burpees" counts them.
        guard line.first?.isNumber == true, line.last?.isNumber != true, line.contains(" "),
          case .mistake = EditorText.duration(line)
        else {
          return .mistake(Message.sentences(error))
        }
        exercises.append(.init(title: line))
      }
    }
    return .value(exercises)
  }

  /// The timeline of a workout; `nil` if it can't run, for example with too many steps.
  private static func timeline(_ plan: WorkoutPlan) -> Timeline? {
    do throws(TimelineError) { return try Timeline(plan.sequence) } catch { return nil }
  }

  /// Reads a length that may be missing.
  private static func pause(_ text: String) -> EditorText.Parsed<Duration> {
    text.allSatisfy { $0.isWhitespace || $0 == "0" } ? .value(.zero) : EditorText.duration(text)
  }
}

/// A field in a boxed list, with the mistake in it below its name.
private final class FormRow {
  let widget: ActionRow
  private let control: Widget

  init(_ name: String, _ control: Widget) throws(Problem) {
    self.control = control
    widget = try ActionRow.make(name)
    control.setAccessibleName(name)
    control.centerVertically()
    (control as? Entry)?.setWidth(characters: 8)
    widget.addSuffix(control)
    // Tab goes from field to field.
    widget.set("focusable", to: false)
    widget.setActivatable(control)
  }

  var entry: Entry? { control as? Entry }

  var text: String {
    get { entry?.text ?? "" }
    set { entry?.text = newValue }
  }

  func setPlaceholder(_ text: String) { entry?.setPlaceholder(text) }

  func show(mistake text: String?) {
    widget.setSubtitle(text)
    control.set(class: "error", text != nil)
    control.setAccessibleInvalid(text != nil)
    control.setAccessibleDescription(text ?? "")
  }
}
