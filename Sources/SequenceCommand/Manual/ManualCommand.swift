/// `manual`: the pages of the manual, which are made when the program is installed; no command for people.
enum ManualCommand {
  static func perform(_ words: [String], _ context: CommandContext) throws -> ExitStatus {
    switch words {
    case ["1"]: try context.print(CommandManual.page)
    case ["5"]: try context.print(FileManual.page)
    default: throw UsageError("manual needs 1 or 5, the section of the manual")
    }
    return .done
  }
}
