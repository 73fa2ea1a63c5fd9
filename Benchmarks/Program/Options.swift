struct Options {
  var prefix = ""
  /// The benchmarks to run; empty for all.
  var names: [String] = []
  var isLong = false

  static let usage = "usage: benchmark --prefix DIRECTORY [--only NAME]… [--long]"

  init(_ words: some Sequence<String>) throws(BenchmarkError) {
    var words = words.makeIterator()
    while let word = words.next() {
      switch word {
      case "--long": isLong = true
      case "--only": names.append(try Options.value(of: word, words.next()))
      case "--prefix": prefix = try Options.value(of: word, words.next())
      default: throw BenchmarkError("\(word) is unknown; \(Options.usage)")
      }
    }
    guard prefix.hasPrefix("/") else { throw BenchmarkError(Options.usage) }
  }

  private static func value(of option: String, _ word: String?) throws(BenchmarkError) -> String {
    guard let word else { throw BenchmarkError("\(option) needs a value; \(usage)") }
    return word
  }

  func asksFor(_ benchmark: any Benchmark.Type) -> Bool {
    names.isEmpty ? isLong || !benchmark.isLong : names.contains(benchmark.name)
  }
}

struct BenchmarkError: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
