import SequenceFiles
import SequenceRunner

/// A sequence of the library, or what is wrong with its file.
struct ListedSequence {
  let name: String
  let path: String
  let content: SequenceDefinition?
  /// What is wrong with it; `nil` if nothing is.
  let mistake: String?
  /// How many steps it has, and how long its countdowns take together.
  let length: SequenceLength?

  init(_ entry: SequenceLibrary.Entry) {
    name = entry.name
    path = entry.files[0]
    switch Result(catching: { try ListedSequence.read(entry) }) {
    case .success(let parsed):
      content = parsed.definition
      length = SequenceLength(parsed.timeline)
      mistake = nil
    case .failure(let error):
      content = nil
      length = nil
      mistake = Failure(error).description
    }
  }

  private static func read(_ entry: SequenceLibrary.Entry) throws -> ParsedSequence {
    let file = try SequenceLookup.file(of: entry)
    try SequenceLookup.requireName(entry)
    return try SequenceSource.read(file, as: file)
  }

  var stepsText: String { length?.stepsText ?? "" }
  var lengthText: String { length?.timeText ?? "" }
}
