import SequencePresentation
import SequenceRunner

enum Ring {
  /// An effort is a full disc with a thick ring around it, and a rest a thin ring.
  ///
  /// Overtime is dashed, and a pause isn't filled. The ring has the same diameter in each state.
  static func draw(_ page: RunView, on canvas: Canvas) {
    let center = (x: canvas.width / 2, y: canvas.height / 2)
    let size = min(canvas.width, canvas.height)
    let full = max(4, size * 0.055)
    let thickness = page.isRest ? full / 2 : full
    let radius = size / 2 - thickness / 2 - 1
    let inner = size / 2 - full * 1.7
    // While a window becomes smaller, the ring may have no room for a moment.
    guard inner > 0 else { return }

    if !page.isRest, !page.isPaused {
      canvas.use(color(page, opacity: page.isFull ? 1 : 0.15))
      canvas.disc(center: center, radius: page.isFull ? inner : size / 2 - full - 1)
    }
    canvas.use(.text(opacity: Shade.track))
    canvas.arc(
      center: center, radius: radius, thickness: thickness, dash: page.stepProgress == nil ? full : 0)
    canvas.use(color(page))
    switch page.activity {
    case .countdown:
      canvas.arc(center: center, radius: radius, to: 1 - (page.stepProgress ?? 0), thickness: thickness)
    case .countUp:
      canvas.arc(center: center, radius: radius, to: page.stepProgress ?? 0, thickness: thickness)
    case .overtime: canvas.arc(center: center, radius: radius, thickness: thickness, dash: full / 2)
    case .goalReached: canvas.arc(center: center, radius: radius, thickness: thickness)
    }

    drawTime(page, on: canvas, center: center, room: inner * 1.8)
  }

  private static func drawTime(
    _ page: RunView, on canvas: Canvas, center: (x: Double, y: Double), room: Double
  ) {
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

  private static func color(_ page: RunView, opacity: Double = 1) -> Canvas.Color {
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

  static func drawWhole(_ page: RunView, on canvas: Canvas) {
    let thickness = max(5, canvas.height * 0.2)
    let texts = page.wholeTexts
    guard let progress = page.progress else {
      canvas.use(.text(opacity: Shade.text))
      canvas.text(
        texts.done, center: (canvas.width / 2, canvas.height / 2), height: canvas.height * 0.5,
        maxWidth: canvas.width, isHeavy: false)
      return
    }
    canvas.use(.text(opacity: Shade.track))
    canvas.line(from: thickness / 2, to: canvas.width - thickness / 2, y: thickness / 2, thickness: thickness)
    if progress > 0 {
      canvas.use(.named(SequenceLook.name(of: page.color)))
      let length = (canvas.width - thickness) * min(1, progress)
      let start = canvas.isRightToLeft ? canvas.width - thickness / 2 : thickness / 2
      canvas.line(
        from: start, to: canvas.isRightToLeft ? start - length : start + length, y: thickness / 2,
        thickness: thickness)
    }
    canvas.use(.text(opacity: Shade.text))
    let (size, y) = (canvas.height * 0.5, (canvas.height + thickness) / 2)
    canvas.text(texts.done, at: canvas.isRightToLeft ? .end : .start, y: y, height: size)
    if let left = texts.left {
      canvas.text(left, at: canvas.isRightToLeft ? .start : .end, y: y, height: size)
    }
  }

  /// Draws the rounds of a group: done ones filled, the current one large, those ahead hollow.
  static func drawDots(_ dots: Step.Round, _ color: SequenceColor?, on canvas: Canvas) {
    guard let count = dots.of else { return }
    let spacing = canvas.width / Double(count)
    let radius = min(canvas.height / 2, spacing / 2) * 0.55
    let line = max(1.5, radius * 0.3)
    for round in 1...count {
      let x = (Double(round) - 0.5) * spacing
      let center = (x: canvas.isRightToLeft ? canvas.width - x : x, y: canvas.height / 2)
      switch round {
      case dots.round:
        canvas.use(.named(SequenceLook.name(of: color)))
        canvas.disc(center: center, radius: radius * 1.4)
      case ..<dots.round:
        canvas.use(.text(opacity: Shade.shape))
        canvas.disc(center: center, radius: radius * 0.8)
      default:
        canvas.use(.text(opacity: Shade.shape))
        canvas.arc(center: center, radius: radius * 0.8 - line / 2, thickness: line)
      }
    }
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
}
