import CSequenceLinux
import Glibc
public import SequencePlatform

/// The directory of the sequence files that can be started by name.
public struct SequenceLibrary: Hashable, Sendable {
  /// The path of the directory.
  public let path: String

  /// The extensions of sequence files, without the dot.
  package static let extensions = ["yaml", "yml"]

  /// Creates the library of a directory, which may be missing.
  public init(path: String) {
    self.path = path
  }

  /// The library of the command `sequence` in the environment of this process; `nil` if `HOME` is needed and not set.
  public static var user: SequenceLibrary? { SequenceLibrary(environment: .process) }

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
    /// The file name without its extension.
    package let name: String
    /// The files with the name: one file, or two with different extensions, which `sequence` refuses.
    package let files: [String]
    /// Whether the name is valid UTF-8.
    ///
    /// Otherwise it contains replacement characters, and its path leads to no file.
    package internal(set) var isText = true
  }

  /// Returns the names of the sequences in the library, as people sort them.
  ///
  /// - Throws: `SystemError` if the directory exists and cannot be read.
  /// - Complexity: O(n log n) in the number of files; opens none of them.
  public func names() throws(SystemError) -> [String] { try entries().filter(\.isText).map(\.name) }

  /// Returns the path of the file with a name; `nil` if there is none.
  ///
  /// - Throws: `Problem` for a name that no file of the library can have, such as one with a slash, or that two files
  ///   have; `SystemError` if the directory exists and cannot be read.
  public func path(of name: String) throws -> String? {
    guard let entry = try entry(SequenceName(name)) else { return nil }
    guard entry.files.count == 1 else { throw SequenceLibrary.ambiguity(name, entry.files) }
    return entry.files.first
  }

  package static func ambiguity(_ name: String, _ files: [String]) -> Problem {
    Problem(
      "several files are named \(quote(name)): \(files.joined(separator: ", "))", remedy: "rename one of them"
    )
  }

  /// Returns the entries of the library as people sort names, without hidden files and directories.
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

  /// Writes a new file into the library, which is created if it is missing.
  ///
  /// - Parameters:
  ///   - text: the text of the file, which isn't checked.
  ///   - name: its name without an extension.
  /// - Returns: the path of the file.
  /// - Throws: `Problem` for a name that no file of the library can have; `SystemError`, with `EEXIST` if there is a file
  ///   with this name. It stays.
  public func add(_ text: String, named name: String) throws -> String {
    let name = try SequenceName(name)
    let file = newFile(name)
    guard try entry(name) == nil else { throw SystemError(call: "write \(file)", code: EEXIST) }
    try makeDirectory(path)
    try AtomicFile.write(text, to: file, replacing: false)
    return file
  }

  /// Returns the entry of a name; `nil` if there is none.
  ///
  /// Names are compared by canonical equivalence, because a file system may store other bytes for an accented
  /// letter than a keyboard produces.
  ///
  /// - Throws: `SystemError` if the directory exists and cannot be read.
  package func entry(_ name: SequenceName) throws(SystemError) -> Entry? {
    var files = SequenceLibrary.extensions.map { "\(path)/\(name.text).\($0)" }
      .filter { FileKind(of: $0) == .file }
    // A file that can't be looked at may not be there; reading it says why.
    if files.count > 1 {
      let known = files.filter { FileIdentity(path: $0) != nil }
      files = known.isEmpty ? Array(files.prefix(1)) : known
    }
    // ASCII has one composition only, so a file with exactly these bytes exists or there is none.
    guard !name.text.utf8.allSatisfy({ $0 < 0x80 }) else {
      return files.isEmpty ? nil : Entry(name: name.text, files: files)
    }
    return try entries().first { $0.name == name.text && $0.isText }
  }

  package func newFile(_ name: SequenceName) -> String {
    "\(path)/\(name.text).\(SequenceLibrary.extensions[0])"
  }

  package static func name(ofFile file: String) -> String? {
    extensions.first { file.hasSuffix("." + $0) }.map { String(file.dropLast($0.count + 1)) }
  }
}

/// The name of a sequence in the library: its file name without the extension.
package struct SequenceName: Hashable, Sendable {
  package let text: String

  /// The largest number of bytes in a name, which leaves room for the extension in a file name.
  private static let longest = 250

  package init(_ text: String) throws(Problem) {
    if let defect = SequenceName.defect(of: text) { throw Problem(defect) }
    self.text = text
  }

  /// Why a text could lead out of the library or be taken for an option; `nil` if it can be a name.
  package static func defect(of text: String) -> LocalizedText? {
    // By code points, as the file system and option parsers compare: a mark behind a slash doesn't hide it.
    guard let first = text.unicodeScalars.first, let last = text.last else { return "it is empty" }
    if text.unicodeScalars.contains("/") { return "it contains a slash" }
    if first == "." || first == "-" { return "it begins with a \(String(first))" }
    if first.properties.isWhitespace || last.isWhitespace { return "it begins or ends with a space" }
    if !TextSafety.isSafe(text) { return "it contains control characters" }
    if text.utf8.count > longest { return "it has more than \(longest) bytes" }
    return nil
  }
}

/// The order of names in lists: numbers in them count as numbers, and case doesn't matter, so that `Workout 2` comes
/// before `workout 10`.
package enum NameOrder {
  package static func precedes(_ left: String, _ right: String) -> Bool {
    let (first, second) = (parts(left), parts(right))
    for (a, b) in zip(first, second) where a != b { return a < b }
    // Names with the same parts, such as `1` and `01`, still have one order.
    return first.count == second.count ? left < right : first.count < second.count
  }

  private enum Part: Comparable {
    /// The digits without leading zeros, which compare by their count first: a number can be longer than any integer.
    case number(count: Int, digits: String)
    case text(String)
  }

  private static func parts(_ name: String) -> [Part] {
    var parts: [Part] = []
    var rest = name.lowercased()[...]
    while let first = rest.first {
      let isNumber = isDigit(first)
      let part = rest.prefix { isDigit($0) == isNumber }
      rest = rest.dropFirst(part.count)
      let digits = part.drop { $0 == "0" }
      parts.append(isNumber ? .number(count: digits.count, digits: String(digits)) : .text(String(part)))
    }
    return parts
  }

  private static func isDigit(_ character: Character) -> Bool { character.isASCII && character.isNumber }
}
