import Platform
import Presentation
import SequenceClient
import SequenceFiles
import SequenceRunner

/// `check`: whether a file is right, and what will run.
enum CheckCommand {
  static let command = Command(
    "check", "validate a sequence file, and show its steps", argument: SequenceArguments.file,
    options: SequenceArguments.options + [Flag.json], discussion: SequenceArguments.discussion,
    perform: perform)

  private static func perform(_ arguments: ParsedArguments, _ context: CommandContext) throws -> ExitStatus {
    let source = try SequenceArguments.source(arguments, context)
    for remark in source.remarks {
      let place = "\(source.name):\(remark.position.line):\(remark.position.column)"
      context.printError("sequence: \(TextSafety.sanitised(place)): \(remark.text)")
    }
    if arguments.has(.json) {
      try context.print(JSONText.encode(CheckDocument(source.timeline)))
    } else {
      try context.print(lines(source.timeline).joined(separator: "\n"))
    }
    return .done
  }

  private static func lines(_ timeline: Timeline) -> [String] {
    var isStartKnown = true
    var lines = [TextSafety.sanitised(timeline.definition.title)]
    let width = String(timeline.count).count
    for index in 0..<timeline.count {
      let step = timeline.step(at: index)
      let number = String(repeating: " ", count: width - String(index + 1).count) + String(index + 1)
      let start = isStartKnown ? ClockText.elapsed(timeline.duration(of: 0..<index)) : "?"
      let what = [TextSafety.sanitised(step.card.title), StepText.length(step.card)] + StepText.rounds(step)
      lines.append("\(number)  \(padded(start, 8))  \(what.joined(separator: ", "))")
      if !step.card.timing.endsByItself { isStartKnown = false }
    }
    let countdowns = DurationText.format(timeline.duration(of: 0..<timeline.count))
    let total = isStartKnown ? countdowns : "\(countdowns) of countdowns, and what you take besides"
    return lines + ["\(StepText.count(timeline.count)), \(total)"]
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }
}
