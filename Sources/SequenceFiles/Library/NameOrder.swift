/// The order of names in lists: numbers in them count as numbers, and case doesn't matter, so that `Workout 2` comes
/// before `workout 10`.
package enum NameOrder {
  /// Whether a name comes before another one.
  package static func precedes(_ left: String, _ right: String) -> Bool {
    let (first, second) = (parts(left), parts(right))
    for (a, b) in zip(first, second) where a != b { return a < b }
    // Names with the same parts, such as `1` and `01`, still have one order.
    return first.count == second.count ? left < right : first.count < second.count
  }

  /// A run of digits or of other characters.
  private enum Part: Comparable {
    /// The digits without leading zeros, which compare by their count first: a number can be longer than any integer.
    case number(count: Int, digits: String)
    case text(String)
  }

  private static func parts(_ name: String) -> [Part] {
    var parts: [Part] = []
    var rest = name.lowercased()[...]
    while let first = rest.first {
      let isNumber = isDigit(first)
      let part = rest.prefix { isDigit($0) == isNumber }
      rest = rest.dropFirst(part.count)
      let digits = part.drop { $0 == "0" }
      parts.append(isNumber ? .number(count: digits.count, digits: String(digits)) : .text(String(part)))
    }
    return parts
  }

  private static func isDigit(_ character: Character) -> Bool { character.isASCII && character.isNumber }
}
