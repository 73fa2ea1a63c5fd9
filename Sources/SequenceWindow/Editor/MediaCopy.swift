import SequencePlatform
import SequenceClient

/// The copying of pictures and sounds into folders next to a sequence file, so that both can be moved together.
enum MediaCopy {
  /// Copies a file into a folder next to a sequence; a file with the same content is used again.
  ///
  /// - Returns: the path of the copy, relative to the sequence.
  /// - Throws: `Explanation` if the file can't be used; `SystemError`.
  static func copy(_ path: String, into folder: String, beside sequence: String) throws -> String {
    if let problem = MediaFile.problem(path) {
      throw Explanation("\(quote(path)) \(problem)", remedy: translated("choose another file"))
    }
    let content = try readAll(fromFileAt: path, upTo: MediaFile.largest)
    guard content.count <= MediaFile.largest else {
      throw Explanation("\(quote(path)) is still growing", remedy: translated("choose another file"))
    }
    let base = directory(ofFileAt: sequence)
    let name = pathParts(path).last ?? path
    // Already there.
    if path == "\(base)/\(folder)/\(name)" { return "\(folder)/\(name)" }
    try makeDirectory("\(base)/\(folder)")
    for number in 1...10_000 {
      let file = number == 1 ? name : numbered(name, number)
      let target = "\(base)/\(folder)/\(file)"
      if FileKind(of: target) == .nothing {
        try AtomicFile.write(content, to: target, replacing: false)
      } else if try readAll(fromFileAt: target, upTo: MediaFile.largest) != content {
        continue
      }
      return "\(folder)/\(file)"
    }
    throw Explanation(translated("all names are taken"))
  }

  /// A name with a number before its extension.
  static func numbered(_ name: String, _ number: Int) -> String {
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return "\(name) \(number)" }
    return "\(name[..<dot]) \(number)\(name[dot...])"
  }
}
