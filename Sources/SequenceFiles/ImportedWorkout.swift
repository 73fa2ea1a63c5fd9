package import SequencePlatform

/// The answer of `sequence-agent --import`.
package enum ImportAnswer: Codable, Sendable {
  case imported(ImportedWorkout)
  case refused(ImportError)
}

package struct ImportedWorkout: Codable, Equatable, Sendable {
  package let format: WorkoutFormat
  package let text: String
  package let report: ImportReport

  package init(format: WorkoutFormat, text: String, report: ImportReport) {
    self.format = format
    self.text = text
    self.report = report
  }
}

/// The parts of a file that a sequence can't contain as they were, counted by kind.
package struct ImportReport: Codable, Equatable, Sendable {
  /// The kinds that are missing from the sequence, in order of first occurrence.
  package private(set) var dropped: [Entry] = []
  /// The kinds that were converted to something else, in order of first occurrence.
  package private(set) var changed: [Entry] = []
  /// The lines that become comments of the sequence file.
  package var comments: [String] = []

  package struct Entry: Codable, Equatable, Sendable {
    package let what: LocalizedText
    package fileprivate(set) var count: Int

    fileprivate func line(_ verb: LocalizedText) -> LocalizedText { "\(verb): \(what) (\(count))" }
  }

  /// The largest number of distinct kinds; only a file made for this purpose has more.
  private static let mostKinds = 100

  private enum CodingKeys: CodingKey { case dropped, changed }

  package init() {}

  package mutating func drop(_ what: LocalizedText, count: Int = 1) {
    ImportReport.add(what, count, to: &dropped)
  }

  package mutating func change(_ what: LocalizedText, count: Int = 1) {
    ImportReport.add(what, count, to: &changed)
  }

  package var lines: [LocalizedText] {
    dropped.map { $0.line(LocalizedText("dropped")) } + changed.map { $0.line(LocalizedText("changed")) }
  }

  private static func add(_ what: LocalizedText, _ count: Int, to entries: inout [Entry]) {
    guard count > 0 else { return }
    let what =
      entries.count < mostKinds || entries.contains { $0.what == what } ? what : LocalizedText("other things")
    if let index = entries.firstIndex(where: { $0.what == what }) {
      entries[index].count += count
    } else {
      entries.append(Entry(what: what, count: count))
    }
  }
}

package struct ImportError: ExplainedError, Codable, Equatable, Sendable {
  package let problem: Problem
  /// The line of the problem, from 1; `nil` if it concerns no single line.
  package let line: Int?
  /// Whether reading the file failed, rather than converting it.
  package let isUnreadable: Bool

  package init(
    _ text: LocalizedText, remedy: LocalizedText? = nil, line: Int? = nil, isUnreadable: Bool = false
  ) {
    (problem, self.line, self.isUnreadable) = (Problem(text, remedy: remedy), line, isUnreadable)
  }

  /// Creates an error from a library's message, which may quote the file.
  package init(_ what: LocalizedText, because reason: String, line: Int? = nil) {
    self.init("\(what): \(TextSafety.sanitised(String(reason.unicodeScalars.prefix(300))))", line: line)
  }

  package var description: String { line.map { "\($0): \(problem)" } ?? "\(problem)" }

  package func problem(inFile name: String) -> Problem {
    Problem("\(line.map { "\(name):\($0)" } ?? name): \(problem.text)", remedy: problem.remedy)
  }
}

/// A format of files of other programs that can be imported.
package enum WorkoutFormat: String, CaseIterable, Sendable, Codable {
  case zwo
  /// A CompuTrainer course of times and watts.
  case erg
  /// A CompuTrainer course of times and percentages of the threshold power.
  case mrc
  /// A configuration of uair, a Pomodoro timer.
  case uair
  /// A workout from the web service of Garmin Connect.
  case garmin
  case cooklang
  /// A workout of Just Another Workout Timer.
  case jawt

  /// The name of the format in a sentence, and the extension of its files; `nil` if the extension stands for several.
  private var traits: (title: LocalizedText, fileExtension: String?) {
    switch self {
    case .zwo: (LocalizedText("a Zwift workout"), "zwo")
    case .erg: (LocalizedText("an ERG course"), "erg")
    case .mrc: (LocalizedText("an MRC course"), "mrc")
    case .uair: (LocalizedText("a uair configuration"), "toml")
    case .garmin: (LocalizedText("a Garmin workout"), nil)
    case .cooklang: (LocalizedText("a Cooklang recipe"), "cook")
    case .jawt: (LocalizedText("a workout of Just Another Workout Timer"), nil)
    }
  }

  /// Returns the format of a file by its extension; `nil` if the extension stands for none, or for several.
  package init?(ofFileNamed name: String) {
    let fileExtension = WorkoutFormat.fileExtension(of: name)
    guard let format = WorkoutFormat.allCases.first(where: { $0.traits.fileExtension == fileExtension })
    else { return nil }
    self = format
  }

  /// Returns the extension of a file's name in lower case; empty without one.
  package static func fileExtension(of name: String) -> String {
    let file = pathParts(name).last ?? ""
    guard let dot = file.lastIndex(of: ".") else { return "" }
    return file[file.index(after: dot)...].lowercased()
  }

  /// The name of the format in a sentence, such as `a Zwift workout`.
  package var titleWithArticle: LocalizedText { traits.title }

  package var title: String {
    traits.title.description.split(separator: " ").dropFirst().joined(separator: " ")
  }

  package static var titles: LocalizedText { alternatives(allCases.map(\.titleWithArticle)) }

  package static var list: LocalizedText { alternatives(allCases.map(\.rawValue)) }
}
