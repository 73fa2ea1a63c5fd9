/// `manual`: prints a manual page; the installation calls it, and help doesn't list it.
enum ManualCommand {
  static func perform(_ words: [String], _ context: CommandContext) throws -> ExitStatus {
    switch words {
    case ["sequence.1"]: try context.print(CommandManual.page)
    case ["sequence.5"]: try context.print(FileManual.page)
    case ["sequence-config.5"]: try context.print(ConfigurationManual.page)
    default:
      throw UsageError("manual needs a page", remedy: "write sequence.1, sequence.5 or sequence-config.5")
    }
    return .done
  }
}
