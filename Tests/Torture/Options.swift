import TestSupport

/// What is to be tried, and how much of it.
struct Options {
  var kinds = Kind.allCases
  var seed: UInt64 = 1
  /// How many commands are started to be killed at random instants.
  var kills = 300
  /// How many stores are changed at random.
  var damages = 300
  /// How many processes there are at once.
  var processes = 100
  /// How many occurrences of each system call of an agent fail, spread evenly; of a command all do.
  var occurrences = 5
  /// How the names of the cases begin that are tried; of the others nothing is.
  var cases = ""
  /// Whether this process is alone in namespaces of its own already.
  var isInside = false

  static let usage = """
    usage: torture [--only KIND[,KIND…]] [--seed N] [--kills N] [--damages N] [--processes N]
                   [--occurrences N] [--case BEGINNING]
    kinds: \(Kind.allCases.map(\.rawValue).joined(separator: ", "))
    """

  init(_ words: [String]) throws {
    var words = words[...]
    while let word = words.popFirst() {
      if word == "--inside" {
        isInside = true
        continue
      }
      guard let value = words.popFirst() else { throw TestSupportError("\(word) needs a value") }
      switch word {
      case "--only":
        kinds = try value.split(separator: ",").map { name in
          guard let kind = Kind(rawValue: String(name)) else {
            throw TestSupportError("\(name) is no kind of fault")
          }
          return kind
        }
      case "--case": cases = value
      case "--seed": seed = try Options.number(value)
      case "--kills": kills = try Options.number(value)
      case "--damages": damages = try Options.number(value)
      case "--processes": processes = try Options.number(value)
      case "--occurrences": occurrences = try Options.number(value)
      default: throw TestSupportError("there is no option \(word)")
      }
    }
  }

  private static func number<Number: FixedWidthInteger>(_ text: String) throws -> Number {
    guard let number = Number(text), number > 0 else {
      throw TestSupportError("\(text) is no number above zero")
    }
    return number
  }
}
