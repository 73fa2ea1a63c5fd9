import Foundation
import TestSupport

// Measures Sequence and comparable programs, and prints a table. Compared figures are measured in turn in one
// run, because figures of different runs are not comparable on a machine with other load.
//
//     benchmark --prefix DIRECTORY [--only NAME]… [--long]
//
// The exit status is 1 if a goal is missed, and 2 if a measurement failed.

let benchmarks: [any Benchmark.Type] = [
  StartUp.self, Floors.self, Lateness.self, Idle.self, Scheduling.self, OneCard.self, Size.self,
  SeveralRuns.self,
  Delivery.self, SimulatedDay.self,
  LongPlan.self, PastRuns.self, Window.self, RealHour.self,
]

func print(_ text: String, to file: FileHandle = .standardOutput) { file.write(Data((text + "\n").utf8)) }

do {
  let options = try Options(CommandLine.arguments.dropFirst())
  let known = benchmarks.map { $0.name }
  if let unknown = options.names.first(where: { !known.contains($0) }) {
    throw BenchmarkError("there is no benchmark \(unknown); there are \(known.joined(separator: ", "))")
  }
  let workplace = Workplace(prefix: options.prefix, isLong: options.isLong)
  var (missed, failed) = (0, 0)
  print(Table.header())
  for benchmark in benchmarks where options.asksFor(benchmark) {
    do {
      try benchmark.run(workplace) { row in
        print(Table.line(row))
        if row.isMet == false { missed += 1 }
      }
    } catch {
      print("benchmark \(benchmark.name): \(error)", to: .standardError)
      failed += 1
    }
  }
  print("goals missed: \(missed), benchmarks that failed: \(failed)")
  exit(failed > 0 ? 2 : missed > 0 ? 1 : 0)
} catch {
  print("benchmark: \(error)", to: .standardError)
  exit(2)
}
