public import SequenceRunner

/// Edits of cards and groups by their places, for other programs.
///
/// A place is the index of an element, after those of the groups around it, and empty for the sequence. The document that an
/// edit gives may be no sequence, for example without a card: `SequenceFile.parse` checks that.
extension SequenceDocument {
  /// Sets a key of a card, a group or the sequence, or removes it for `nil`.
  ///
  /// - Parameters:
  ///   - key: the key, such as `countdown`. Setting `cards` replaces all of them.
  ///   - text: the value as it is written in the file, such as `45s`: a text, never a mapping such as `{}`.
  ///   - place: the place of the element; `[]` for the sequence.
  /// - Throws: an `ExplainedError` if there is no such place, or something else would change with it.
  public func setting(
    _ key: String, to text: String?, at place: [Int]
  ) throws -> SequenceDocument {
    try setting(key, to: text.map { .scalar($0) }, at: SequenceDocument.path(place))
  }

  /// Puts a card or a group in the place of another one, whose comments stay if it is an alias.
  ///
  /// - Throws: an `ExplainedError` if there is no such place, or something else would change with it.
  public func replacing(
    at place: [Int], by element: SequenceElement
  ) throws -> SequenceDocument {
    let (index, list) = try SequenceDocument.listPlace(place)
    return try replacing(at: index, in: list, by: YAMLNode(element))
  }

  /// Inserts a card or a group, which gets a place.
  ///
  /// An id that was passed to the card is written, too.
  ///
  /// - Throws: an `ExplainedError` if there is no such place, or something else would change with it.
  public func inserting(
    _ element: SequenceElement, at place: [Int]
  ) throws -> SequenceDocument {
    let (index, list) = try SequenceDocument.listPlace(place)
    return try inserting([YAMLNode(element)], at: index, in: list)
  }

  /// Removes a card or a group with its comments.
  ///
  /// - Throws: an `ExplainedError` if there is no such place, or something else would change with it.
  public func removing(at place: [Int]) throws -> SequenceDocument {
    let (index, list) = try SequenceDocument.listPlace(place)
    return try removing(at: index, in: list)
  }

  /// Moves a card or a group with its comments.
  ///
  /// - Parameters:
  ///   - place: its place.
  ///   - newPlace: the place that it gets; the groups in it are counted as they are before the move.
  /// - Throws: an `ExplainedError` if there is no such place, or something else would change with it.
  public func moving(from place: [Int], to newPlace: [Int]) throws -> SequenceDocument {
    let (index, list) = try SequenceDocument.listPlace(place)
    let (newIndex, newList) = try SequenceDocument.listPlace(newPlace)
    return try moving(at: index, in: list, to: newIndex, in: newList)
  }

  private static func path(_ place: some Collection<Int>) -> [YAMLNode.Step] {
    place.flatMap { [.key("cards"), .index($0)] }
  }

  private static func listPlace(
    _ place: [Int]
  ) throws(DocumentError) -> (index: Int, list: [YAMLNode.Step]) {
    guard let index = place.last else { throw .noSuchPlace }
    return (index, path(place.dropLast()) + [.key("cards")])
  }
}
