import SequencePlatform
import SequencePresentation
import SequenceClient
import SequenceFiles
import SequenceRunner

/// The line below the field of the quick timer.
enum QuickTimer {
  /// Returns how a text is understood, such as `“Tea” for 5 min, until 14:35`, or what is missing; `nil` for a blank
  /// text.
  static func line(_ text: String, at now: Moment) -> String? {
    guard text.contains(where: { !$0.isWhitespace }) else { return nil }
    do throws(CardSpecError) {
      let card = try CardSpec.timer(text).card(at: 0)
      let length = card.timing.duration ?? .zero
      return TextSafety.sanitised(
        "“\(card.title)” for \(LengthText.format(length)), until \(EndText.clock(now, after: length))")
    } catch {
      return Explanation(error).sentence
    }
  }
}
