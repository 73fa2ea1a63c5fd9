/// Something of the product that takes bytes from outside, and what has to hold whatever they are.
public enum FuzzTarget: String, CaseIterable, Sendable {
  /// Sequence files.
  case sequences
  /// Durations.
  case durations
  /// The cards of a command line, one a line; the first byte says how many rounds.
  case cards
  /// Stored snapshots of runs, and what is done with a run.
  case snapshots
  /// The configuration.
  case configuration
  /// Files of other programs; the first byte says what they are taken for.
  case imports

  /// Hands bytes to the product, which must neither trap nor hang.
  ///
  /// - Returns: whether the product took them, in contrast to refusing them.
  /// - Throws: `PropertyViolation` if something else that has to hold does not.
  @discardableResult
  public func run(_ bytes: [UInt8]) throws -> Bool {
    switch self {
    case .sequences: try SequenceTarget.run(bytes)
    case .durations: try DurationTarget.run(bytes)
    case .cards: try CardTarget.run(bytes)
    case .snapshots: try SnapshotTarget.run(bytes)
    case .configuration: try ConfigurationTarget.run(bytes)
    case .imports: try ImportTarget.run(bytes)
    }
  }
}

/// Something that has to hold and does not.
public struct PropertyViolation: Error, CustomStringConvertible {
  /// What it is.
  public let description: String
}

/// Fails unless something holds.
func require(_ holds: Bool, _ what: @autoclosure () -> String) throws {
  guard holds else { throw PropertyViolation(description: what()) }
}
