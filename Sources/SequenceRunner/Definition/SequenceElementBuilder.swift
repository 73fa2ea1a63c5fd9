public import FoundationEssentials

/// Collects the cards and groups of a sequence or group in code.
@resultBuilder
public enum SequenceElementBuilder {
  /// Takes a card.
  public static func buildExpression(_ card: Card) -> [SequenceElement] { [.card(card)] }
  /// Takes a group.
  public static func buildExpression(_ group: Group) -> [SequenceElement] { [.group(group)] }
  /// Takes an element.
  public static func buildExpression(_ element: SequenceElement) -> [SequenceElement] { [element] }
  /// Joins elements in their order.
  public static func buildBlock(_ elements: [SequenceElement]...) -> [SequenceElement] {
    elements.flatMap(\.self)
  }
  /// Joins the elements of a loop.
  public static func buildArray(_ elements: [[SequenceElement]]) -> [SequenceElement] {
    elements.flatMap(\.self)
  }
  /// Takes the elements of an `if`, or none.
  public static func buildOptional(_ elements: [SequenceElement]?) -> [SequenceElement] { elements ?? [] }
  /// Takes the elements of the first branch.
  public static func buildEither(first elements: [SequenceElement]) -> [SequenceElement] { elements }
  /// Takes the elements of the second branch.
  public static func buildEither(second elements: [SequenceElement]) -> [SequenceElement] { elements }
}

extension SequenceDefinition {
  /// Creates a sequence whose ids are derived from titles and places, as for a sequence file.
  ///
  /// - Parameters:
  ///   - title: the text that is shown; never empty.
  ///   - id: the identity of the sequence; `nil` to derive it from the title.
  ///   - onSuspend: the effect of suspend on a run; `nil` to leave that to the user.
  ///   - onLock: the effect of a locked screen on a run; `nil` to leave that to the user.
  ///   - color: its color in the window; `nil` for that of the desktop.
  ///   - icon: one emoji or symbol before its title; `nil` for none.
  ///   - rings: whether a run rings at its end.
  ///   - labels: the labels of its runs, as names of runs are written; at most 10.
  ///   - elements: the cards and groups in running order. A card without an id of its own gets one from its title and
  ///     its place.
  public init(
    _ title: String, id: UUID? = nil, onSuspend: SuspendPolicy? = nil, onLock: SuspendPolicy? = nil,
    color: SequenceColor? = nil, icon: String? = nil, rings: Bool = false, labels: [String] = [],
    @SequenceElementBuilder elements: () -> [SequenceElement]
  ) {
    let id = id ?? DerivedID.sequence(title: title)
    self.init(
      id: id, title: title, elements: SequenceDefinition.deriving(elements(), in: id, place: []),
      onSuspend: onSuspend, onLock: onLock, color: color, icon: icon, rings: rings, labels: labels)
  }

  private static func deriving(
    _ elements: [SequenceElement], in id: UUID, place: [Int]
  ) -> [SequenceElement] {
    elements.enumerated().map { index, element in
      switch element {
      case .group(let group):
        .group(
          Group(rounds: group.rounds, elements: deriving(group.elements, in: id, place: place + [index])))
      case .card(let card) where card.id == DerivedID.card(title: card.title):
        .card(
          Card(
            id: DerivedID.card(sequence: id, place: place + [index], title: card.title), title: card.title,
            note: card.note, timing: card.timing, laterRounds: card.laterRounds,
            atLeast: card.atLeast, atMost: card.atMost, skipsLastRound: card.skipsLastRound,
            isRest: card.isRest, sound: card.sound, image: card.image,
            insist: card.insist))
      case .card: element
      }
    }
  }
}

extension Group {
  /// Creates a group of elements that are repeated.
  public init(_ rounds: Rounds, @SequenceElementBuilder elements: () -> [SequenceElement]) {
    self.init(rounds: rounds, elements: elements())
  }

  /// Repeats elements for a number of rounds.
  public init(_ rounds: Int, @SequenceElementBuilder elements: () -> [SequenceElement]) {
    self.init(.times(rounds), elements: elements)
  }
}

extension Card {
  /// Creates a card without an id of its own.
  ///
  /// Its id follows from its title, and in ``SequenceDefinition/init(_:id:onSuspend:onLock:color:icon:rings:labels:elements:)`` also from its place.
  ///
  /// - Parameters:
  ///   - title: the text that is shown; never empty.
  ///   - timing: the duration of the card, or the way it ends; in a group that of the first round.
  ///   - laterRounds: how the duration differs in the rounds after the first one; `nil` if all have the same.
  ///   - atLeast: the shortest duration in a run that is to end at a clock time; `nil` if it can't be shorter.
  ///   - atMost: the longest duration in such a run; `nil` if it can't be longer.
  ///   - note: advice for the person who does the card; `nil` without a note.
  ///   - skipsLastRound: whether the last round of the group leaves the card out.
  ///   - isRest: whether the card is a rest; by default its title and `skipsLastRound` decide.
  ///   - sound: the sound at the start of the card; empty for none, and `nil` for the usual one.
  ///   - image: the absolute path of a picture of the card; `nil` for none.
  ///   - insist: the interval of the reminders while a countdown waits for the user; `nil` for none.
  public init(
    _ title: String, _ timing: Timing, laterRounds: LaterRounds? = nil, atLeast: Duration? = nil,
    atMost: Duration? = nil,
    note: String? = nil, skipsLastRound: Bool = false, isRest: Bool? = nil, sound: String? = nil,
    image: String? = nil,
    insist: Duration? = nil
  ) {
    self.init(
      id: DerivedID.card(title: title), title: title, note: note, timing: timing, laterRounds: laterRounds,
      atLeast: atLeast, atMost: atMost, skipsLastRound: skipsLastRound, isRest: isRest, sound: sound,
      image: image, insist: insist)
  }
}
