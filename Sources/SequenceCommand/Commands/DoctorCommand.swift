import SequenceClient
import SequencePlatform
import SequenceStore

enum DoctorCommand {
  static let command = Command(
    "doctor", "find problems and suggest fixes", options: [notify, sound, repair, Flag.json],
    discussion: [
      "Without --repair it changes nothing and starts nothing; only --notify may start a notification server.",
      "--sound plays one sound: a name of the sound theme, or the path of a file.",
      """
      Exit status: 0 without errors, 74 if the store cannot be used, 69 if anything else that is needed is \
      missing or does not respond.
      """,
    ],
    examples: [
      .init("sequence doctor", "check everything that Sequence needs"),
      .init("sequence doctor --notify", "find out why no notification appears"),
      .init("sequence doctor --sound bell", "hear a sound before you choose it"),
    ], perform: perform)

  private static let notify = Flag("notify", "also show a test notification")
  private static let repair = Flag(
    "repair", "keep a damaged store aside, and recover what is readable")
  private static let sound = Option<String>("sound", "NAME", "also play this sound") {
    text throws(Failure) in
    guard !text.isEmpty else {
      throw Failure(usage: "--sound needs a name or a path", remedy: "write it like --sound bell")
    }
    // The program that plays it knows no working directory of ours.
    return text.unicodeScalars.contains("/") ? absolutePath(text) : text
  }

  private static func perform(_ arguments: ParsedArguments, _ context: CommandContext) throws -> ExitStatus {
    let directory = try context.directory(arguments)
    if arguments.has(repair), directory.hasStore {
      do {
        try context.client(arguments).repair()
      } catch {
        context.say(Failure(error))
      }
    }
    let doctor = Doctor(
      environment: context.environment, clock: context.clock, agentProgram: context.agentProgram,
      installation: context.agentInstallation)
    let findings = doctor.findings(directory, notifying: arguments.has(notify), playing: try arguments[sound])
    if arguments.has(.json) {
      try context.print(JSONText.encode(DoctorDocument(checks: findings)))
    } else {
      let isASCII = DisplayStyle.detect(environment: context.environment).glyphs == .ascii
      for finding in findings {
        for line in finding.lines(arrow: isASCII ? "->" : "→") { try context.print(line) }
      }
    }
    let errors = findings.filter { $0.state == .error }
    guard !errors.contains(where: { $0.check == .store }) else { return .inputOutput }
    return errors.isEmpty ? .done : .unavailable
  }
}

private struct DoctorDocument: Encodable {
  let schema = JSONText.schema
  let checks: [Finding]
}
