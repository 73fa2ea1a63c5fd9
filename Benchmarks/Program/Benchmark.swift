protocol Benchmark {
  /// The name for `--only`.
  static var name: String { get }
  /// Whether it runs only with `--long`.
  static var isLong: Bool { get }
  /// Runs the measurement, and reports each row as soon as it is known.
  static func run(_ workplace: Workplace, _ report: (Row) throws -> Void) throws
}

extension Benchmark {
  static var isLong: Bool { false }
}
