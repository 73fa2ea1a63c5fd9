import CSequenceLinux
import Glibc
package import Platform

/// The directory of sequence files that are found by their names.
package struct SequenceLibrary: Hashable, Sendable {
  /// Where it is.
  package let path: String

  /// The extensions of sequence files, without their dots.
  package static let extensions = ["yaml", "yml"]

  /// The library in a directory, which need not be there.
  package init(path: String) {
    self.path = path
  }

  /// The library that the environment asks for: `$XDG_DATA_HOME/sequence`, else `~/.local/share/sequence`.
  ///
  /// A relative path in the variable is ignored, as the XDG Base Directory Specification demands.
  ///
  /// - Returns: `nil` if not even `HOME` is set.
  package init?(environment: EnvironmentVariables) {
    guard let base = environment.directory("XDG_DATA_HOME", orInHome: ".local/share") else { return nil }
    self.init(path: base + "/sequence")
  }

  /// What is in the library under one name.
  package struct Entry: Hashable, Sendable {
    package let name: String
    /// The files of that name: one, or two whose extensions differ.
    package let files: [String]
    /// Whether the name is text; the bytes of one that is not UTF-8 have a replacement character each, and its path
    /// leads to no file.
    package var isText = true
  }

  /// What is in the library, in the order of the names; hidden files and directories are no part of it.
  ///
  /// - Throws: `SystemError` if the directory is there and cannot be read.
  /// - Complexity: O(n log n) in the number of files, none of which is opened.
  package func entries() throws(SystemError) -> [Entry] {
    var files: [String: [String]] = [:]
    var others: [Entry] = []
    for file in try fileNames(inDirectory: path).sorted() where !file.hasPrefix(".") {
      guard let name = SequenceLibrary.name(ofFile: file) else { continue }
      switch FileKind(of: path + "/" + file) {
      case .file: files[name, default: []].append(path + "/" + file)
      // The directory has it, so these are not its bytes.
      case .nothing where file.contains("\u{FFFD}"):
        others.append(Entry(name: name, files: [path + "/" + file], isText: false))
      case .nothing, .directory, .special: break
      }
    }
    return (files.map { Entry(name: $0.key, files: $0.value) } + others).sorted { $0.name < $1.name }
  }

  /// What is in the library under a name; `nil` if there is nothing.
  ///
  /// Letters with accents are the same however they are composed, and a file system may hold other bytes of them than
  /// a keyboard writes.
  ///
  /// - Throws: `SystemError` if the directory is there and cannot be read.
  package func entry(_ name: SequenceName) throws(SystemError) -> Entry? {
    let files = SequenceLibrary.extensions.map { "\(path)/\(name.text).\($0)" }
      .filter { FileKind(of: $0) == .file }
    // What is of one composition only is there by these bytes, or it is not.
    guard !name.text.utf8.allSatisfy({ $0 < 0x80 }) else {
      return files.isEmpty ? nil : Entry(name: name.text, files: files)
    }
    return try entries().first { $0.name == name.text && $0.isText }
  }

  /// Where the sequence of a name is put that is not there yet.
  package func newFile(_ name: SequenceName) -> String {
    "\(path)/\(name.text).\(SequenceLibrary.extensions[0])"
  }

  /// The name of a file without the extension; `nil` if it has not that of a sequence file.
  package static func name(ofFile file: String) -> String? {
    extensions.first { file.hasSuffix("." + $0) }.map { String(file.dropLast($0.count + 1)) }
  }
}
