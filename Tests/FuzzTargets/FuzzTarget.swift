/// A part of the product that reads external bytes, with the properties that must hold for any input.
public enum FuzzTarget: String, CaseIterable, Sendable {
  /// Sequence files.
  case sequences
  /// Durations.
  case durations
  /// The cards of a command line, one per line; the first byte is the number of rounds.
  case cards
  /// Stored snapshots of runs, and commands on them.
  case snapshots
  /// The configuration.
  case configuration
  /// Files of other programs; the first byte selects the format.
  case imports

  /// Passes bytes to the product, which must neither trap nor hang.
  ///
  /// - Returns: whether the product accepted them.
  /// - Throws: `PropertyViolation` if another property does not hold.
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

/// A property that does not hold.
public struct PropertyViolation: Error, CustomStringConvertible {
  /// The description of the violation.
  public let description: String
}

func require(_ holds: Bool, _ what: @autoclosure () -> String) throws {
  guard holds else { throw PropertyViolation(description: what()) }
}
