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
