import Foundation
import Glibc
import SequenceRunner
import TestSupport

// Runs the built programs under faults, and counts the results. The exit status is 0 without violations,
// otherwise 1.

// The first process of a PID namespace ignores signals without a handler.
for number in [SIGINT, SIGTERM, SIGHUP] { signal(number) { _exit(128 + $0) } }
signal(SIGPIPE, SIG_IGN)

do {
  let words = Array(CommandLine.arguments.dropFirst())
  if words == ["--help"] {
    print(Options.usage)
    exit(0)
  }
  let options = try Options(words)
  if !options.isInside { try Namespaces.enter(words) }
  let tallies = options.kinds.map { kind in
    let tally = Tally(kind, options)
    do {
      try kind.run(tally)
    } catch {
      tally.attempt(options.cases) { throw error }
    }
    tally.finish()
    for line in tally.lines { print(line) }
    fflush(nil)
    return tally
  }
  print("\n" + Tally.heading)
  for line in tallies.flatMap(\.lines) { print(line) }
  let violations = tallies.flatMap(\.violations)
  for violation in violations { print("WRONG: \(violation)") }
  exit(violations.isEmpty ? 0 : 1)
} catch {
  print("\(error)\n\(Options.usage)")
  exit(64)
}
