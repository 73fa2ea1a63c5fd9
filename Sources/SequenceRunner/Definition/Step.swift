/// One occurrence of a card in a run.
public struct Step: Hashable, Sendable {
  /// The place in the timeline, from 0.
  public let index: Int
  /// The number that people see, from 1.
  public var number: Int { index + 1 }
  /// The card that is done.
  public let card: Card
  /// Which round of each group around the card this is, outermost first; empty outside groups.
  public let rounds: [Round]

  /// A round of a group.
  public struct Round: Hashable, Sendable, Encodable {
    /// The number of the round, from 1.
    public let round: Int
    /// How many rounds the group has.
    public let of: Int

    /// Round `round` of `of`.
    public init(round: Int, of: Int) {
      self.round = round
      self.of = of
    }
  }
}
