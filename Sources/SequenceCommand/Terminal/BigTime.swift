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

enum BigTitle {
  /// The height of letters in pixels.
  private static let height = 5

  static func rows(scale: Int) -> Int { (height * scale + 1) / 2 }

  /// Returns a title in large capitals; `nil` if it is too wide or has a character without a large form.
  static func lines(_ title: String, scale: Int, columns: Int, glyphs: DisplayStyle.Glyphs) -> [String]? {
    guard glyphs == .unicode, scale > 0, title.utf8.count <= columns else { return nil }
    let capitals = title.uppercased()
    var letters: [Bitmap] = []
    for character in capitals {
      guard let letter = letter(character) else { return nil }
      letters.append(letter)
    }
    let width = letters.reduce(-1) { $0 + $1.width + 1 }
    guard width > 0, width * scale <= columns else { return nil }
    var picture = Bitmap(width: width * scale, height: height * scale)
    var x = 0
    for letter in letters {
      picture.draw(letter, x: x, scale: scale)
      x += (letter.width + 1) * scale
    }
    return picture.halfBlockLines()
  }

  private static func letter(_ character: Character) -> Bitmap? {
    guard let rows = letters[character]?.split(separator: "/") else { return nil }
    var picture = Bitmap(width: rows[0].count, height: height)
    for (y, row) in rows.enumerated() {
      for (x, pixel) in row.enumerated() where pixel == "#" { picture[x, y] = true }
    }
    return picture
  }

  private static let letters: [Character: String] = [
    " ": "../../../../..", "'": "#/#/././.", "!": "#/#/#/./#", ".": "././././#", ",": "./././#/#",
    "-": ".../.../###/.../...", "+": ".../.#./###/.#./...", "/": "..#/..#/.#./#../#..",
    "&": ".##../#..#./.##.#/#..#./.##.#", ":": "./#/./#/.", "?": "###/..#/.##/.../.#.",
    "(": ".#/#./#./#./.#", ")": "#./.#/.#/.#/#.", "0": "###/#.#/#.#/#.#/###",
    "1": ".#./##./.#./.#./###", "2": "###/..#/###/#../###", "3": "###/..#/###/..#/###",
    "4": "#.#/#.#/###/..#/..#", "5": "###/#../###/..#/###", "6": "###/#../###/#.#/###",
    "7": "###/..#/..#/..#/..#", "8": "###/#.#/###/#.#/###", "9": "###/#.#/###/..#/###",
    "A": ".##./#..#/####/#..#/#..#", "B": "###./#..#/###./#..#/###.", "C": ".###/#.../#.../#.../.###",
    "D": "###./#..#/#..#/#..#/###.", "E": "####/#.../###./#.../####", "F": "####/#.../###./#.../#...",
    "G": ".###/#.../#.##/#..#/.###", "H": "#..#/#..#/####/#..#/#..#", "I": "###/.#./.#./.#./###",
    "J": "..##/...#/...#/#..#/.##.", "K": "#..#/#.#./##../#.#./#..#", "L": "#.../#.../#.../#.../####",
    "M": "#...#/##.##/#.#.#/#...#/#...#", "N": "#...#/##..#/#.#.#/#..##/#...#",
    "O": ".##./#..#/#..#/#..#/.##.", "P": "###./#..#/###./#.../#...", "Q": ".##./#..#/#..#/#.#./.#.#",
    "R": "###./#..#/###./#.#./#..#", "S": ".###/#.../.##./...#/###.", "T": "#####/..#../..#../..#../..#..",
    "U": "#..#/#..#/#..#/#..#/.##.", "V": "#...#/#...#/.#.#./.#.#./..#..",
    "W": "#...#/#...#/#.#.#/##.##/#...#", "X": "#...#/.#.#./..#../.#.#./#...#",
    "Y": "#...#/.#.#./..#../..#../..#..", "Z": "####/..#./.#../#.../####",
    "Ä": "#..#/.##./#..#/####/#..#", "Ö": "#..#/.##./#..#/#..#/.##.", "Ü": "#..#/..../#..#/#..#/.##.",
  ]
}

struct Bitmap: Equatable, Sendable {
  let width: Int
  let height: Int
  private var pixels: [Bool]

  init(width: Int, height: Int) {
    self.width = max(0, width)
    self.height = max(0, height)
    pixels = Array(repeating: false, count: self.width * self.height)
  }

  subscript(x: Int, y: Int) -> Bool {
    get { contains(x, y) && pixels[y * width + x] }
    set { if contains(x, y) { pixels[y * width + x] = newValue } }
  }

  private func contains(_ x: Int, _ y: Int) -> Bool { (0..<width).contains(x) && (0..<height).contains(y) }

  mutating func fill(x: Int, y: Int, width: Int, height: Int) {
    for row in y..<(y + max(0, height)) {
      for column in x..<(x + max(0, width)) { self[column, row] = true }
    }
  }

  mutating func draw(_ other: Bitmap, x: Int, scale: Int = 1) {
    for row in 0..<other.height {
      for column in 0..<other.width where other[column, row] {
        fill(x: x + column * scale, y: row * scale, width: scale, height: scale)
      }
    }
  }

  /// Returns lines of text with two pixels per character, one above the other, so that pixels are about
  /// square.
  func halfBlockLines() -> [String] {
    stride(from: 0, to: height, by: 2).map { y in
      String(
        (0..<width).map { x -> Character in
          switch (self[x, y], self[x, y + 1]) {
          case (true, true): "█"
          case (true, false): "▀"
          case (false, true): "▄"
          case (false, false): " "
          }
        })
    }
  }

  func lines(of character: Character) -> [String] {
    (0..<height).map { y in String((0..<width).map { x in self[x, y] ? character : " " }) }
  }
}
