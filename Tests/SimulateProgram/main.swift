import Foundation
import Simulation

/// What is asked for on the command line.
struct Arguments {
  var seed: UInt64 = 1
  var lives = 10_000
  var workers = ProcessInfo.processInfo.activeProcessorCount
  var script: String?

  init?(_ words: [String]) {
    var rest = words[...]
    while let option = rest.popFirst() {
      guard let value = rest.popFirst() else { return nil }
      switch option {
      case "--seed":
        guard let number = UInt64(value) else { return nil }
        seed = number
      case "--lives":
        guard let number = Int(value), number > 0 else { return nil }
        lives = number
      case "--workers":
        guard let number = Int(value), number > 0 else { return nil }
        workers = number
      case "--script": script = value
      default: return nil
      }
    }
  }
}

/// Shrinks a life that fails, and says how to live it again.
func report(_ life: Life) throws {
  let scratch = try Scratch()
  guard let (shrunk, difference) = Shrinking.shrunk(life, { World.difference(in: $0, scratch) }) else {
    print("it does not fail when it is lived again")
    return
  }
  print(difference)
  print("\nthe shortest script that fails, for --script:\n\(shrunk)")
}

guard let arguments = Arguments(Array(CommandLine.arguments.dropFirst())) else {
  print("usage: simulate [--seed N] [--lives N] [--workers N] [--script FILE]")
  exit(64)
}
if let script = arguments.script {
  let life = try Life(text: try String(contentsOfFile: script, encoding: .utf8))
  guard let difference = World.difference(in: life, try Scratch()) else {
    print("no difference")
    exit(0)
  }
  print(difference)
  exit(1)
}
let start = ContinuousClock.now
let trials = Trials(seed: arguments.seed, lives: arguments.lives, workers: arguments.workers)
let failure = try await trials.firstFailure(progress: { done in
  print("\(done) lives, \(ContinuousClock.now - start)")
  // A pipe would keep it until the end.
  fflush(nil)
})
guard let seed = failure else {
  print("\(arguments.lives) lives from seed \(arguments.seed), no difference, \(ContinuousClock.now - start)")
  exit(0)
}
print("seed \(seed) differs; again with --seed \(seed) --lives 1")
try report(LifeGenerator.life(seed: seed))
exit(1)
