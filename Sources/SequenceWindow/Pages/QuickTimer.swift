import Platform
import SequenceFiles
import SequenceRunner

/// The field of the quick timer: `5m`, `Tea 5m` or `5m Tea`.
enum QuickTimer {
  /// The sequence that a text means.
  ///
  /// - Throws: `QuickTimerError`; `CardSpecError`.
  static func timeline(_ text: String) throws -> Timeline {
    let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
    guard let first = words.first, let last = words.last else { throw QuickTimerError.empty }
    let (rest, duration): ([String], String)
    if isDuration(last) {
      (rest, duration) = (words.dropLast(), last)
    } else if isDuration(first) {
      (rest, duration) = (Array(words.dropFirst()), first)
    } else if looksLikeDuration(last) || words.count == 1 && looksLikeDuration(first) {
      (rest, duration) = (words.dropLast(), last)
    } else {
      throw QuickTimerError.noDuration(text)
    }
    return try CardSpec.timer(duration, title: rest.joined(separator: " "))
  }

  private static func isDuration(_ word: String) -> Bool {
    // The text is parsed once more where a mistake in it is explained.
    (try? DurationText.parse(word)) != nil
  }

  private static func looksLikeDuration(_ word: String) -> Bool { word.first?.isNumber == true }
}

/// A text that isn't a quick timer.
enum QuickTimerError: ExplainedError, Equatable {
  case empty
  case noDuration(String)

  var problem: String {
    switch self {
    case .empty: "There is no duration"
    case .noDuration(let text): "\(quote(text)) has no duration"
    }
  }

  var remedy: String? { "write it like 5m, 1h30m or Tea 5m" }
}
