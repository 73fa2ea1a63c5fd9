import SequencePlatform
import SequencePresentation
import SequenceClient
import SequenceFiles
import SequenceRunner

enum CheckCommand {
  static let command = Command(
    "check", "validate a file and show its steps and times", argument: SequenceArguments.file,
    options: SequenceArguments.options + [UntilOption.option, Flag.json],
    discussion: [
      """
      Each line has the number of a step, its start after the start of the run, its title and its length. \
      The start is ? after a step without a fixed length.
      """,
      "With --until, the lengths are those of a run that starts now and is to end at that time.",
    ] + SequenceArguments.discussion,
    examples: [
      .init("sequence check pomodoro.yaml", "show the plan of a file"),
      .init("sequence check tabata --rounds 4", "show the plan with 4 rounds"),
      .init("sequence check roast --until 13:00", "show the plan of a run that is to end at 13:00"),
    ], perform: perform)

  private static func perform(_ arguments: ParsedArguments, _ context: CommandContext) throws -> ExitStatus {
    let source = try SequenceArguments.source(arguments, context)
    for remark in source.remarks { context.say(remark.problem(inFile: source.name)) }
    if source.timeline.ignoresSkipLast {
      context.say(Problem("skipLast has no effect in rounds that repeat forever"))
    }
    warnOfSharedID(source, context)
    let timeline = withUsualLengths(source, arguments, context)
    let plan = try UntilOption.moment(arguments, context).map { deadline in
      try PlannedRun(timeline, until: deadline, at: context.clock.now())
    }
    if arguments.has(.json) {
      try context.print(JSONText.encode(CheckDocument(timeline, plan)))
    } else {
      try context.print(lines(timeline, plan).joined(separator: "\n"))
    }
    return .done
  }

  private static func withUsualLengths(
    _ source: SequenceSource, _ arguments: ParsedArguments, _ context: CommandContext
  ) -> Timeline {
    guard source.timeline.firstStop(from: 0) != nil else { return source.timeline }
    do {
      return try context.reader(arguments)?.withUsualLengths(source.timeline, source: source.source)
        ?? source.timeline
    } catch {
      // The plan of the file is right.
      context.say(Failure(error))
      return source.timeline
    }
  }

  private static func warnOfSharedID(_ source: SequenceSource, _ context: CommandContext) {
    guard let path = source.path, FileKind(of: path) == .file else { return }
    do {
      guard let library = SequenceLibrary(environment: context.environment) else { return }
      let others = try ListedSequence.all(of: library).sharingID(
        source.timeline.definition.id, besides: path)
      if !others.isEmpty {
        context.say(ListedSequence.sharedID(of: [ListedSequence.name(ofFileAt: path)] + others.map(\.name)))
      }
    } catch {
      // The plan of the file is right.
      context.say(explained(error))
    }
  }

  private static func lines(_ timeline: Timeline, _ plan: PlannedRun?) -> [String] {
    var unfixed = 0
    var lines = [TextSafety.sanitised(timeline.definition.title)]
    let width = String(timeline.listedCount).count
    for index in 0..<timeline.listedCount {
      let step = plan?.step(at: index) ?? timeline.step(at: index)
      let number = String(repeating: " ", count: width - String(index + 1).count) + String(index + 1)
      let time = plan?.start(ofStepAt: index) ?? timeline.duration(of: 0..<index)
      let start = unfixed == 0 ? ClockText.elapsed(time) : "?"
      let length = plan == nil ? StepText.length(step) : StepText.length(step, DurationText.shown)
      let parts =
        [TextSafety.isolated(step.card.title), length]
        + (timeline.usualLength(of: step.card).map { [translated("usually {}", DurationText.shown($0))] }
          ?? [])
        + StepText.rounds(step) + (step.card.isRest ? [translated("rest")] : [])
      lines.append("\(number)  \(padded(start, 8))  \(parts.joined(separator: ", "))")
      if !step.timing.endsByItself { unfixed += 1 }
    }
    let end = plan.map { ", \($0.end)" } ?? ""
    let sum = "\(StepText.count(timeline.listedCount)), \(length(timeline, plan, unfixed: unfixed))\(end)"
    return lines + [sum + (timeline.firstEndlessRound.map { "; " + repetition($0) } ?? "")]
  }

  private static func repetition(_ round: Range<Int>) -> String {
    round.count == 1
      ? translated("step {} repeats until you stop the run", String(round.upperBound))
      : translated(
        "steps {first} to {last} repeat until you stop the run",
        ["first": String(round.lowerBound + 1), "last": String(round.upperBound)])
  }

  /// The length of the listed steps, such as `at least 5m50s (1 step has no fixed length)`.
  ///
  /// - Parameter unfixed: the number of steps that end only when the user completes them.
  private static func length(_ timeline: Timeline, _ plan: PlannedRun?, unfixed: Int) -> String {
    let all = timeline.duration(of: 0..<timeline.listedCount)
    let countdowns = DurationText.shown(
      plan.map { unfixed == 0 ? $0.start(ofStepAt: timeline.end) : all } ?? all)
    guard unfixed > 0 else { return countdowns }
    if timeline.hasEstimates, timeline.count != nil {
      return translated(
        "about {}", DurationText.shown(plan?.length ?? timeline.planned(of: 0..<timeline.listedCount)))
    }
    guard all > .zero else { return translated("no fixed length") }
    return plural(
      "at least {length} (1 step has no fixed length)", "at least {length} ({} steps have no fixed length)",
      count: unfixed, ["length": countdowns])
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }
}
