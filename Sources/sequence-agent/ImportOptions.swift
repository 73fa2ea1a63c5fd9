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

  private enum Option: String {
    case format = "--format"
    case output = "--output"
    case force = "--force"
    case json = "--json"
  }

  init(_ words: [String]) throws(ImportFailure) {
    var inputs: [String] = []
    let scanner = CommandLineScanner(words) { word in
      Option(rawValue: word).map { ($0, $0 == .format || $0 == .output) }
    }
    for part in scanner {
      switch part {
      case .option(.format, let name):
        guard let named = WorkoutFormat(rawValue: name) else {
          throw ImportFailure("unknown format \(quoted(name))", remedy: "use \(WorkoutFormat.list)", .usage)
        }
        format = named
      case .option(.output, let path) where !path.isEmpty: output = path
      case .option(.force, _): isForced = true
      case .option(.json, _): isJSON = true
      case .argument(let word): inputs.append(word)
      case .option(let option, _), .missingValue(let option):
        throw ImportFailure("\(option.rawValue) needs a value", remedy: "see sequence help import", .usage)
      case .unknownOption(let word), .unexpectedValue(_, let word):
        throw ImportFailure("unknown option \(quoted(word))", remedy: "see sequence help import", .usage)
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
}
