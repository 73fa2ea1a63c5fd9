/// One occurrence of a card in a run.
public struct Step: Hashable, Sendable {
  /// The position in the timeline, from 0.
  public let index: Int
  /// The number that people see, from 1.
  public var number: Int { index + 1 }
  /// The card of the step.
  public let card: Card
  /// The current round of each group around the card, outermost first; empty outside groups.
  public let rounds: [Round]

  /// A round of a group.
  public struct Round: Hashable, Sendable, Encodable, CustomStringConvertible {
    /// The number of the round, from 1.
    public let round: Int
    /// The number of rounds of the group; `nil` if they are endless.
    public let of: Int?

    /// Creates round `round` of `of`.
    public init(round: Int, of: Int?) {
      self.round = round
      self.of = of
    }

    /// The round and the number of rounds, such as `2 of 8`; only the round if they are endless.
    public var description: String { text(" of ") }

    package func text(_ separator: String) -> String { "\(round)" + (of.map { "\(separator)\($0)" } ?? "") }
  }
}
