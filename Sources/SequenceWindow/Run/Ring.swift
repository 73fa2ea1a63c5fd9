import SequencePresentation
import SequenceRunner

/// The ring of a run, which the page shows around the time.
struct Ring {
  let page: RunView
  /// The steps around that of the page; `nil` if the ring has no place for them.
  let steps: StepArcs?

  /// Draws the steps of the round around the current step.
  ///
  /// An effort is a full disc with a thick ring around it, and a rest a thin ring. Overtime is dashed, and a pause isn't
  /// filled. The rings have the same diameters in each state.
  func draw(on canvas: Canvas) {
    let center = (x: canvas.width / 2, y: canvas.height / 2)
    let size = min(canvas.width, canvas.height)
    let round = page.position.stepCount == 1 ? 0 : max(4, size * 0.035)
    let outer = size / 2 - round * 1.6
    let full = max(4, size * (round > 0 ? 0.045 : 0.055))
    let thickness = page.isRest ? full / 2 : full
    let radius = outer - thickness / 2 - 1
    let inner = outer - full * 1.7
    // While a window becomes smaller, the ring may have no room for a moment.
    guard inner > 0 else { return }

    if round > 0 { drawSteps(on: canvas, center, radius: size / 2 - round / 2 - 1, thickness: round) }
    if !page.isRest, !page.isPaused {
      canvas.use(color(opacity: page.isFull ? 1 : 0.15))
      canvas.disc(center: center, radius: page.isFull ? inner : outer - full - 1)
    }
    canvas.use(.text(opacity: Shade.track))
    canvas.arc(
      center: center, radius: radius, thickness: thickness, dash: page.stepProgress == nil ? full : 0)
    canvas.use(color())
    switch page.activity {
    case .countdown:
      canvas.arc(center: center, radius: radius, to: 1 - (page.stepProgress ?? 0), thickness: thickness)
    case .countUp:
      canvas.arc(center: center, radius: radius, to: page.stepProgress ?? 0, thickness: thickness)
    case .overtime: canvas.arc(center: center, radius: radius, thickness: thickness, dash: full / 2)
    case .goalReached: canvas.arc(center: center, radius: radius, thickness: thickness)
    }

    drawTime(on: canvas, center: center, room: inner * 1.8)
  }

  /// Draws the steps as arcs: done, current and ahead; without arcs, the part of the run that is done.
  private func drawSteps(
    on canvas: Canvas, _ center: (x: Double, y: Double), radius: Double, thickness: Double
  ) {
    let done = Canvas.Color.named(SequenceLook.name(of: page.color))
    let isDone = page.isPaused ? .text(opacity: Shade.shape) : done
    func arc(from start: Double, to end: Double, _ color: Canvas.Color, thickness: Double) {
      canvas.use(color)
      canvas.arc(
        center: center, radius: radius, from: start, to: end, thickness: thickness, isRound: false)
    }
    guard let steps else {
      arc(from: 0, to: 1, .text(opacity: Shade.track), thickness: thickness)
      return arc(from: 0, to: page.progress ?? 0, isDone, thickness: thickness)
    }
    let pixel = 1 / (2 * Double.pi * radius)
    for (place, step) in steps.arcs.enumerated() {
      // The first one follows the last one.
      let gap = pixel * thickness * (step.beginsRound || place == 0 ? 1 : 0.35)
      let (start, end) = (step.start + gap, step.end)
      let width = step.isRest ? thickness / 2 : thickness
      if place < steps.current {
        arc(from: start, to: end, isDone, thickness: width)
      } else if place > steps.current {
        arc(from: start, to: end, .text(opacity: Shade.track), thickness: width)
      } else {
        let reached = start + (end - start) * (page.stepProgress ?? 0)
        arc(from: reached, to: end, color(opacity: Shade.current), thickness: width)
        arc(from: start, to: reached, color(), thickness: width)
      }
    }
  }

  private func drawTime(on canvas: Canvas, center: (x: Double, y: Double), room: Double) {
    // The color of the window on the accent color has the contrast of the accent color on the window.
    canvas.use(page.isFull ? .named("window_bg_color") : .text(opacity: page.isPaused ? Shade.text : 1))
    let height = canvas.text(
      page.time, center: center, height: room * 0.5, maxWidth: room * 0.96, isHeavy: true)
    guard let caption = page.caption else { return }
    let small = max(11, room * 0.1)
    canvas.text(
      caption, center: (center.x, center.y + height / 2 + small * 0.3), height: small, maxWidth: room * 0.6,
      isHeavy: false)
  }

  private func color(opacity: Double = 1) -> Canvas.Color {
    if page.isPaused { return .text(opacity: Shade.shape) }
    return switch page.activity {
    case .countdown, .countUp: .named(SequenceLook.name(of: page.color), opacity: opacity)
    case .overtime: .named("warning_color", opacity: opacity)
    case .goalReached: .named("success_color", opacity: opacity)
    }
  }

  /// Draws the closed ring of a run that has ended, with a check mark.
  static func drawEnd(_ color: SequenceColor?, on canvas: Canvas) {
    let center = (x: canvas.width / 2, y: canvas.height / 2)
    let size = min(canvas.width, canvas.height)
    guard size >= 32 else { return }
    let thickness = max(3, size * 0.055)
    canvas.use(.named(SequenceLook.name(of: color)))
    canvas.arc(center: center, radius: size / 2 - thickness / 2 - 1, thickness: thickness)
    let places = [(-0.19, 0.02), (-0.05, 0.16), (0.2, -0.14)]
    canvas.lines(
      places.map { (center.x + $0.0 * size, center.y + $0.1 * size) }, thickness: max(3, size * 0.08))
  }

  /// Draws the texts about the whole run in a line; on a full screen, the buttons have its middle.
  static func drawWhole(_ page: RunView, on canvas: Canvas, isFullScreen: Bool) {
    canvas.use(.text(opacity: Shade.text))
    let (texts, height, y) = (page.wholeTexts, canvas.height * 0.67, canvas.height / 2)
    guard isFullScreen else {
      canvas.text(
        texts.joined(separator: " · "), center: (canvas.width / 2, y), height: height, maxWidth: canvas.width,
        isHeavy: false)
      return
    }
    canvas.text(
      texts.count > 1 ? texts[0] : "", at: canvas.isRightToLeft ? .end : .start, y: y, height: height)
    canvas.text(texts.last ?? "", at: canvas.isRightToLeft ? .start : .end, y: y, height: height)
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
  /// The part of the current step that is ahead, in the color of the part that is done.
  static let current = 0.35
}
