/// A time in large digits, drawn from segments so that any size is possible.
struct BigTime: Equatable, Sendable {
  let rows: Int
  private let glyphs: DisplayStyle.Glyphs

  /// Returns the smallest legible height in lines: five pixels.
  static func fewestRows(_ glyphs: DisplayStyle.Glyphs) -> Int { glyphs == .unicode ? 3 : 5 }

  /// Creates digits of a height in lines, at least `fewestRows`.
  init(rows: Int, glyphs: DisplayStyle.Glyphs) {
    self.rows = max(BigTime.fewestRows(glyphs), rows)
    self.glyphs = glyphs
  }

  static func fitting(
    _ text: String, columns: Int, rows: Int, glyphs: DisplayStyle.Glyphs
  ) -> BigTime? {
    let fewestRows = fewestRows(glyphs)
    guard rows >= fewestRows else { return nil }
    // The width grows by at least half a column a row, so rows beyond twice the columns cannot fit.
    return (fewestRows...min(rows, max(fewestRows, 2 * columns))).reversed().lazy
      .map { BigTime(rows: $0, glyphs: glyphs) }
      .first { $0.columns(text) <= columns }
  }

  func columns(_ text: String) -> Int {
    text.reduce(0) { $0 + width($1) } + gap * max(0, text.count - 1)
  }

  func lines(_ text: String) -> [String] {
    var picture = Bitmap(width: columns(text), height: height)
    var x = 0
    for character in text {
      picture.draw(bitmap(character), x: x)
      x += width(character) + gap
    }
    return glyphs == .unicode ? picture.halfBlockLines() : picture.lines(of: "#")
  }

  // MARK: Measures in pixels. A pixel is one column wide and half a line high, or a whole line in ASCII.

  /// The height in pixels; three lines show a symmetric digit of five pixels better than a digit of six.
  private var height: Int { glyphs == .ascii ? rows : rows == 3 ? 5 : rows * 2 }
  private var digitWidth: Int { max(4, Int((Double(rows) * 1.25).rounded())) }
  /// The width of vertical strokes.
  private var stroke: Int { max(1, Int((Double(rows) / 3.2).rounded())) }
  /// The height of horizontal strokes.
  private var level: Int { glyphs == .ascii ? max(1, (stroke + 1) / 2) : stroke }
  private var gap: Int { rows < 5 ? 1 : max(2, (stroke + 1) * 2 / 3) }

  private func width(_ character: Character) -> Int {
    switch character {
    case ":": stroke
    case "+": max(3, stroke * 3)
    default: digitWidth
    }
  }

  private func bitmap(_ character: Character) -> Bitmap {
    switch character {
    case ":": colon
    case "+": plus
    case "1": one
    default: digit(Segments.of(character))
    }
  }

  private var colon: Bitmap {
    var picture = Bitmap(width: stroke, height: height)
    let upper = Int((Double(height) * 0.3 - Double(level) / 2).rounded())
    picture.fill(x: 0, y: upper, width: stroke, height: level)
    picture.fill(x: 0, y: height - upper - level, width: stroke, height: level)
    return picture
  }

  private var plus: Bitmap {
    let width = width("+")
    let arm = max(level, (level * 3 - level) / 2)
    var picture = Bitmap(width: width, height: height)
    let middle = (height - level) / 2
    picture.fill(x: 0, y: middle, width: width, height: level)
    picture.fill(x: (width - stroke) / 2, y: middle - arm, width: stroke, height: 2 * arm + level)
    return picture
  }

  /// The digit 1: a stem in the middle with a flag and a foot, because at the edge of the cell it looks
  /// misplaced.
  private var one: Bitmap {
    var picture = Bitmap(width: digitWidth, height: height)
    let stem = (digitWidth - stroke) / 2
    picture.fill(x: stem, y: 0, width: stroke, height: height)
    picture.fill(x: stem - stroke, y: level > 1 ? level / 2 : 1, width: stroke, height: level)
    picture.fill(x: max(0, stem - stroke), y: height - level, width: 3 * stroke, height: level)
    return picture
  }

  private func digit(_ segments: Segments) -> Bitmap {
    var picture = Bitmap(width: digitWidth, height: height)
    let (right, bottom, middle) = (digitWidth - stroke, height - level, (height - level) / 2)
    for (segment, x, y, width, height) in [
      (Segments.top, 0, 0, digitWidth, level), (.middle, 0, middle, digitWidth, level),
      (.bottom, 0, bottom, digitWidth, level), (.upperLeft, 0, 0, stroke, middle + level),
      (.upperRight, right, 0, stroke, middle + level), (.lowerLeft, 0, middle, stroke, height - middle),
      (.lowerRight, right, middle, stroke, height - middle),
    ] where segments.contains(segment) {
      picture.fill(x: x, y: y, width: width, height: height)
    }
    round(&picture, segments)
    return picture
  }

  /// Rounds the corners where two segments meet, by clearing the pixels outside a quarter circle.
  private func round(_ picture: inout Bitmap, _ segments: Segments) {
    guard glyphs == .unicode else { return }
    for (corner, isRight, isLow) in [
      (Segments([.top, .upperLeft]), false, false), ([.top, .upperRight], true, false),
      ([.bottom, .lowerLeft], false, true), ([.bottom, .lowerRight], true, true),
    ] where segments.isSuperset(of: corner) {
      for x in 0..<stroke {
        for y in 0..<level {
          let (dx, dy) = (Double(stroke - x) - 0.5, Double(level - y) - 0.5)
          guard dx * dx + dy * dy > Double(stroke * stroke) else { continue }
          picture[isRight ? digitWidth - 1 - x : x, isLow ? height - 1 - y : y] = false
        }
      }
    }
  }
}

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
