struct Figure {
  let value: Double
  let unit: Unit

  enum Unit {
    case nanoseconds
    case kibibytes
    case count
  }

  static func nanoseconds(_ value: some BinaryInteger) -> Figure {
    Figure(value: Double(value), unit: .nanoseconds)
  }
  static func nanoseconds(_ value: Double) -> Figure { Figure(value: value, unit: .nanoseconds) }
  static func kibibytes(_ value: Int) -> Figure { Figure(value: Double(value), unit: .kibibytes) }
  static func count(_ value: Int) -> Figure { Figure(value: Double(value), unit: .count) }
  static func seconds(_ value: Double) -> Figure { .nanoseconds(value * 1e9) }

  /// The number with three significant digits, in a suitable unit.
  var text: String {
    switch unit {
    case .count: String(Int(value))
    case .kibibytes: abs(value) < 1024 ? "\(digits(value)) KiB" : "\(digits(value / 1024)) MiB"
    case .nanoseconds:
      switch abs(value) {
      case 0: "0"
      case ..<1e6: "\(digits(value / 1e3)) us"
      case ..<1e9: "\(digits(value / 1e6)) ms"
      default: "\(digits(value / 1e9)) s"
      }
    }
  }
}

func digits(_ value: Double) -> String {
  let places = abs(value) >= 100 ? 0 : abs(value) >= 10 ? 1 : 2
  return decimal(value, places: places)
}

func decimal(_ value: Double, places: Int) -> String {
  guard value.isFinite else { return "\(value)" }
  let scale = (0..<places).reduce(1) { scale, _ in scale * 10 }
  let scaled = Int((abs(value) * Double(scale)).rounded())
  let sign = value < 0 && scaled > 0 ? "-" : ""
  guard places > 0 else { return sign + String(scaled) }
  let fraction = String(scaled % scale)
  return "\(sign)\(scaled / scale)." + String(repeating: "0", count: places - fraction.count) + fraction
}
