import Glibc
import SequenceClient
import SequenceFiles
import SequencePlatform
import SequenceRunner

struct LibraryControl {
  let context: ClientContext

  func createEmpty() throws -> String {
    let (title, card) = (translated("New sequence"), translated("New card"))
    return try NewSequence.write(
      SequenceDocument(
        Array(
          """
          title: \(title)
          cards:
            - title: \(card)
              countdown: 30s

          """.utf8)), context)
  }

  func create(_ starter: Starter) throws -> String {
    try NewSequence.write(starter.document(), named: starter.rawValue, context)
  }

  /// The title gets a number if another sequence of the library has it.
  func create(_ sequence: SequenceDefinition) throws -> String {
    let taken = Set(try ListedSequence.all(of: context.library()).compactMap { $0.content?.title })
    var (title, number) = (sequence.title, 1)
    while taken.contains(title) {
      number += 1
      title = "\(sequence.title) \(number)"
    }
    let document = try SequenceDocument(sequence)
    guard title != sequence.title, !SequenceLimits.isTooLong(title) else {
      return try NewSequence.write(document, context)
    }
    return try NewSequence.write(document.setting("title", to: .scalar(title)), context)
  }

  func add(_ imported: ImportedSequence) throws -> String {
    try NewSequence.write(imported.document, named: imported.name, context)
  }

  /// The copy is another sequence with the same pictures and sounds.
  func duplicate(_ path: String) throws -> String {
    try SequenceSource.requireRegular(path)
    let bytes = try readAll(fromFileAt: path, upTo: SequenceLimits.largestFile)
    var copy = try SequenceDocument(bytes)
    let title = copy.value["title"]?.text ?? ""
    let folder = directory(ofFileAt: path)
    let sequence = try SequenceFile.parse(bytes, in: folder)
    let new = translated("Copy of {}", title)
    if !SequenceLimits.isTooLong(new) { copy = try copy.setting("title", to: .scalar(new)) }
    let isFromLibrary = try context.library().path == folder
    for (place, card) in LibraryControl.cards(sequence.definition.elements, EditorPlace.cards) {
      // Another card repeats a card without a text of its own.
      guard let written = copy.value.part(at: place) else { continue }
      if written["id"] != nil { copy = try copy.setting("id", to: nil, at: place) }
      guard !isFromLibrary else { continue }
      for (key, file) in [("image", card.image), ("sound", card.sound)] {
        // Paths in the copy would be relative to the library.
        guard let file, isAbsolute(file), written[key] != nil else { continue }
        copy = try copy.setting(key, to: .scalar(file), at: place)
      }
    }
    return try NewSequence.write(copy, context)
  }

  private static func cards(
    _ elements: [SequenceElement], _ list: [YAMLNode.Step]
  ) -> [(path: [YAMLNode.Step], card: Card)] {
    elements.enumerated().flatMap { index, element -> [(path: [YAMLNode.Step], card: Card)] in
      let place = EditorPlace(list: list, index: index)
      switch element {
      case .card(let card): return [(place.path, card)]
      case .group(let group): return cards(group.elements, place.inner)
      }
    }
  }

  /// Gives a sequence another title; its id and its file name stay.
  func rename(_ path: String, to title: String) throws {
    _ = try EditorSession(path).perform(.rename(title))
  }

  /// - Throws: `Message` if there is no trash.
  func moveToTrash(_ path: String) throws -> Trashed {
    // Anything else, such as a link or a file that is too large for a sequence, comes back from the trash of the desktop
    // only.
    var (bytes, status) = ([UInt8]?.none, stat())
    if unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG {
      do throws(SystemError) {
        bytes = try readAll(fromFileAt: path, upTo: SequenceLimits.largestFile)
      } catch {
        // So does a file that can't be read.
      }
    }
    try Trash.move(path)
    return Trashed(
      path: path, mode: status.st_mode & 0o7777,
      bytes: bytes.flatMap { $0.count <= SequenceLimits.largestFile ? $0 : nil })
  }

  struct Trashed {
    let path: String
    fileprivate let mode: UInt32
    fileprivate let bytes: [UInt8]?
    var canReturn: Bool { bytes != nil }

    /// Writes the file again with its permissions, unless there is another one in its place.
    func restore() throws(SystemError) {
      guard let bytes else { return }
      try AtomicFile.write(bytes, to: path, mode: mode, replacing: false)
      // The umask has taken some of them away.
      _ = try SystemError.check("restore the permissions of \(path)") { unsafe chmod(path, mode) }
    }
  }
}

struct ImportedSequence: Sendable {
  let document: SequenceDocument
  let name: String
  /// The parts of the file that have no place in a sequence; `nil` if all of it was converted.
  let report: String?

  private static let limit = Duration.seconds(20)

  /// Converts a file with `sequence-agent --import`; takes up to its limit.
  init(_ path: String, _ environment: EnvironmentVariables, _ clock: any ClockSource) throws {
    name = ImportedSequence.stem(ofFile: pathParts(path).last ?? path)
    do {
      let workout = try AgentProgram.convert(
        path, by: try AgentLauncher.path(), environment, within: ImportedSequence.limit, clock)
      document = try SequenceDocument(Array(workout.text.utf8))
      report = ImportedSequence.text(of: workout.report)
    } catch let error as ImportError {
      throw ImportedSequence.explanation(of: error, in: path)
    }
  }

  static func stem(ofFile file: String) -> String {
    let end = file.unicodeScalars.lastIndex(of: ".") ?? file.endIndex
    return end == file.startIndex ? file : String(file[..<end])
  }

  /// The problem, with the path that the user has just chosen only if it is a place with a line.
  static func explanation(of error: ImportError, in path: String) -> Problem {
    error.line == nil ? error.problem : error.problem(inFile: path)
  }

  static func text(of report: ImportReport) -> String? {
    let lines = report.lines.map { TextSafety.sanitised($0.translation).capitalizedFirst }
    return lines.isEmpty ? nil : lines.joined(separator: "\n")
  }
}
