import SequencePlanning
import SequencePlatform
import SequencePresentation
package import SequenceRunner

package struct PanelIcon: Equatable, Sendable {
  package let face: Face
  let title: String
  /// When the step ends and what follows, in words.
  let line: String
  let menu: [PanelEntry]

  package enum Face: Hashable, Sendable {
    /// Minutes, hours from 100 minutes on, or days from 100 hours on, 99 at most.
    case time(String, isRest: Bool)
    case paused
    case overtime
  }

  /// - Parameter next: what a schedule starts next, and when.
  package init?(_ status: RunStatus, next: String? = nil) {
    guard let view = RunView(status) else { return nil }
    face = PanelIcon.face(of: view)
    title = view.title == view.sequence ? view.title : "\(view.title) – \(view.sequence)"
    line = view.outlook
    let others = status.statuses.dropFirst().compactMap(RunView.init)
    menu = PanelEntry.menu(of: view, title, others, next)
  }

  private static func face(of view: RunView) -> Face {
    if view.isPaused { return .paused }
    if view.activity == .overtime { return .overtime }
    let (position, minute) = (view.position, Int64(60))
    let minutes =
      position.remaining.map { (ClockText.wholeSecondsUp($0) + minute - 1) / minute }
      ?? ClockText.wholeSecondsDown(position.elapsed) / minute
    // Larger units are rounded as the minutes are.
    func inUnits(_ count: Int64, of unit: Int64) -> Int64 {
      (position.remaining == nil ? count : count + unit - 1) / unit
    }
    let hours = inUnits(minutes, of: 60)
    let text =
      minutes < 100 ? "\(minutes)" : hours < 100 ? "\(hours)h" : "\(min(inUnits(hours, of: 24), 99))d"
    return .time(text, isRest: view.isRest)
  }
}

struct PanelEntry: Hashable, Sendable {
  let title: String
  var request: PanelRequest?
  var entries: [PanelEntry] = []

  static let separator = PanelEntry(title: "")

  /// - Parameter title: the title of its step, with that of the sequence.
  static func menu(of view: RunView, _ title: String, _ others: [RunView], _ next: String?) -> [PanelEntry] {
    let labels = RunView.labels([view] + others)
    return [PanelEntry(title: heading(view, title)), .separator] + buttons(for: view)
      + (others.isEmpty ? [] : [.separator])
      + zip(others, labels.dropFirst()).map { other, label in
        PanelEntry(title: heading(other, label), entries: buttons(for: other))
      }
      + (next.map { [.separator, PanelEntry(title: $0)] } ?? [])
      + [
        .separator, PanelEntry(title: translated("Open"), request: .open),
        PanelEntry(title: translated("Stop…"), request: .askStop),
      ]
  }

  private static func heading(_ view: RunView, _ title: String) -> String {
    ([title] + view.stateAndEnd).joined(separator: " · ")
  }

  private static func buttons(for view: RunView) -> [PanelEntry] {
    let isCountdown = view.position.remaining != nil
    let buttons: [RunButton?] = [
      view.isPaused ? .resume : .pause, view.canCountSuspend ? .count : nil,
      view.endsByItself ? .skip : .done, isCountdown ? .extend : nil,
    ]
    let context = RunContext(runID: view.runID, step: view.position.step.index)
    return buttons.compactMap { $0 }.map { PanelEntry(title: $0.title, request: .button($0, context)) }
  }
}

/// Draws icons of the panel: a coloured square with a text in white, which is legible on light and dark panels.
package enum IconDrawing {
  /// The sizes in pixels, and a panel chooses one of them.
  package static let sizes = [16, 22, 32, 48]

  /// A place in pixels, or on the grid of a character.
  private typealias Point = SIMD2<Double>

  /// - Returns: the pixels row by row, each as alpha, red, green and blue, not premultiplied, as StatusNotifierItem has
  ///   them.
  /// - Complexity: O(size²).
  package static func pixels(of face: PanelIcon.Face, size: Int) -> [UInt8] {
    let (text, color) = content(of: face)
    let scale = Double(size) / 16
    let strokes = strokes(of: text, size: Double(size), scale: scale)
    let radius = (text.count > 2 ? 0.65 : 0.85) * scale
    var pixels: [UInt8] = []
    pixels.reserveCapacity(size * size * 4)
    for row in 0..<size {
      for column in 0..<size {
        let center = Point(Double(column) + 0.5, Double(row) + 0.5)
        let square = coverage(distanceToSquare(center, size: Double(size), radius: 3 * scale))
        let stroke = strokes.map { distance(center, to: $0) }.min() ?? .infinity
        let white = coverage(stroke - radius)
        pixels.append(UInt8(square * 255))
        for part in color { pixels.append(UInt8(Double(part) + (255 - Double(part)) * white)) }
      }
    }
    return pixels
  }

  private static func strokes(of text: String, size: Double, scale: Double) -> [[Point]] {
    let characters = text.compactMap { glyphs[$0] }
    // With the strokes' width, two or three characters leave a pixel on each side.
    let (width, gap) = characters.count > 2 ? (3.2, 1.9) : characters.count > 1 ? (4.5, 2.5) : (5, 0)
    let extent = Point(width, 9) * scale
    let advance = extent.x + gap * scale
    let total = Double(characters.count - 1) * advance + extent.x
    let origin = Point((size - total) / 2, (size - extent.y) / 2)
    return characters.enumerated().flatMap { index, lines in
      let corner = origin + Point(Double(index) * advance, 0)
      return lines.map { line in line.map { corner + Point($0.0, $0.1) / Point(4, 6) * extent } }
    }
  }

  private static func content(of face: PanelIcon.Face) -> (text: String, color: [UInt8]) {
    switch face {
    case .time(let text, let isRest): (text, isRest ? [0x26, 0x8c, 0x4e] : [0x1a, 0x5f, 0xb4])
    case .paused: ("p", [0x5e, 0x5c, 0x64])
    case .overtime: ("!", [0xc0, 0x1c, 0x28])
    }
  }

  /// How much of a pixel is inside of a shape, from 0 to 1.
  ///
  /// - Parameter distance: from the center of the pixel to the edge of the shape; negative inside.
  private static func coverage(_ distance: Double) -> Double { min(1, max(0, 0.5 - distance)) }

  private static func distanceToSquare(_ point: Point, size: Double, radius: Double) -> Double {
    let half = size / 2 - radius
    let corner = Point(max(0, abs(point.x - size / 2) - half), max(0, abs(point.y - size / 2) - half))
    return length(corner) - radius
  }

  private static func distance(_ point: Point, to line: [Point]) -> Double {
    zip(line, line.dropFirst()).map { distance(point, $0, $1) }.min() ?? .infinity
  }

  private static func distance(_ point: Point, _ start: Point, _ end: Point) -> Double {
    let (direction, way) = (end - start, point - start)
    let square = (direction * direction).sum()
    let part = square == 0 ? 0 : (way * direction).sum() / square
    return length(way - direction * min(1, max(0, part)))
  }

  private static func length(_ point: Point) -> Double { (point * point).sum().squareRoot() }

  /// The strokes of each character, on a grid 4 wide and 6 high; `p` is the sign of a pause.
  private static let glyphs: [Character: [[(Double, Double)]]] = [
    "0": [[(1, 0), (3, 0), (4, 1), (4, 5), (3, 6), (1, 6), (0, 5), (0, 1), (1, 0)]],
    "1": [[(0.5, 1), (2.4, 0), (2.4, 6)]],
    "2": [[(0, 1), (1, 0), (3, 0), (4, 1), (4, 2), (0, 6), (4, 6)]],
    "3": [[(0, 0), (4, 0), (2, 2.5), (3, 2.5), (4, 3.5), (4, 5), (3, 6), (1, 6), (0, 5.2)]],
    "4": [[(3.2, 6), (3.2, 0), (0, 4.2), (4, 4.2)]],
    "5": [[(4, 0), (0.2, 0), (0, 2.6), (3, 2.6), (4, 3.5), (4, 5), (3, 6), (0, 6)]],
    "6": [[(3.8, 0), (1.5, 0), (0, 1.5), (0, 5), (1, 6), (3, 6), (4, 5), (4, 3.6), (3, 2.7), (0, 2.7)]],
    "7": [[(0, 0), (4, 0), (1.4, 6)]],
    "8": [
      [(1, 0), (3, 0), (4, 1), (4, 2), (3, 2.8), (1, 2.8), (0, 2), (0, 1), (1, 0)],
      [(1, 2.8), (0, 3.8), (0, 5), (1, 6), (3, 6), (4, 5), (4, 3.8), (3, 2.8)],
    ],
    "9": [[(0.2, 6), (2.5, 6), (4, 4.5), (4, 1), (3, 0), (1, 0), (0, 1), (0, 2.4), (1, 3.3), (4, 3.3)]],
    "d": [[(4, 0), (4, 6)], [(4, 3.6), (3, 2.6), (1, 2.6), (0, 3.6), (0, 5), (1, 6), (4, 6)]],
    "h": [[(0, 0), (0, 6)], [(0, 3.6), (1, 2.6), (3, 2.6), (4, 3.6), (4, 6)]],
    "p": [[(0.4, 0.3), (0.4, 5.7)], [(3.6, 0.3), (3.6, 5.7)]],
    "!": [[(2, 0), (2, 3.8)], [(2, 6), (2, 6)]],
  ]
}
