import CSequenceLinux
package import FoundationEssentials
import Glibc
package import SequenceFiles
import SequencePlatform
import SequencePresentation
package import SequenceRunner

package struct ListedSequence {
  package let name: String
  package let path: String
  package let content: SequenceDefinition?
  package let mistake: Problem?
  package let length: SequenceLength?

  package init(_ entry: SequenceLibrary.Entry) {
    self.init(name: entry.name, path: entry.files[0]) {
      _ = try SequenceLookup.file(of: entry)
      try SequenceLookup.requireName(entry)
    }
  }

  /// The file may be outside the library; a pipe is a mistake, because reading it could block.
  package init(file path: String) {
    self.init(name: ListedSequence.name(ofFileAt: path), path: path) {
      try SequenceSource.requireRegular(path)
    }
  }

  package static func name(ofFileAt path: String) -> String {
    let file = pathParts(path).last ?? path
    return SequenceLibrary.name(ofFile: file) ?? file
  }

  private init(name: String, path file: String, check: () throws -> Void) {
    self.name = name
    path = file
    do {
      try check()
      let parsed = try SequenceSource.read(file, as: file)
      content = parsed.definition
      length = SequenceLength(parsed.timeline)
      mistake = nil
    } catch {
      content = nil
      length = nil
      mistake = explained(error)
    }
  }
}

extension ListedSequence {
  /// The mistake in the file with its line and column; `nil` if there is none.
  ///
  /// The name of the file is enough: the library has only one directory.
  package var mistakeText: String? {
    guard let mistake, let slash = path.unicodeScalars.lastIndex(of: "/") else { return nil }
    return TextSafety.sanitised(
      mistake.description.replacing(String(path.unicodeScalars[...slash]), with: ""))
  }

  /// Whether a run of the sequence is active, and whether the file was saved with other content since it was started.
  package func isRunning(_ runs: [ActiveRunSnapshot]) -> (isRunning: Bool, isChanged: Bool) {
    guard let content, let run = runs.first(where: { $0.sequence.id == content.id }) else {
      return (false, false)
    }
    return (true, content != run.sequence && ListedSequence.isSaved(path, after: run.startedAt))
  }
}

extension [ListedSequence] {
  /// The sequences whose title or name contains every word of a text.
  package func matching(_ text: String) -> [ListedSequence] {
    let words = text.lowercased().split(whereSeparator: \.isWhitespace)
    return filter { sequence in
      let names = "\(sequence.content?.title ?? "") \(sequence.name)".lowercased()
      return words.allSatisfy { names.contains($0) }
    }
  }

  /// The other sequences with the id of this one, which count as the same: they share their history, and only one of
  /// them can run at a time.
  package func sharingID(with sequence: ListedSequence) -> [ListedSequence] {
    sequence.content.map { sharingID($0.id, besides: sequence.path) } ?? []
  }

  package func sharingID(_ id: UUID, besides path: String) -> [ListedSequence] {
    filter {
      $0.content?.id == id && $0.path != path
        && ListedSequence.place(of: $0.path) != ListedSequence.place(of: path)
    }
  }

  /// A warning of each id that several sequences have.
  ///
  /// - Complexity: O(count²).
  package var sharedIDs: [Problem] {
    enumerated().compactMap { place, sequence in
      let others = sharingID(with: sequence)
      // The first one speaks for all.
      let isFirst = !prefix(place).contains { $0.content?.id == sequence.content?.id }
      guard !others.isEmpty, isFirst else { return nil }
      return ListedSequence.sharedID(of: ([sequence] + others).map(\.name))
    }
  }
}

extension ListedSequence {
  package static func sharedID(of names: [String]) -> Problem {
    Problem(
      "\(TextSafety.sanitised(names.joined(separator: ", "))) have the same ID, so they count as one sequence",
      remedy: "give them different titles, or an id: each")
  }

  /// Finds the file of a run's sequence that was saved with other content after the start of the run.
  ///
  /// - Complexity: O(files); reads only those that were saved after the start.
  package static func changedFile(
    of run: ActiveRunSnapshot, in library: SequenceLibrary
  ) throws -> String? {
    try library.entries().lazy.filter { isSaved($0.files[0], after: run.startedAt) }
      .map(ListedSequence.init).first { $0.isRunning([run]).isChanged }?.path
  }

  /// The path of a file without links and relative parts; the path itself if the file is gone.
  fileprivate static func place(of path: String) -> String {
    guard let found = unsafe realpath(path, nil) else { return path }
    defer { unsafe free(found) }
    return unsafe String(cString: found)
  }

  /// Whether a file was saved after a moment; `false` for a file that can't be read.
  fileprivate static func isSaved(_ path: String, after moment: Moment) -> Bool {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return false }
    return Moment(seconds: status.st_mtim.tv_sec, nanoseconds: status.st_mtim.tv_nsec) > moment
  }

  /// The sequences in the order of their names.
  ///
  /// - Complexity: O(size of all files).
  package static func all(of library: SequenceLibrary) throws -> [ListedSequence] {
    try library.entries().map(ListedSequence.init)
  }
}

package struct SequenceLength: Equatable {
  package let steps: Int?
  /// The number of steps with one round of an endless group.
  private let listed: Int
  /// The time of all countdowns, with one round of an endless group.
  package let countdowns: Duration
  /// Whether no card is a count-up or waits for the user.
  private let endsByItself: Bool
  /// The length with the time that the user takes; `nil` if that is not known.
  private let planned: Duration?

  package init(_ timeline: Timeline) {
    steps = timeline.count
    listed = timeline.listedCount
    countdowns = timeline.duration(of: 0..<listed)
    endsByItself = timeline.firstStop(from: 0) == nil
    planned = timeline.hasEstimates ? timeline.planned(of: 0..<listed) : nil
  }

  /// The length from the first to the last step; `nil` if it is endless or depends on the user.
  package var duration: Duration? { steps != nil && endsByItself ? countdowns : nil }

  package var stepsText: String { StepText.count(listed) }
  package var timeText: String { timeText(DurationText.format) }

  package func timeText(_ format: (Duration) -> String) -> String {
    if let duration { return format(duration) }
    if steps == nil { return translated("endless") }
    if let planned { return translated("about {}", format(planned)) }
    return countdowns == .zero ? translated("no fixed length") : translated("at least {}", format(countdowns))
  }
}
