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
    workout = try WorkoutForm(
      interface.object("workout"), interface.object("workout_length"), interface.object("workout_create"))
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

final class WorkoutForm {
  private let title: Entry
  private let exercises: TextView
  private let work: Entry
  private let rest: Entry
  private let ready: Entry
  private let rounds: SpinButton
  private let isLonger: Switch
  private let longerAfter: SpinButton
  private let longer: Entry
  private let summary: Label
  private let create: Button
  private var fields: [Name: Field] = [:]
  var onCreate: (WorkoutPlan) -> Void = { _ in }

  private enum Name: Hashable {
    case title, exercises, work, rest, rounds, isLonger, longerAfter, longer, ready
  }

  init(_ place: Box, _ summary: Label, _ create: Button) throws(Problem) {
    (self.summary, self.create) = (summary, create)
    let isLarge = place.hasLargeText
    title = try Entry.make()
    title.text = WorkoutPlan().title
    exercises = try TextView.make()
    exercises.setPadding(6)
    exercises.setLeast(height: 120)
    exercises.set(class: "note", true)
    work = try Entry.make()
    work.text = "20 s"
    rest = try Entry.make()
    rest.text = "10 s"
    ready = try Entry.make()
    ready.text = "10 s"
    rounds = try SpinButton.make(1...999)
    isLonger = try Switch.make("")
    longerAfter = try SpinButton.make(1...999)
    longer = try Entry.make()
    longer.text = "1 min"
    for (name, text, control) in [
      (Name.title, translated("Title"), title as Widget),
      (.exercises, translated("Exercises, one in each line"), exercises), (.work, translated("Work"), work),
      (.rest, translated("Rest"), rest), (.rounds, translated("Rounds"), rounds),
      (.isLonger, translated("A Longer Rest"), isLonger),
      (.longerAfter, translated("After Exercise"), longerAfter),
      (.longer, translated("Longer Rest"), longer), (.ready, translated("Get Ready"), ready),
    ] {
      let field = try Field(text, control, isLarge: isLarge || name == .exercises)
      fields[name] = field
      place.append(field.widget)
    }
    for entry in [title, work, rest, ready, longer] {
      entry.onChange { [unowned self] in update() }
      entry.onActivate { [unowned self] in finish() }
    }
    exercises.onChange { [unowned self] in
      let count = EditorText.titles(exercises.text).count
      if !isLonger.isOn, count > 1 { longerAfter.value = count / 2 }
      update()
    }
    rounds.onValue { [unowned self] in update() }
    longerAfter.onValue { [unowned self] in update() }
    isLonger.onToggled { [unowned self] in update() }
    create.onClicked { [unowned self] in finish() }
    update()
  }

  func focus() { exercises.grabFocus() }

  private func finish() {
    if let plan = update() { onCreate(plan) }
  }

  /// Shows the length of the workout; if a part is missing, asks for it and returns `nil`.
  @discardableResult
  private func update() -> WorkoutPlan? {
    var plan = WorkoutPlan()
    var isComplete = true
    func take<Value>(_ reading: EditorText.Parsed<Value>, _ name: Name, _ set: (Value) -> Void) {
      switch reading {
      case .value(let value):
        set(value)
        fields[name]?.show(mistake: nil)
      case .mistake(let text):
        isComplete = false
        fields[name]?.show(mistake: text)
      }
    }
    take(EditorText.title(title.text), .title) { plan.title = $0 }
    take(EditorText.duration(work.text), .work) { plan.work = $0 }
    take(WorkoutForm.pause(rest.text), .rest) { plan.rest = $0 }
    take(WorkoutForm.pause(ready.text), .ready) { plan.getReady = $0 }
    for name in [Name.longerAfter, .longer] { fields[name]?.isVisible = isLonger.isOn }
    plan.rounds = rounds.value
    if isLonger.isOn {
      take(EditorText.duration(longer.text), .longer) { plan.longerRest = (longerAfter.value, $0) }
    }
    plan.exercises = EditorText.titles(exercises.text)
    let timeline = isComplete && !plan.exercises.isEmpty ? WorkoutForm.timeline(plan) : nil
    create.isSensitive = timeline != nil
    if let timeline {
      let length = SequenceLength(timeline)
      summary.text = "\(length.timeText(LengthText.format)) · \(length.stepsText)"
      return plan
    }
    summary.text = plan.exercises.isEmpty ? translated("Write your exercises") : ""
    return nil
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
