import Foundation
import Glibc
import SequenceRunner
import TestSupport

// Runs the built programs through faults, and counts what came of them. Its exit status is 0 if nothing is wrong, and 1
// if something is.

// Where this process is the first of a namespace, the usual signals would pass it by.
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
