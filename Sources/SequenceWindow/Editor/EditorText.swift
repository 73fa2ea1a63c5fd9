import SequencePlatform
import SequenceRunner

/// Texts that a person writes into a field, as values, or the mistake in them.
enum EditorText {
  /// A value, or the mistake in the text.
  enum Reading<Value: Equatable>: Equatable {
    case value(Value)
    case mistake(String)
  }

  /// Reads a length, such as `20 s`, `1:30` or `1h30m`; a number alone is in seconds, as in the file.
  static func duration(_ text: String) -> Reading<Duration> {
    let text = trimmed(text.replacing("\u{A0}", with: " "))
    guard !text.isEmpty else { return .mistake(translated("Write a length")) }
    do throws(DurationTextError) {
      return .value(try DurationText.parse(text))
    } catch {
      switch error {
      case .zero, .negative: return .mistake(translated("Longer than zero"))
      case .tooLong, .infinite: return .mistake(translated("At most 30 days"))
      case .notADuration, .noUnit, .comma, .tooFine:
        return .mistake(translated("Write it like 20 s or 1 min 30 s"))
      }
    }
  }

  /// Reads a title.
  static func title(_ text: String) -> Reading<String> {
    let text = trimmed(text)
    guard !text.isEmpty else { return .mistake(translated("Write a title")) }
    return tooLong(text).map { .mistake($0) } ?? .value(text)
  }

  /// Reads a note, which may be empty.
  static func note(_ text: String) -> Reading<String> {
    let text = trimmed(text)
    return tooLong(text).map { .mistake($0) } ?? .value(text)
  }

  /// The titles in lines; empty lines don't count.
  static func titles(_ text: String) -> [String] {
    text.split(whereSeparator: \.isNewline).map { trimmed(String($0)) }.filter { !$0.isEmpty }
  }

  private static func tooLong(_ text: String) -> String? {
    SequenceLimits.isTooLong(text) ? translated("At most {} characters", "1,000") : nil
  }

  private static func trimmed(_ text: String) -> String {
    let start = text.drop(while: \.isWhitespace)
    return String(start.reversed().drop(while: \.isWhitespace).reversed())
  }
}
