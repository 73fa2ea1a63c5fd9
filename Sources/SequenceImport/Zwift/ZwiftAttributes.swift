import SequencePlatform
import SequenceRunner

/// The attributes of a Zwift element, which are taken one by one; names ignore case.
struct ZwiftAttributes {
  private var values: [(name: String, value: String)]

  init(_ attributes: [(name: String, value: String)]) { values = attributes }

  /// The names of the attributes that were not taken.
  var rest: [String] { values.map(\.name) }

  /// Removes an attribute and returns its value; `nil` if it is missing.
  mutating func take(_ name: String) -> String? {
    guard let index = values.firstIndex(where: { $0.name.lowercased() == name.lowercased() }) else {
      return nil
    }
    return values.remove(at: index).value
  }

  /// Takes the power, the cadence and similar attributes, and returns them as parts of a note.
  ///
  /// - Parameters:
  ///   - on: the word in the names of the power: empty, or `On` or `Off` in intervals.
  ///   - pace: the pace to which the power is relative; `nil` for the FTP.
  ///   - isDownward: whether the larger power is first.
  ///   - cadence: the name of the cadence.
  mutating func notes(
    on: String = "", of pace: String?, isDownward: Bool = false, cadence: String = "Cadence",
    _ report: inout ImportReport
  ) -> [String] {
    var notes: [String] = []
    let single = take(on.isEmpty ? "Power" : "\(on)Power")
    let bounds = (take("Power\(on)Low"), take("Power\(on)High"))
    if let power = range(
      single.map { ($0, nil) } ?? bounds, scale: 100, isDownward: isDownward, "power", &report)
    {
      notes.append("\(power.replacing(" to ", with: " % to ")) % of \(pace ?? "FTP")")
    }
    if let zone = take(on.isEmpty ? "Zone" : "Power\(on)Zone") {
      notes.append("zone \(PlainText.line(zone, &report))")
    }
    let cadences = on == "Off" ? (nil, nil) : (take("CadenceLow"), take("CadenceHigh"))
    if let cadence = range(take(cadence).map { ($0, nil) } ?? cadences, scale: 1, "cadence", &report) {
      notes.append("\(cadence) rpm")
    }
    return notes
  }

  /// Returns one number, or two different numbers such as `25 to 75`; `nil` without any.
  private func range(
    _ bounds: (String?, String?), scale: Double, isDownward: Bool = false, _ what: String,
    _ report: inout ImportReport
  ) -> String? {
    var numbers: [Double] = []
    for text in [bounds.0, bounds.1].compactMap({ $0 }) {
      if let number = DecimalNumber.number(text.filter { !$0.isWhitespace }) {
        numbers.append(number)
      } else {
        report.drop("\(what) \(quoted(PlainText.name(text)))")
      }
    }
    if isDownward { numbers.sort(by: >) }
    let texts = numbers.map { DecimalNumber.short($0 * scale) }
    guard let first = texts.first, let last = texts.last else { return nil }
    return first == last ? first : "\(first) to \(last)"
  }
}
