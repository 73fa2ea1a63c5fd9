import SequenceFiles

/// A place in the tree of a sequence file: before the element with an index in a list of cards and groups, or after
/// the last one.
struct EditorPlace: Hashable {
  /// The path of the list.
  var list: [YAMLValue.Step]
  var index: Int

  /// The path of the cards of a sequence.
  static let cards: [YAMLValue.Step] = [.key("cards")]

  /// The path of the element at the place.
  var path: [YAMLValue.Step] { list + [.index(index)] }
  /// The path of the cards of the group at the place.
  var inner: [YAMLValue.Step] { path + [.key("cards")] }
  /// The number of groups around it.
  var depth: Int { list.count / 2 }
  /// The place of the group around it; `nil` outside of groups.
  var group: EditorPlace? {
    guard list.count > 2, case .index(let index) = list[list.count - 2] else { return nil }
    return EditorPlace(list: Array(list.dropLast(2)), index: index)
  }

  /// The same place after an element was removed.
  func afterRemoval(of removed: EditorPlace) -> EditorPlace { shifted(by: -1, at: removed) { $0 > $1 } }

  /// The place of the same element after another one was inserted.
  func afterInsertion(at inserted: EditorPlace) -> EditorPlace { shifted(by: 1, at: inserted) { $0 >= $1 } }

  private func shifted(by distance: Int, at other: EditorPlace, if isBehind: (Int, Int) -> Bool)
    -> EditorPlace
  {
    var place = self
    if list == other.list {
      if isBehind(index, other.index) { place.index += distance }
    } else if list.count > other.list.count, list.starts(with: other.list),
      case .index(let around) = list[other.list.count], isBehind(around, other.index)
    {
      place.list[other.list.count] = .index(around + distance)
    }
    return place
  }
}
