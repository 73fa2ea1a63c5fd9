import Glibc
import SequenceRunner

/// `status`: where the active run stands, once or whenever that changes.
enum StatusCommand {
  static func perform(_ arguments: ParsedArguments, _ context: CommandContext) throws -> ExitStatus {
    let form = try StatusForm(arguments)
    let store = try context.store(arguments)
    guard arguments.has("follow") else {
      try context.print(try form.line(try store.look()))
      return .done
    }
    let waiter = try StoreWaiter(store)
    var news = StatusNews(form)
    while true {
      let look = try store.look()
      if let line = try news.line(look) { try context.print(line) }
      // Who read along and has seen enough is not left with a program that waits for the next change.
      let gone = try waiter.wait(until: form.nextLook(after: look), orGone: STDOUT_FILENO)
      if gone == [STDOUT_FILENO] { return .done }
    }
  }
}
