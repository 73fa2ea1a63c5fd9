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
