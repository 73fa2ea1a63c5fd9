import SequencePlatform
package import SequenceFiles
package import SequenceRunner

/// A sequence to start: from a file, from the library, or from single cards, with the choices of the user.
package struct SequenceSource {
  package let timeline: Timeline
  package let source: RunSource
  package let remarks: [ParsedSequence.Remark]
  package let name: String
  package let path: String?

  /// - Parameters:
  ///   - word: a path, the name of a sequence in the library, or `-` for standard input.
  ///   - rounds: the rounds of the one group of the sequence, or of all its cards if it has no group; `nil` for those
  ///     of the file.
  ///   - without: titles and ids of the cards to leave out.
  package init(
    _ word: String, rounds: Rounds? = nil, without: [String] = [], _ context: ClientContext
  ) throws {
    path = word == "-" ? nil : try context.sequencePath(word)
    name = path ?? "standard input"
    let parsed = try SequenceSource.read(path ?? word, as: name)
    timeline = try SequenceSource.chosen(parsed.timeline, rounds: rounds, without: without)
    source = .file
    remarks = parsed.remarks
  }

  /// Creates a sequence of cards such as `Work 20s`.
  package init(cards: [String], rounds: Rounds = 1, title: String? = nil) throws(Problem) {
    timeline = try CardSpec.sequence(cards: cards, rounds: rounds, title: title)
    source = .cards
    remarks = []
    name = "--card"
    path = nil
  }

  /// - Parameter name: the name of the file in messages.
  package static func read(_ path: String, as name: String) throws(ClientError) -> ParsedSequence {
    do throws(SequenceFileError) {
      return try SequenceFile.read(path: path)
    } catch {
      if !error.isUnreadable, let format = WorkoutFormat(ofFileNamed: path) {
        throw .importable(name: name, path: path, format: format.titleWithArticle)
      }
      throw .file(error, name: name)
    }
  }

  /// Refuses a pipe, a socket or a device, for a face that must not block.
  package static func requireRegular(_ path: String) throws(ClientError) {
    do throws(SequenceFileError) { try SequenceFile.requireRegular(path) } catch {
      throw .file(error, name: path)
    }
  }

  private static func chosen(_ timeline: Timeline, rounds: Rounds?, without: [String]) throws -> Timeline {
    guard rounds != nil || !without.isEmpty else { return timeline }
    let definition = timeline.definition
    do {
      // The rounds come first: whether they are ambiguous doesn't depend on the cards that are left out.
      let repeated = try rounds.map { try definition.with(rounds: $0) } ?? definition
      return try Timeline(without.isEmpty ? repeated : repeated.without(without))
    } catch TimelineError.noSteps where without.isEmpty {
      throw ClientError.noStepsInOneRound(sequence: definition.title)
    } catch TimelineError.noSteps {
      throw SequenceChoiceError.nothingLeft(sequence: definition.title)
    }
  }
}
