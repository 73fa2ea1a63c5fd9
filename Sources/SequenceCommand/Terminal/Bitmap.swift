/// A black-and-white picture, for drawing large characters.
struct Bitmap: Equatable, Sendable {
  let width: Int
  let height: Int
  private var pixels: [Bool]

  /// Creates a picture without any pixel set.
  init(width: Int, height: Int) {
    self.width = max(0, width)
    self.height = max(0, height)
    pixels = Array(repeating: false, count: self.width * self.height)
  }

  /// Whether a pixel is set; pixels outside the picture are never set.
  subscript(x: Int, y: Int) -> Bool {
    get { contains(x, y) && pixels[y * width + x] }
    set { if contains(x, y) { pixels[y * width + x] = newValue } }
  }

  private func contains(_ x: Int, _ y: Int) -> Bool { (0..<width).contains(x) && (0..<height).contains(y) }

  /// Sets the pixels of the part of a rectangle that is inside the picture.
  mutating func fill(x: Int, y: Int, width: Int, height: Int) {
    for row in y..<(y + max(0, height)) {
      for column in x..<(x + max(0, width)) { self[column, row] = true }
    }
  }

  /// Draws another picture at a column, enlarged by a scale.
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

  /// Returns lines of text with one pixel per character.
  func lines(of character: Character) -> [String] {
    (0..<height).map { y in String((0..<width).map { x in self[x, y] ? character : " " }) }
  }
}
