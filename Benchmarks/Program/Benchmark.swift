/// Something to measure.
protocol Benchmark {
  /// What `--only` knows it by.
  static var name: String { get }
  /// Whether it is left out unless `--long` asks for it.
  static var isLong: Bool { get }
  /// Measures, and hands out each line as soon as it is known.
  static func run(_ workplace: Workplace, _ report: (Row) throws -> Void) throws
}

extension Benchmark {
  static var isLong: Bool { false }
}
