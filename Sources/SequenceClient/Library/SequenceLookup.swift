package import SequencePlatform
package import SequenceFiles

package struct SequenceLookup {
  /// The library; `nil` if the environment has no place for one.
  package let library: SequenceLibrary?
  let kind: (String) -> FileKind

  package init(library: SequenceLibrary?, kind: @escaping (String) -> FileKind = FileKind.init(of:)) {
    self.library = library
    self.kind = kind
  }

  package struct Match: Equatable {
    package let path: String
    /// The file of the library that has the same name and was not meant.
    package var hidden: String?
  }

  /// A word with a slash, or with the extension of a sequence file, is a path.
  ///
  /// So is the name of a file in the working directory, but not of a directory. Any other word is a name in the
  /// library.
  package func find(_ word: String) throws -> Match {
    guard SequenceLookup.isName(word) else { return Match(path: word) }
    let inLibrary = try entry(word).map(SequenceLookup.file)
    switch kind(word) {
    case .file, .special: return Match(path: word, hidden: inLibrary)
    case .directory, .nothing: break
    }
    guard let inLibrary else { throw try unknown(word) }
    return Match(path: inLibrary)
  }

  /// Whether a word is a name in the library, unless a file has this name.
  package static func isName(_ word: String) -> Bool {
    word != "-" && !word.unicodeScalars.contains("/") && SequenceLibrary.name(ofFile: word) == nil
  }

  static func file(of entry: SequenceLibrary.Entry) throws(ClientError) -> String {
    guard entry.files.count == 1 else { throw .ambiguousSequence(entry.name, files: entry.files) }
    return entry.files[0]
  }

  static func requireName(_ entry: SequenceLibrary.Entry) throws(ClientError) {
    guard entry.isText else { throw .unusableFileName(entry.files[0], problem: "it is not UTF-8") }
    if let defect = SequenceName.defect(of: entry.name) {
      throw .unusableFileName(entry.files[0], problem: defect)
    }
  }

  private func entry(_ word: String) throws -> SequenceLibrary.Entry? {
    // The library has only usable names.
    guard SequenceName.defect(of: word) == nil else { return nil }
    return try library?.entry(SequenceName(word))
  }

  private func unknown(_ word: String) throws -> ClientError {
    let entries = try library?.entries() ?? []
    // A file with this name may exist that no word can name.
    if let same = entries.first(where: { $0.name == word }) { try SequenceLookup.requireName(same) }
    let names = entries.filter(\.isText).map(\.name).filter { SequenceName.defect(of: $0) == nil }
    return .unknownSequence(word, near: NearNames.of(word, among: names))
  }
}
