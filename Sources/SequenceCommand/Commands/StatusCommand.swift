import Glibc
import Presentation
import SequenceClient
import SequenceRunner

/// `status`: where the active run stands, once or whenever that changes.
enum StatusCommand {
  static let command = Command(
    "status", "say where the active run stands",
    options: [Flag.json, follow, StatusForm.format, StatusForm.bar],
    discussion: [
      "Fields of a template: \(TemplateField.names). {step:20} takes 20 columns, {step:.20} at most 20, {time:>7} stands "
        + "at the right of 7; {next?, then } is there where the field says something; {{ and }} are braces.",
      "With --follow there is a line exactly when what is shown changes. With --bar, --format says what the bar shows; "
        + "without a run it shows nothing.",
    ], perform: perform)

  private static let follow = Flag("follow", "print again whenever what is shown changes")

  private static func perform(_ arguments: ParsedArguments, _ context: CommandContext) throws -> ExitStatus {
    let form = try StatusForm(arguments)
    let client = try context.client(arguments)
    guard arguments.has(follow) else {
      try context.print(try form.line(try client.status()))
      return .done
    }
    let waiter = try StoreWaiter(client.store.base)
    let agent = try AgentWatch(client)
    var news = ChangeFilter(form)
    while true {
      let status = try client.status()
      agent.note(status.run)
      if let line = try news.line(status) { try context.print(line) }
      // Who read along and has seen enough is not left with a program that waits for the next change.
      let ready = try waiter.wait(
        until: [form.nextLook(after: status), agent.nextLook].compactMap { $0 }.min(), or: agent.descriptors,
        orGone: STDOUT_FILENO)
      if ready.contains(STDOUT_FILENO) { return .done }
      try agent.tend(ready)
    }
  }
}
