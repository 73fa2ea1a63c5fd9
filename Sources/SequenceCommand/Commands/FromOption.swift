import SequencePlatform
import SequenceFiles
import SequenceRunner

/// `--from` of the commands that start a sequence: the step that the run starts at.
enum FromOption {
  static let option = Option<String>(
    "from", "STEP", "start at a step, by its number or the title of a card", kind: .card
  ) { text throws(Failure) in
    guard !text.isEmpty else {
      throw Failure(usage: "--from needs a step", remedy: "write it like --from 5, or --from TITLE")
    }
    return text
  }

  /// Returns the index of the step, which is the first one without the option.
  ///
  /// A number stands for the step with that number, and a title or an id for the first step of the card.
  static func step(_ arguments: ParsedArguments, in timeline: Timeline) throws(Failure) -> Int {
    guard let word = try arguments[option] else { return 0 }
    if word.utf8.allSatisfy({ (48...57).contains($0) }) {
      guard let number = Int(word), (1...timeline.listedCount).contains(number) else {
        throw Failure(
          usage: "there is no step \(word)",
          remedy: RunError.noSuchStep(0, count: timeline.listedCount).problem.remedy)
      }
      return number - 1
    }
    if let step = (0..<timeline.listedCount).first(where: { timeline.card(at: $0).isMeant(by: word) }) {
      return step
    }
    let cards = timeline.definition.elements.flatMap(\.cards)
    guard !cards.contains(where: { $0.isMeant(by: word) }) else {
      throw Failure(usage: "\(quote(word)) has no step, because of skipLast", remedy: "choose another card")
    }
    let unknown = SequenceChoiceError.noSuchCard(
      word, sequence: timeline.definition.title, cards: cards.map(\.title)
    ).problem
    let near = NearNames.of(word, among: Set(cards.map(\.title)).sorted())
    throw Failure(
      usage: unknown.text,
      remedy: near.isEmpty ? unknown.remedy : "did you mean \(alternatives(near.map(quote)))?")
  }
}
