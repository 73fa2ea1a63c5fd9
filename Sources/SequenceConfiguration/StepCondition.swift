import SequenceFiles
package import SequenceRunner

/// The steps that a hook or the cues are for.
package enum StepCondition: Equatable, Sendable {
  case rest
  case work
  /// Cards with a title, in upper or lower case.
  case title(String)

  /// Whether it holds at an event of a run.
  ///
  /// The step is that of the event: the first one at the start of the run, the one that is over at the end of a step, and
  /// the last one at the end of the run.
  package func holds(at event: RunEvent, in run: ActiveRunSnapshot) -> Bool {
    let card = run.timeline.card(at: event.step)
    return switch self {
    case .rest: card.isRest
    case .work: !card.isRest
    case .title(let title): card.title.lowercased() == title
    }
  }

  init(_ node: YAMLNode) throws(SequenceFileError) {
    switch node.content {
    case .scalar("rest"): self = .rest
    case .scalar("work"): self = .work
    case .mapping:
      let title = try Fields(node, of: "when", known: ["title"]).required("title")
      guard case .scalar(let text) = title.content, !text.isEmpty else {
        throw wrong("title must be the title of a card, not \(title.kind)", title)
      }
      self = .title(text.lowercased())
    case .scalar, .list:
      throw wrong(
        "when must be rest, work or a title, not \(node.kind)", remedy: "for a title, write { title: Focus }",
        node)
    }
  }
}
