import CSequenceLinux
import Glibc
package import SequencePlatform

/// The directory of the sequence files that can be started by name.
package struct SequenceLibrary: Hashable, Sendable {
  /// The path of the directory.
  package let path: String

  /// The extensions of sequence files, without the dot.
  package static let extensions = ["yaml", "yml"]

  /// Creates the library of a directory, which may be missing.
  package init(path: String) {
    self.path = path
  }

  /// Creates the library that the environment sets: `$XDG_DATA_HOME/sequence`, or `~/.local/share/sequence`.
  ///
  /// A relative path in the variable is ignored, as the XDG Base Directory Specification requires.
  ///
  /// - Returns: `nil` if `HOME` is needed and not set.
  package init?(environment: EnvironmentVariables) {
    guard let base = environment.directory("XDG_DATA_HOME", orInHome: ".local/share") else { return nil }
    self.init(path: base + "/sequence")
  }

  /// The files of one name in the library.
  package struct Entry: Hashable, Sendable {
    package let name: String
    /// The files with the name: one file, or two with different extensions.
    package let files: [String]
    /// Whether the name is valid UTF-8.
    ///
    /// Otherwise it contains replacement characters, and its path leads to no file.
    package var isText = true
  }

  /// Returns the entries of the library in the order of `NameOrder`, without hidden files and directories.
  ///
  /// - Throws: `SystemError` if the directory exists and cannot be read.
  /// - Complexity: O(n log n) in the number of files; opens none of them.
  package func entries() throws(SystemError) -> [Entry] {
    var files: [String: [String]] = [:]
    var others: [Entry] = []
    for file in try fileNames(inDirectory: path).sorted() where file.unicodeScalars.first != "." {
      guard let name = SequenceLibrary.name(ofFile: file) else { continue }
      switch FileKind(of: path + "/" + file) {
      case .file: files[name, default: []].append(path + "/" + file)
      // The directory lists the file, so the bytes of its name must be different.
      case .nothing where file.contains("\u{FFFD}"):
        others.append(Entry(name: name, files: [path + "/" + file], isText: false))
      case .nothing, .directory, .special: break
      }
    }
    return (files.map { Entry(name: $0.key, files: $0.value) } + others)
      .sorted { NameOrder.precedes($0.name, $1.name) }
  }

  /// Returns the entry of a name; `nil` if there is none.
  ///
  /// Names are compared by canonical equivalence, because a file system may store other bytes for an accented
  /// letter than a keyboard produces.
  ///
  /// - Throws: `SystemError` if the directory exists and cannot be read.
  package func entry(_ name: SequenceName) throws(SystemError) -> Entry? {
    let files = SequenceLibrary.extensions.map { "\(path)/\(name.text).\($0)" }
      .filter { FileKind(of: $0) == .file }
    // ASCII has one composition only, so a file with exactly these bytes exists or there is none.
    guard !name.text.utf8.allSatisfy({ $0 < 0x80 }) else {
      return files.isEmpty ? nil : Entry(name: name.text, files: files)
    }
    return try entries().first { $0.name == name.text && $0.isText }
  }

  /// Returns the path for a new sequence of a name.
  package func newFile(_ name: SequenceName) -> String {
    "\(path)/\(name.text).\(SequenceLibrary.extensions[0])"
  }

  /// Returns the name of a file without its extension; `nil` if it is not the extension of a sequence file.
  package static func name(ofFile file: String) -> String? {
    extensions.first { file.hasSuffix("." + $0) }.map { String(file.dropLast($0.count + 1)) }
  }
}
