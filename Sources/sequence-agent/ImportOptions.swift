import SequencePlatform
import SequenceFiles
import SequenceRunner
import SequenceImport

/// The options from the command line, which `sequence import` passes on.
struct ImportOptions {
  /// The file to read; `-` is standard input.
  private(set) var input = ""
  /// The format of the file; `nil` to detect it.
  private(set) var format: WorkoutFormat?
  /// The file to write; `nil` for standard output.
  private(set) var output: String?
  /// Whether to overwrite an existing file.
  private(set) var isForced = false
  /// Whether the report is JSON on standard output.
  private(set) var isJSON = false

  init(_ words: [String]) throws(ImportFailure) {
    var rest = words[...]
    var inputs: [String] = []
    while let word = rest.popFirst() {
      switch word {
      case "--format": format = try ImportOptions.format(try ImportOptions.value(of: word, &rest))
      case "--output": output = try ImportOptions.value(of: word, &rest)
      case "--force": isForced = true
      case "--json": isJSON = true
      case "--":
        inputs += rest
        rest = []
      default: inputs.append(word)
      }
    }
    guard let input = inputs.first, inputs.count == 1 else {
      throw ImportFailure(
        "usage: sequence-agent --import [--format FORMAT] [--output FILE [--force] [--json]] -- FILE", .usage)
    }
    self.input = input
    if output == "-" { output = nil }
    guard output != nil || !isJSON else {
      throw ImportFailure("--json needs --output", remedy: "add --output FILE", .usage)
    }
  }

  private static func value(
    of option: String, _ rest: inout ArraySlice<String>
  ) throws(ImportFailure) -> String {
    guard let value = rest.popFirst(), !value.isEmpty else {
      throw ImportFailure("\(option) needs a value", remedy: "see sequence help import", .usage)
    }
    return value
  }

  private static func format(_ name: String) throws(ImportFailure) -> WorkoutFormat {
    guard let format = WorkoutFormat(rawValue: name) else {
      throw ImportFailure(
        "unknown format \(quoted(name))", remedy: "use \(WorkoutFormat.list)", .usage)
    }
    return format
  }
}
