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
