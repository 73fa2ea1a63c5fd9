/// How a run was started.
@nonexhaustive
public enum RunSource: String, Hashable, Sendable, Encodable {
  /// From a sequence: a file, an import, or a sequence of a program.
  case file
  /// As a timer, which is never in the way of a sequence.
  case timer
  /// From cards of a command line.
  case cards
}

/// The names of active runs, which people type.
///
/// A name has lower-case letters and digits of any script, with single hyphens between its words.
public enum RunName {
  /// The largest number of Unicode scalars of a name that is made from a title.
  public static let longest = 24

  /// Returns the name for a title, even if a run has it already.
  ///
  /// - Returns: `run` for a title without letters and digits.
  public static func name(for title: String) -> String {
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
  public static func isValid(_ name: String) -> Bool { name == RunName.name(for: name) }

  /// Returns the name for a title that no other run has, with a number at its end if needed.
  ///
  /// - Complexity: O(runs²), for at most ``SequenceLimits/mostRuns`` of them.
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
