import SequenceClient
import SequenceFiles
import SequencePlatform
import SequencePresentation
import SequenceRunner

/// The color and the icon of a sequence, and its first letter if it has no icon.
struct SequenceLook: Equatable {
  let color: SequenceColor?
  let glyph: String

  init(_ sequence: SequenceDefinition) {
    color = sequence.color
    glyph = TextSafety.sanitised(sequence.icon ?? String(sequence.title.prefix(1)).uppercased())
  }

  init(_ starter: Starter) {
    color = starter.color
    glyph = String(starter.title.prefix(1))
  }

  /// The look of a sequence that has a color or an icon; a timer has neither.
  init?(chosenFor sequence: SequenceDefinition) {
    guard sequence.color != nil || sequence.icon != nil else { return nil }
    self.init(sequence)
  }

  /// Returns the name of a color for people.
  static func words(_ color: SequenceColor) -> String {
    switch color {
    case .blue: translated("Blue")
    case .teal: translated("Teal")
    case .green: translated("Green")
    case .yellow: translated("Yellow")
    case .orange: translated("Orange")
    case .red: translated("Red")
    case .pink: translated("Pink")
    case .purple: translated("Purple")
    case .slate: translated("Slate")
    }
  }

  /// The name of a color in the style sheet.
  static func name(of color: SequenceColor?) -> String {
    color.map { "sequence_\($0.rawValue)" } ?? "accent_color"
  }

  func badge() throws(Problem) -> Label {
    let badge = try Label.make(glyph, classes: "badge")
    if let color { badge.set(class: color.rawValue, true) }
    badge.centerVertically()
    // The title says it.
    badge.hideFromScreenReaders()
    return badge
  }
}

/// The sequences on the first page, as cards: a click opens one, and its button starts it.
final class SequenceCards {
  private let box: FlowBox
  private var shown: [Card] = []
  private static let longestTitle = 20
  /// Opens or starts a card, by its place.
  var onOpen: (Int) -> Void = { _ in }
  var onStart: (Int) -> Void = { _ in }

  struct Card: Equatable {
    let look: SequenceLook
    let title: String
    let facts: String
  }

  init(_ box: FlowBox) {
    self.box = box
    box.onChild { [unowned self] in onOpen($0) }
  }

  func show(_ cards: [Card]) throws(Problem) {
    // The card that has the focus keeps it.
    guard cards != shown else { return }
    shown = cards
    box.removeChildren()
    for (index, card) in cards.enumerated() {
      let interface = try Interface(PackageResources.card_ui)
      let child: FlowBoxChild = try interface.object("sequence_card")
      let (title, facts): (Label, Label) = (
        try interface.object("card_title"), try interface.object("card_facts")
      )
      (title.text, facts.text) = (card.title, card.facts)
      try (interface.object("card_badge") as Bin).setChild(card.look.badge())
      child.setAccessibleName(card.title)
      child.setAccessibleDescription(card.facts)
      // A shorter title is there in full.
      child.setTooltip(card.title.count > SequenceCards.longestTitle ? card.title : nil)
      let start: Button = try interface.object("card_start")
      start.setAccessibleName(translated("Start {}", card.title))
      start.setTooltip(translated("Start {}", card.title))
      start.onClicked { [unowned self] in onStart(index) }
      let actions = try ActionGroup.make()
      try actions.add("open") { [unowned self] in onOpen(index) }
      child.insert(actions, prefix: "card")
      box.append(child)
    }
  }
}
