import Foundation
import Simulation

struct Arguments {
  var seed: UInt64 = 1
  var scenarios = 10_000
  var workers = ProcessInfo.processInfo.activeProcessorCount
  var script: String?
  /// Whether this is a child, which runs its scenarios itself and prints only their seeds.
  var isInside = false

  init?(_ words: [String]) {
    var rest = words[...]
    while let option = rest.popFirst() {
      guard let value = rest.popFirst() else { return nil }
      switch option {
      case "--seed":
        guard let number = UInt64(value) else { return nil }
        seed = number
      case "--scenarios":
        guard let number = Int(value), number > 0 else { return nil }
        scenarios = number
      case "--workers":
        guard let number = Int(value), number > 0 else { return nil }
        workers = number
      case "--script": script = value
      case "--inside": isInside = value == "yes"
      default: return nil
      }
    }
  }
}

/// Runs scenarios, and prints the seed of each at its beginning; returns the exit status of a child.
func runScenarios(_ count: Int, from seed: UInt64) throws -> Int32 {
  let scratch = try Scratch()
  for index in 0..<count {
    let seed = seed &+ UInt64(index)
    print(seed)
    // Unflushed output would be lost in a trap.
    fflush(nil)
    if World.difference(in: ScenarioGenerator.scenario(seed: seed), scratch) != nil { return 1 }
    if seed.isMultiple(of: RecurrenceWorld.share), try RecurrenceWorld.difference(seed: seed) != nil {
      return 1
    }
  }
  return 0
}

/// Shrinks a failing scenario of a run and prints it, or the difference in the repeating notifications.
func report(_ scenario: Scenario, seed: UInt64) throws {
  let scratch = try Scratch()
  guard let (shrunk, difference) = Shrinking.shrunk(scenario, { World.difference(in: $0, scratch) }) else {
    let difference =
      seed.isMultiple(of: RecurrenceWorld.share) ? try RecurrenceWorld.difference(seed: seed) : nil
    print(difference.map { "repeating notifications, \($0)" } ?? "it does not fail when it is run again")
    return
  }
  print(difference)
  print("\nthe shortest script that fails, for --script:\n\(shrunk)")
}

guard let arguments = Arguments(Array(CommandLine.arguments.dropFirst())) else {
  print("usage: simulate [--seed N] [--scenarios N] [--workers N] [--script FILE]")
  exit(64)
}
if let script = arguments.script {
  let scenario = try Scenario(text: try String(contentsOfFile: script, encoding: .utf8))
  guard let difference = World.difference(in: scenario, try Scratch()) else {
    print("no difference")
    exit(0)
  }
  print(difference)
  exit(1)
}
if arguments.isInside { exit(try runScenarios(arguments.scenarios, from: arguments.seed)) }
let start = ContinuousClock.now
let failure = try await Workers(arguments: arguments).firstFailure(report: { done in
  print("\(done) scenarios, \(ContinuousClock.now - start)")
  // Standard output to a pipe is buffered until the end.
  fflush(nil)
})
guard let failure else {
  print(
    "\(arguments.scenarios) scenarios from seed \(arguments.seed), no difference, \(ContinuousClock.now - start)"
  )
  exit(0)
}
print("seed \(failure.seed) fails; again with --seed \(failure.seed) --scenarios 1")
let scenario = ScenarioGenerator.scenario(seed: failure.seed)
if let cause = failure.cause {
  print("\(cause)\n\nits script, for --script:\n\(scenario)")
} else {
  try report(scenario, seed: failure.seed)
}
exit(1)
