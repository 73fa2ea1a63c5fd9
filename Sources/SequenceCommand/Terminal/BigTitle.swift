/// A short title in large letters that are legible from across the room.
enum BigTitle {
  /// The height of letters in pixels.
  private static let height = 5

  /// Returns the height of letters in lines of text.
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

  /// The pixel rows of each letter, top to bottom.
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
