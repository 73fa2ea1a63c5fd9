import SequenceFiles
import SequencePlatform
import SequenceRunner

/// A change that a person makes to a sequence, as a value, so that it can be done again on another text.
enum SequenceEdit: Hashable {
  case rename(String)
  /// Adds a card that is like the one before it, but for its title.
  case addCard(EditorPlace)
  case addGroup(EditorPlace)
  case addCards([String], EditorPlace)
  // Several elements are in the order of the file, and none of them is in another one.
  case duplicate([EditorPlace])
  case delete([EditorPlace])
  /// Moves elements to a place, as it is before the move, one after the other.
  case move([EditorPlace], to: EditorPlace)
  /// Puts elements into one group of two rounds, where the first of them is.
  case wrap([EditorPlace])
  case ungroup(EditorPlace)
  /// Puts a rest after each card of a group, or of the sequence for `nil`.
  case addRests(EditorPlace?, Duration)
  /// Gives a card or a group that repeats another one a text of its own.
  case makeIndependent(EditorPlace)
  case set(EditorPlace, Field)
  /// Gives each of several countdowns a length.
  case setLength([EditorPlace], Duration)
  /// Sets a key of the whole sequence; `nil` removes it.
  case setOption(Option, String?)
  /// Sets the labels of the sequence's runs; none removes the key.
  case setLabels([String])

  enum Field: Hashable {
    case title(String)
    case note(String)
    case timing(Timing)
    /// The time that each round adds; `nil` for none.
    case perRound(Duration?)
    /// A length for each round, or a single one for all of them.
    case lengths([Duration])
    /// The shortest and the longest length before a deadline; `nil` for the usual one.
    case atLeast(Duration?)
    case atMost(Duration?)
    case skipsLastRound(Bool)
    case isRest(Bool)
    case insist(Duration?)
    /// The sound at the start of the card: a name of the theme or a path; `nil` for the usual one.
    case sound(String?)
    case image(String?)
    case rounds(Rounds)
  }

  enum Option: String {
    case onSuspend
    case onLock
    case ring
    case color
    case icon
  }

  var name: String {
    switch self {
    case .rename: translated("Rename")
    case .addCard, .addGroup, .addCards: translated("Add")
    case .duplicate: translated("Duplicate")
    case .delete: translated("Delete")
    case .move: translated("Move")
    case .wrap: translated("Put in a Group")
    case .ungroup: translated("Ungroup")
    case .addRests: translated("Add Rests")
    case .makeIndependent: translated("Make Independent")
    case .set, .setLength, .setOption, .setLabels: translated("Change")
    }
  }

  /// Whether another edit right after this one is about the same number, so that both are one step back.
  func isRepeated(by other: SequenceEdit) -> Bool {
    if case .set(let place, .rounds) = self, case .set(place, .rounds) = other { true } else { false }
  }

  /// The path of the part that the edit needs as it was.
  var path: [YAMLNode.Step] {
    switch self {
    case .rename: [.key("title")]
    case .setOption(let option, _): [.key(option.rawValue)]
    case .setLabels: [.key("labels")]
    case .addCard(let place), .addGroup(let place), .addCards(_, let place): place.list
    case .ungroup(let place), .makeIndependent(let place), .set(let place, _): place.path
    case .duplicate(let places), .delete(let places), .wrap(let places), .setLength(let places, _):
      places.count == 1 ? places[0].path : EditorPlace.commonList(of: places)
    case .addRests(let place, _): place?.inner ?? EditorPlace.cards
    case .move(let places, let to): EditorPlace.commonList(of: places + [to])
    }
  }

  var place: EditorPlace? {
    switch self {
    case .rename, .addRests(nil, _), .setOption, .setLabels: nil
    case .addCard(let place), .addGroup(let place), .addCards(_, let place), .ungroup(let place),
      .addRests(let place?, _), .makeIndependent(let place), .set(let place, _):
      place
    case .duplicate(let places), .delete(let places), .wrap(let places), .move(let places, _),
      .setLength(let places, _):
      places.first
    }
  }

  /// The element that the edit is about, in the text before it; the one above a new element.
  var formerPlace: EditorPlace? {
    switch self {
    case .addCard(var place), .addGroup(var place), .addCards(_, var place):
      place.index = max(0, place.index - 1)
      return place
    default: return place
    }
  }
}

extension EditedSequence {
  /// Returns the new sequence, and the place of the element that the edit is about.
  func applying(_ edit: SequenceEdit) throws(EditorFailure) -> (sequence: EditedSequence, place: EditorPlace?)
  {
    do {
      var draft = Draft(document)
      let place = try draft.apply(edit, to: self)
      let changed = try draft.clean(place)
      return (try EditedSequence(draft.document, in: folder), changed)
    } catch let error as SequenceFileError {
      throw .format(error)
    } catch let failure as EditorFailure {
      throw failure
    } catch DocumentError.anchor {
      throw .isRepeated
    } catch {
      // The document can't remove the text of an alias, for example.
      throw isRepeated(edit.path) ? .isRepeated : .notPossible
    }
  }

  private func isRepeated(_ path: [YAMLNode.Step]) -> Bool {
    document.value.part(at: path)?.hasAnchor ?? false
  }
}
