public import FoundationEssentials
import Platform
public import SequenceRunner
import Store

/// Sequences that are written on the command line, with one text per card such as `Work 20s`.
public enum CardSpec {
  /// Creates a sequence from cards.
  ///
  /// The last word of a card is its countdown. A card whose last word is not a duration is a count-up.
  ///
  /// - Parameters:
  ///   - specs: the cards; at least one.
  ///   - rounds: how often all cards are repeated.
  ///   - title: the title; by default the titles of the cards.
  /// - Throws: `CardSpecError`.
  public static func sequence(
    cards specs: [String], rounds: Rounds = 1, title: String? = nil
  ) throws(CardSpecError) -> Timeline {
    var cards: [(title: String, timing: Timing)] = []
    for spec in specs { cards.append(try card(spec)) }
    let title = title ?? CardSpec.title(of: cards.map(\.title))
    let id = DerivedID.sequence(title: title)
    let elements = cards.enumerated().map { index, card in
      SequenceElement.card(
        Card(
          id: DerivedID.card(sequence: id, place: [index], title: card.title), title: card.title,
          timing: card.timing))
    }
    do throws(TimelineError) {
      let body = rounds == 1 ? elements : [.group(Group(rounds: rounds, elements: elements))]
      return try Timeline(SequenceDefinition(id: id, title: title, elements: body, onSuspend: nil))
    } catch {
      throw CardSpecError(error.problem, remedy: error.remedy)
    }
  }

  /// Creates the sequence of a single countdown.
  ///
  /// - Parameters:
  ///   - duration: the duration, such as `5m`.
  ///   - title: the title; a usual one if it is blank.
  /// - Throws: `CardSpecError`.
  package static func timer(_ duration: String, title: String) throws(CardSpecError) -> Timeline {
    let isBlank = title.allSatisfy(\.isWhitespace)
    return try sequence(cards: ["\(isBlank ? usualTimerTitle : title) \(duration)"])
  }

  private static let usualTimerTitle = "Timer"

  /// Returns the titles of cards as one title, as many characters of it as a title may have.
  private static func title(of titles: [String]) -> String {
    var title = String(titles.joined(separator: ", ").prefix(SequenceLimits.longestTitle))
    while SequenceLimits.isTooLong(title) { title.removeLast() }
    return title
  }

  private static func card(_ spec: String) throws(CardSpecError) -> (title: String, timing: Timing) {
    guard !SequenceLimits.isTooLong(spec) else {
      throw CardSpecError(
        "\(quoted(spec)) has more than \(SequenceLimits.titleLimits)", remedy: "shorten the title")
    }
    if let control = spec.unicodeScalars.first(where: { $0.properties.generalCategory == .control }) {
      throw CardSpecError(
        "\(quoted(spec)) contains the control character \(control.value)", remedy: "remove it")
    }
    let words = spec.split(whereSeparator: \.isWhitespace)
    guard let last = words.last.map(String.init) else {
      throw CardSpecError("a card is empty", remedy: "write it like \"Work 20s\"")
    }
    switch Result(catching: { () throws(DurationTextError) in try DurationText.parse(last) }) {
    case .success(let duration):
      guard words.count > 1 else {
        throw CardSpecError("\(quoted(spec)) has no title", remedy: "write it like \"Work \(last)\"")
      }
      return (words.dropLast().joined(separator: " "), .countdown(duration, advance: .automatic))
    case .failure(let error):
      // A word that begins like a number was meant as a duration, and must not silently become a title.
      let digits = last.hasPrefix("-") || last.hasPrefix("+") ? last.dropFirst() : last[...]
      guard digits.first?.isNumber != true else {
        throw CardSpecError(error.problem(with: quoted(last)), remedy: error.remedy)
      }
      return (words.joined(separator: " "), .countUp(goal: nil))
    }
  }
}

/// The reason why cards on a command line do not form a sequence.
public struct CardSpecError: ExplainedError, LocalizedError, Equatable, Sendable {
  /// The problem, with the word that causes it.
  public let problem: String
  /// The accepted notation; `nil` if the problem is enough.
  public let remedy: String?

  init(_ problem: String, remedy: String? = nil) {
    self.problem = problem
    self.remedy = remedy
  }
}
