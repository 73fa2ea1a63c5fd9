import TestSupport

/// A program that does something once per input line, and answers with the time it took.
struct Asked {
  private let child: ChildProcess
  private let nanosecondsPerUnit: Double

  /// - Parameter nanosecondsPerUnit: the unit of its answers.
  init(
    _ program: String, _ arguments: [String] = [], environment: [String: String] = [:],
    nanosecondsPerUnit: Double = 1
  ) throws {
    child = try ChildProcess(program, arguments, environment: environment)
    self.nanosecondsPerUnit = nanosecondsPerUnit
  }

  func duration(_ question: String) throws -> Duration {
    try child.send(question)
    let line = try child.line(within: .seconds(3600))
    guard let value = Double(line) else { throw BenchmarkError("\(line) is no duration") }
    return .nanoseconds(Int64(value * nanosecondsPerUnit))
  }
}
