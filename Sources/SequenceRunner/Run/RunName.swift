package import FoundationEssentials
package import SequencePlatform
import SequenceStore

/// How a run was started.
package enum RunSource: String, Hashable, Sendable {
  /// From a sequence: a file, an import, or a sequence of a program.
  case file
  /// As a timer, which is never in the way of a sequence.
  case timer
  /// From cards of a command line.
  case cards

  /// Returns the id under which the history and statistics add up the runs of a sequence.
  ///
  /// The id of a timer or a run of cards depends on the names of other active runs, so its source and title count.
  package func historyID(of sequence: SequenceDefinition) -> UUID {
    self == .file ? sequence.id : DerivedID.sequence(source: self, name: sequence.title)
  }
}

/// The names of active runs, and the labels of runs, which people type.
///
/// A name or a label has lower-case letters and digits of any script, with single hyphens between its words.
package enum RunName {
  /// The largest number of Unicode scalars of a name that is made from a title.
  package static let longest = 24

  /// Returns the name for a title, even if a run has it already.
  ///
  /// - Returns: `run` for a title without letters and digits.
  package static func name(for title: String) -> String {
    var name = String.UnicodeScalarView()
    var isBetweenWords = false
    for scalar in title.lowercased().unicodeScalars {
      guard isInWord(scalar, after: name.last, isBetweenWords) else {
        isBetweenWords = true
        continue
      }
      if isBetweenWords, !name.isEmpty {
        guard name.count + 1 < longest else { break }
        name.append("-")
      }
      isBetweenWords = false
      guard name.count < longest else { break }
      name.append(scalar)
    }
    return name.isEmpty ? "run" : String(name)
  }

  /// Whether a run can have a name.
  package static func isValid(_ name: String) -> Bool { name == RunName.name(for: name) }

  /// The answer to a word that can't be a label.
  package static func problem(ofLabel word: String) -> Problem {
    let example = word.contains { $0.isLetter || $0.isNumber } ? name(for: word) : "client-a"
    return Problem("\(quoted(word)) cannot be a label", remedy: "write it like \(example)")
  }

  /// Returns the name for a title that no other run has, with a number at its end if needed.
  ///
  /// - Complexity: O(runs²), for at most `SequenceLimits.mostRuns` of them.
  static func free(for title: String, taken: [String]) -> String {
    let name = name(for: title)
    var (free, number) = (name, 2)
    while taken.contains(free) {
      free = "\(name)-\(number)"
      number += 1
    }
    return free
  }

  /// A mark belongs to the letter before it.
  private static func isInWord(
    _ scalar: Unicode.Scalar, after last: Unicode.Scalar?, _ isBetweenWords: Bool
  ) -> Bool {
    switch scalar.properties.generalCategory {
    case .lowercaseLetter, .uppercaseLetter, .titlecaseLetter, .otherLetter, .modifierLetter, .decimalNumber:
      true
    case .nonspacingMark, .spacingMark: last != nil && !isBetweenWords
    default: false
    }
  }
}

/// The choices for one run, stored with it.
package struct RunOptions: Hashable, Sendable {
  /// The effect of suspend on the run; `nil` to leave that to the sequence.
  package let suspendPolicy: SuspendPolicy?
  /// The effect of a locked screen on the run; `nil` to leave that to the sequence.
  package let lockPolicy: SuspendPolicy?
  /// Whether sounds are played; `nil` to leave that to the configuration.
  package internal(set) var sound: Bool?
  /// Whether titles are spoken; `nil` to leave that to the configuration.
  package let speech: Bool?
  /// Whether the run rings at its end; `nil` to leave that to the sequence.
  package let rings: Bool?
  /// The labels of the run besides those of its sequence.
  package let labels: [String]

  /// The options without any choice: the sequence and the configuration decide.
  package static let unspecified = RunOptions(suspendPolicy: nil, sound: nil, speech: nil)

  /// Creates the choices for one run.
  package init(
    suspendPolicy: SuspendPolicy?, lockPolicy: SuspendPolicy? = nil, sound: Bool?, speech: Bool?,
    rings: Bool? = nil, labels: [String] = []
  ) {
    self.suspendPolicy = suspendPolicy
    self.lockPolicy = lockPolicy
    self.sound = sound
    self.speech = speech
    self.rings = rings
    self.labels = labels
  }
}

extension RunOptions {
  func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("labels", labels)
      json.member("onLock", lockPolicy?.rawValue)
      json.member("onSuspend", suspendPolicy?.rawValue)
      json.member("rings", rings)
      json.member("sound", sound)
      json.member("speech", speech)
    }
  }

  init(from json: inout JSONReader) throws(JSONReader.Failure) {
    var (policy, lockPolicy) = (SuspendPolicy?.none, SuspendPolicy?.none)
    var (sound, speech, rings, labels) = (Bool?.none, Bool?.none, Bool?.none, [String]())
    try json.object { json, name throws(JSONReader.Failure) in
      switch name {
      case "onSuspend":
        policy = try json.known(SuspendPolicy(rawValue: try json.string()), "policy")
      case "onLock": lockPolicy = try json.known(SuspendPolicy(rawValue: try json.string()), "policy")
      case "sound": sound = try json.boolean()
      case "speech": speech = try json.boolean()
      case "rings": rings = try json.boolean()
      case "labels": labels = try json.strings()
      default: try json.skip()
      }
    }
    guard labels.allSatisfy(RunName.isValid) else { throw json.failure("labels") }
    self.init(
      suspendPolicy: policy, lockPolicy: lockPolicy, sound: sound, speech: speech, rings: rings,
      labels: labels)
  }
}
