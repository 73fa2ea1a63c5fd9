import Foundation
import Simulation

/// What is asked for on the command line.
struct Arguments {
  var seed: UInt64 = 1
  var lives = 10_000
  var workers = ProcessInfo.processInfo.activeProcessorCount
  var script: String?
  /// Whether this is a child, which lives its lives itself and says only which.
  var isInside = false

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
      case "--inside": isInside = value == "yes"
      default: return nil
      }
    }
  }
}

/// Lives lives, and says the seed of each when it begins; the exit status of a child.
func live(_ count: Int, from seed: UInt64) throws -> Int32 {
  let scratch = try Scratch()
  for index in 0..<count {
    let seed = seed &+ UInt64(index)
    print(seed)
    // What is not said before a trap is never said.
    fflush(nil)
    if World.difference(in: LifeGenerator.life(seed: seed), scratch) != nil { return 1 }
  }
  return 0
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
if arguments.isInside { exit(try live(arguments.lives, from: arguments.seed)) }
let start = ContinuousClock.now
let failure = try await Workers(arguments: arguments).firstFailure(report: { done in
  print("\(done) lives, \(ContinuousClock.now - start)")
  // A pipe would keep it until the end.
  fflush(nil)
})
guard let failure else {
  print("\(arguments.lives) lives from seed \(arguments.seed), no difference, \(ContinuousClock.now - start)")
  exit(0)
}
print("seed \(failure.seed) fails; again with --seed \(failure.seed) --lives 1")
let life = LifeGenerator.life(seed: failure.seed)
if let cause = failure.cause {
  print("\(cause)\n\nits script, for --script:\n\(life)")
} else {
  try report(life)
}
exit(1)
