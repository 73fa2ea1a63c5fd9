/// A step of a recipe in Cooklang: its text without markup, and its timers.
///
/// Source: github.com/cooklang/spec.
struct CooklangText {
  /// The text without markup.
  private(set) var text = ""
  private(set) var timers: [Timer] = []

  /// A timer, written `~name{quantity%unit}`.
  struct Timer {
    let name: String
    let quantity: String
    let unit: String
  }

  init(_ source: String) {
    var rest = source[...]
    while let character = rest.popFirst() {
      switch character {
      case "\\": text += rest.popFirst().map(String.init) ?? ""
      case "@", "#", "~":
        guard let (name, amount) = CooklangText.component(&rest, isTimer: character == "~") else {
          text.append(character)
          continue
        }
        if character == "~" {
          addTimer(name, amount)
        } else {
          text += name
          // The preparation of an ingredient in parentheses stays in the text.
          if rest.first == "(" { text += " " }
        }
      default: text.append(character)
      }
    }
  }

  private mutating func addTimer(_ name: String, _ amount: String) {
    let parts = amount.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
    let quantity = String((parts.first ?? "").trimming(while: \.isWhitespace))
    let unit = String((parts.dropFirst().first ?? "").trimming(while: \.isWhitespace))
    timers.append(Timer(name: name, quantity: quantity, unit: unit))
    let shown = [quantity, unit].filter { !$0.isEmpty }.joined(separator: " ")
    text += shown.isEmpty ? name : shown
  }

  /// Parses the name and the contents of the braces of a component; `nil` if the text is not a component.
  ///
  /// A name of several words ends with braces; without braces it is one word.
  private static func component(_ rest: inout Substring, isTimer: Bool) -> (String, String)? {
    let head = rest.prefix { !"{@#~\n".contains($0) }
    var tail = rest[head.endIndex...]
    if tail.popFirst() == "{", isTimer || head.first?.isWhitespace == false {
      // Braces neither nest nor span lines, so each is scanned once.
      let amount = tail.prefix { !"{}\n".contains($0) }
      tail = tail[amount.endIndex...]
      if tail.popFirst() == "}" {
        rest = tail
        return (String(head.trimming(while: \.isWhitespace)), String(amount))
      }
    }
    let word = rest.prefix { $0.isLetter || $0.isNumber || "_-'".contains($0) }
    guard !word.isEmpty else { return nil }
    rest = rest.dropFirst(word.count)
    return (String(word), "")
  }
}
