import Foundation
import Glibc
import TestSupport

final class Tally {
  let kind: Kind
  let options: Options
  private(set) var cases = 0
  private(set) var faults = 0
  private(set) var outcomes: [String: Int] = [:]
  private(set) var violations: [String] = []
  private(set) var skipped: [String] = []
  private let begun = ContinuousClock.now
  private var duration = Duration.zero

  init(_ kind: Kind, _ options: Options) {
    self.kind = kind
    self.options = options
  }

  func isWanted(_ name: String) -> Bool { options.cases.isEmpty || name.hasPrefix(options.cases) }

  /// Runs a case; any error is a violation.
  func attempt(_ name: String, _ body: () throws -> Void) {
    guard isWanted(name) else { return }
    cases += 1
    do {
      try body()
      let crashes = Processes.takeCrashes()
      guard crashes.isEmpty else { throw Violation("agents died of the signals \(crashes)") }
    } catch {
      let repetition = "--only \(kind.rawValue) --seed \(options.seed) --case \(name)"
      violations.append("\(error); repeat it with \(repetition)")
      print("WRONG \(kind.rawValue) \(name): \(error)")
      fflush(nil)
    }
  }

  func countFault(_ count: Int = 1) { faults += count }

  func count(_ outcome: String) { outcomes[outcome, default: 0] += 1 }

  func skip(_ what: String, because reason: String) { skipped.append("\(what): \(reason)") }

  func finish() { duration = ContinuousClock.now - begun }

  /// Returns random numbers for a purpose, which depend only on the seed.
  func randomness(for name: String) -> SplitMix64 {
    SplitMix64(seed: options.seed, for: kind.rawValue + name)
  }

  var lines: [String] {
    let counts = outcomes.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    let came = counts.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
    let seconds = duration.components.seconds
    let row = [kind.rawValue, "\(cases)", "\(faults)", "\(violations.count)", "\(seconds) s"]
    return [Tally.row(row) + came] + skipped.map { "  not tried: \($0)" }
  }

  static let heading = row(["kind", "cases", "faults", "violations", "time"]) + "what came of them"

  private static func row(_ columns: [String]) -> String {
    columns.map { $0.padding(toLength: 12, withPad: " ", startingAt: 0) }.joined()
  }
}

struct Violation: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
