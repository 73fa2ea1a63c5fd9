package import SequenceFiles
package import SequenceRunner

/// A sequence of the library, or the mistake in its file.
package struct ListedSequence {
  package let name: String
  package let path: String
  /// The sequence; `nil` if its file has a mistake.
  package let content: SequenceDefinition?
  /// The mistake in the file; `nil` if there is none.
  package let mistake: Explanation?
  /// The number of steps and the length; `nil` if the file has a mistake.
  package let length: SequenceLength?

  init(_ entry: SequenceLibrary.Entry) {
    name = entry.name
    path = entry.files[0]
    do {
      let file = try SequenceLookup.file(of: entry)
      try SequenceLookup.requireName(entry)
      let parsed = try SequenceSource.read(file, as: file)
      content = parsed.definition
      length = SequenceLength(parsed.timeline)
      mistake = nil
    } catch {
      content = nil
      length = nil
      mistake = Explanation(error)
    }
  }
}

extension SequenceLibrary {
  /// The sequences of the library, in the order of their names.
  ///
  /// - Throws: `SystemError` if the directory exists and can't be read.
  /// - Complexity: O(size of all files).
  package func sequences() throws -> [ListedSequence] { try entries().map(ListedSequence.init) }
}
