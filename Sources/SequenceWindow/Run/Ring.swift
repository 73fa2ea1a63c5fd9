import SequencePlatform
import SequencePresentation
import SequenceRunner

/// The ring of a run: a circle around the time or, on a full screen, a frame around the page.
struct Ring {
  let page: RunView
  /// The steps around that of the page; `nil` if the ring has no place for them.
  let steps: StepArcs?
  /// The part that was drawn before the step changed, and how much of the way to the new one is done.
  var change: (former: Double, done: Double)?

  /// Draws the steps of the round around the current step, and the time in it.
  ///
  /// An effort is a full disc with a thick ring around it, and a rest a thin ring. Overtime is dashed, and a pause isn't
  /// filled. The rings have the same diameters in each state.
  func draw(on canvas: Canvas) {
    let circle = canvas.circle
    let round = hasSteps ? max(4, circle.size * 0.035) : 0
    let full = max(4, circle.size * (hasSteps ? 0.045 : 0.055))
    let disc = circle.inset(by: round * 1.6 + full * 1.7)
    // While a window becomes smaller, the ring may have no room for a moment.
    guard disc.size > 0 else { return }
    if page.isFull {
      canvas.use(color())
      canvas.fill(disc)
    }
    drawRings(on: canvas, circle, round: round, full: full, isFilled: !page.isFull)
    drawTime(on: canvas, room: disc.size * 0.9)
  }

  /// Draws the ring of the current step alone, in a list of runs or in the small window.
  func drawSmall(on canvas: Canvas) {
    let size = canvas.circle.size
    drawRings(on: canvas, canvas.circle, round: 0, full: min(size / 6, max(4, size / 9)), isFilled: size > 32)
  }

  private var hasSteps: Bool { page.position.stepCount != 1 }

  /// Draws the same rings along the edge of a full screen.
  func drawFrame(on canvas: Canvas) {
    let size = min(canvas.width, canvas.height)
    let round = hasSteps ? size * 0.016 : 0
    drawRings(
      on: canvas, canvas.rectangle(corner: size * 0.06).inset(by: size * 0.008), round: round,
      full: size * (hasSteps ? 0.024 : 0.032), isFilled: true)
  }

  /// The part of the size of a full screen that the frame has on each side.
  static let frame = 0.008 + 0.016 * 1.6 + 0.024

  /// - Parameters:
  ///   - round: the thickness of the steps; 0 for none.
  ///   - full: the thickness of the current step.
  ///   - isFilled: whether an effort has a light color within the rings.
  private func drawRings(
    on canvas: Canvas, _ outline: Canvas.Outline, round: Double, full: Double, isFilled: Bool
  ) {
    let thickness = page.isRest ? full / 2 : full
    let ring = outline.inset(by: round * 1.6 + thickness / 2 + 1)
    if isFilled, !page.isRest, !page.isPaused {
      canvas.use(color(opacity: 0.15))
      canvas.fill(outline.inset(by: round * 1.6 + full + 1))
    }
    if round > 0 { drawSteps(on: canvas, outline.inset(by: round / 2 + 1), thickness: round) }
    canvas.use(.text(opacity: Shade.track))
    canvas.stroke(ring, thickness: thickness, dash: page.stepProgress == nil ? full : 0)
    canvas.use(color())
    switch page.activity {
    case .countdown, .countUp: canvas.stroke(ring, to: part, thickness: thickness)
    case .overtime: canvas.stroke(ring, thickness: thickness, dash: full / 2)
    case .goalReached: canvas.stroke(ring, thickness: thickness)
    }
  }

  /// The part of the ring that is drawn: while the step changes, between those of both steps.
  var part: Double {
    let aim = Ring.part(of: page)
    return change.map { $0.former + (aim - $0.former) * $0.done } ?? aim
  }

  private static func part(of page: RunView) -> Double {
    switch page.activity {
    case .countdown: 1 - (page.stepProgress ?? 0)
    case .countUp: page.stepProgress ?? 0
    case .overtime, .goalReached: 1
    }
  }

  /// Draws the steps as arcs: done, current and ahead; without arcs, the part of the run that is done.
  private func drawSteps(on canvas: Canvas, _ outline: Canvas.Outline, thickness: Double) {
    let color = Canvas.Color.named(SequenceLook.name(of: page.color))
    let done = page.isPaused ? .text(opacity: Shade.shape) : color
    func arc(from start: Double, to end: Double, _ color: Canvas.Color, thickness: Double) {
      canvas.use(color)
      canvas.stroke(outline, from: start, to: end, thickness: thickness, isRound: false)
    }
    guard let steps else {
      arc(from: 0, to: 1, .text(opacity: Shade.track), thickness: thickness)
      return arc(from: 0, to: page.progress ?? 0, done, thickness: thickness)
    }
    for (place, step) in steps.arcs.enumerated() {
      // The first one follows the last one.
      let gap = thickness / outline.length * (step.beginsRound || place == 0 ? 1 : 0.35)
      let (start, end) = (step.start + gap, step.end)
      let width = step.isRest ? thickness / 2 : thickness
      if place < steps.current {
        arc(from: start, to: end, done, thickness: width)
      } else if place > steps.current {
        arc(from: start, to: end, .text(opacity: Shade.track), thickness: width)
      } else {
        let reached = start + (end - start) * (page.stepProgress ?? 0)
        arc(from: reached, to: end, self.color(opacity: Shade.current), thickness: width)
        arc(from: start, to: reached, self.color(), thickness: width)
      }
    }
  }

  private func drawTime(on canvas: Canvas, room: Double) {
    let center = (x: canvas.width / 2, y: canvas.height / 2)
    // The color of the window on the accent color has the contrast of the accent color on the window.
    canvas.use(page.isFull ? .named("window_bg_color") : .text(opacity: page.isPaused ? Shade.text : 1))
    let height = canvas.text(
      page.directedTime, center: center, height: room * 0.5, maxWidth: room * 0.96, isHeavy: true)
    guard let caption = page.caption else { return }
    let small = max(11, room * 0.1)
    canvas.text(
      caption, center: (center.x, center.y + height / 2 + small * 0.3), height: small, maxWidth: room * 0.6,
      isHeavy: false)
  }

  /// Draws the time of a full screen.
  func drawDigits(on canvas: Canvas, height: Int) {
    canvas.use(page.isPaused ? .text(opacity: Shade.text) : page.isRest ? .text(opacity: 1) : color())
    canvas.digits(page.directedTime, height: min(Double(height), canvas.height))
  }

  private func color(opacity: Double = 1) -> Canvas.Color {
    if page.isPaused { return .text(opacity: Shade.shape) }
    return switch page.activity {
    case .countdown, .countUp: .named(SequenceLook.name(of: page.color), opacity: opacity)
    case .overtime: .named("warning_color", opacity: opacity)
    case .goalReached: .named("success_color", opacity: opacity)
    }
  }

  /// Draws the closed ring of a run that has ended, with a part of its check mark.
  static func drawEnd(_ color: SequenceColor?, part: Double = 1, on canvas: Canvas) {
    let center = (x: canvas.width / 2, y: canvas.height / 2)
    let size = canvas.circle.size
    guard size >= 16 else { return }
    let thickness = max(3, size * 0.055)
    canvas.use(.named(SequenceLook.name(of: color)))
    canvas.stroke(canvas.circle.inset(by: thickness / 2 + 1), thickness: thickness)
    // The stroke down is a third of it.
    let (start, turn, end) = ((-0.19, 0.02), (-0.05, 0.16), (0.2, -0.14))
    func place(_ part: Double, from first: (Double, Double), to second: (Double, Double)) -> (
      x: Double, y: Double
    ) {
      let (x, y) = (first.0 + (second.0 - first.0) * part, first.1 + (second.1 - first.1) * part)
      return (center.x + x * size, center.y + y * size)
    }
    var places = [place(0, from: start, to: turn), place(min(1, part * 3), from: start, to: turn)]
    if part > 1.0 / 3 { places.append(place((part * 3 - 1) / 2, from: turn, to: end)) }
    canvas.lines(places, thickness: max(3, size * 0.08))
  }

  /// Draws the texts about the whole run in a line.
  static func drawWhole(_ page: RunView, on canvas: Canvas) {
    canvas.use(.text(opacity: Shade.text))
    canvas.text(
      page.wholeTexts.joined(separator: " · "), center: (canvas.width / 2, canvas.height / 2),
      height: canvas.height * 0.67, maxWidth: canvas.width, isHeavy: false)
  }

  /// Draws the texts about the whole run at the edges of a full screen, and those below the time between them, where the
  /// buttons appear.
  static func drawWholeLine(_ page: RunView, on canvas: Canvas) {
    canvas.use(.text(opacity: Shade.text))
    let (height, y) = (canvas.height * 0.67, canvas.height / 2)
    let texts =
      page.position.stepCount == 1 ? ["", ""] : [page.roundsText ?? "", page.wholeTexts.last ?? ""]
    for (text, edge) in zip(texts, canvas.isRightToLeft ? [.end, .start] : [Canvas.Edge.start, .end]) {
      canvas.text(text, at: edge, y: y, height: height, maxWidth: canvas.width / 3)
    }
    canvas.text(
      page.caption ?? "", center: (canvas.width / 2, y), height: height, maxWidth: canvas.width / 3,
      isHeavy: false)
  }
}

/// The opacities of text and shapes over the window's background.
///
/// They keep the contrasts of WCAG 2.1: 4.5 for text, 3 for shapes that carry information.
enum Shade {
  /// Text of less importance; the style sheet has the same.
  static let text = 0.75
  /// Shapes, such as the ring of a pause.
  static let shape = 0.65
  /// The room of a ring or bar that isn't done yet; it only has to differ from the part that is done.
  static let track = 0.12
  /// The window over a picture; the style sheet has the same.
  static let scrim = 0.8
  /// The part of the current step that is ahead, in the color of the part that is done.
  static let current = 0.35
}

/// The steps of a run as parts of a circle, in proportion to their lengths.
///
/// They are all steps of the run or, if these are too many to be told apart, those of the outermost round around the
/// current step that has few enough.
struct StepArcs: Equatable {
  struct Arc: Equatable {
    /// Its beginning and end, as fractions of the circle.
    let start: Double
    let end: Double
    let isRest: Bool
    /// Whether it follows a step of another round.
    let beginsRound: Bool
  }

  let arcs: [Arc]
  /// The place of the current step among them.
  let current: Int

  private static let mostSteps = 30
  /// The part of the mean length that the shortest arcs are as long as, so that they can be seen.
  private static let shortest = 0.2

  /// - Returns: `nil` if the run has one step, or too many even in the innermost round.
  ///
  /// - Complexity: O(log steps).
  init?(_ run: ActiveRunSnapshot) {
    guard let range = StepArcs.steps(of: run), range.count > 1 else { return nil }
    let steps = range.map { run.step(at: $0) }
    let known = steps.map { step in
      let target = step.index == run.log.count ? run.target : step.timing.target
      return (target ?? run.timeline.usualLength(of: step.card))?.seconds
    }
    let lengths = known.compactMap { $0 }
    let mean = lengths.isEmpty ? 1 : max(1e-9, lengths.reduce(0, +) / Double(lengths.count))
    let shown = known.map { max($0 ?? mean, mean * StepArcs.shortest) }
    let whole = shown.reduce(0, +)
    var (arcs, before) = ([Arc](), 0.0)
    for (place, step) in steps.enumerated() {
      let start = before / whole
      before += shown[place]
      arcs.append(
        Arc(
          start: start, end: before / whole, isRest: step.card.isRest,
          beginsRound: place > 0 && step.rounds != steps[place - 1].rounds))
    }
    self.arcs = arcs
    current = run.log.count - range.lowerBound
  }

  private static func steps(of run: ActiveRunSnapshot) -> Range<Int>? {
    let (timeline, index) = (run.timeline, run.log.count)
    if let count = timeline.count, count - run.firstStep <= mostSteps { return run.firstStep..<count }
    let rounds = timeline.step(at: index).rounds
    for depth in rounds.indices where rounds[depth].of != 1 {
      /// Whether a step is in the round of the current one; the last step of a group isn't in the first round of the next.
      func isInRound(_ other: Int) -> Bool {
        (run.firstStep..<timeline.end).contains(other)
          && timeline.step(at: other).rounds.prefix(depth + 1) == rounds[...depth]
      }
      var (first, last) = (index, index)
      while last - first < mostSteps, isInRound(first - 1) { first -= 1 }
      while last - first < mostSteps, isInRound(last + 1) { last += 1 }
      if last - first < mostSteps { return first..<last + 1 }
    }
    return nil
  }
}
