/// The strokes of a digit on a seven-segment display.
struct Segments: OptionSet, Sendable {
  let rawValue: UInt8

  static let top = Segments(rawValue: 1)
  static let upperLeft = Segments(rawValue: 2)
  static let upperRight = Segments(rawValue: 4)
  static let middle = Segments(rawValue: 8)
  static let lowerLeft = Segments(rawValue: 16)
  static let lowerRight = Segments(rawValue: 32)
  static let bottom = Segments(rawValue: 64)

  /// Returns the strokes of a digit; none for any other character.
  static func of(_ digit: Character) -> Segments {
    switch digit {
    case "0": [.top, .upperLeft, .upperRight, .lowerLeft, .lowerRight, .bottom]
    case "1": [.upperRight, .lowerRight]
    case "2": [.top, .upperRight, .middle, .lowerLeft, .bottom]
    case "3": [.top, .upperRight, .middle, .lowerRight, .bottom]
    case "4": [.upperLeft, .upperRight, .middle, .lowerRight]
    case "5": [.top, .upperLeft, .middle, .lowerRight, .bottom]
    case "6": [.top, .upperLeft, .middle, .lowerLeft, .lowerRight, .bottom]
    case "7": [.top, .upperRight, .lowerRight]
    case "8": [.top, .upperLeft, .upperRight, .middle, .lowerLeft, .lowerRight, .bottom]
    case "9": [.top, .upperLeft, .upperRight, .middle, .lowerRight, .bottom]
    default: []
    }
  }
}
