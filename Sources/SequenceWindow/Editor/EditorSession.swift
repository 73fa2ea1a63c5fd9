import Glibc
import SequenceClient
import SequenceFiles
import SequencePlatform
import SequenceRunner

/// The editing of one sequence file: its content, the undo stack, and the writing of each edit.
///
/// The file is the truth. Each edit is written at once, unless another program has changed the file. Then the edit is
/// done on the new text, if the part that it needs is still the same there. Every text that was replaced can be brought
/// back with undo, that of other programs too.
final class EditorSession {
  let path: String
  private(set) var state: State
  private var undoStack: [Entry] = []
  private var redoStack: [Entry] = []

  enum State {
    case editing(EditedSequence)
    /// The file has a mistake, or can't be read; the bytes are those that were read.
    case unreadable(SequenceFileError, [UInt8])
    /// The file is too large for a sequence, so only its beginning was read, which is not kept.
    case tooLarge(SequenceFileError)

    var sequence: EditedSequence? { if case .editing(let sequence) = self { sequence } else { nil } }

    var bytes: [UInt8] {
      switch self {
      case .editing(let sequence): sequence.document.bytes
      case .unreadable(_, let bytes): bytes
      case .tooLarge: []
      }
    }
  }

  private struct Entry {
    let name: String
    let bytes: [UInt8]
    /// The edit that replaced it; `nil` for one of another program.
    var edit: SequenceEdit?
    /// The element that the edit is about, in the text before the edit and in the one after it.
    var former: EditorPlace?
    var new: EditorPlace?
  }

  /// The texts that can be brought back; more than a person undoes.
  private static let mostEntries = 1000
  private static let mostAttempts = 100

  init(_ path: String) {
    self.path = path
    state = EditorSession.read(path)
  }

  private static func read(_ path: String) -> State {
    switch bytes(ofFileAt: path) {
    case .success(let bytes): state(of: bytes, path)
    case .failure(let error): .unreadable(error, [])
    }
  }

  private static func bytes(ofFileAt path: String) -> Result<[UInt8], SequenceFileError> {
    Result { () throws(SequenceFileError) in
      try SequenceFile.requireRegular(path)
      return try SequenceFile.bytes(ofFileAt: path)
    }
  }

  private static func state(of bytes: [UInt8], _ path: String) -> State {
    do throws(SequenceFileError) {
      return .editing(try EditedSequence(bytes, in: directory(ofFileAt: path)))
    } catch {
      return bytes.count > SequenceLimits.largestFile ? .tooLarge(error) : .unreadable(error, bytes)
    }
  }

  var isWritable: Bool { unsafe access(path, W_OK) == 0 || errno == ENOENT }

  var undoName: String? { canBringBack ? undoStack.last?.name : nil }
  var redoName: String? { canBringBack ? redoStack.last?.name : nil }

  /// Whether another text can take the place of the one in the file, which could be brought back in turn.
  private var canBringBack: Bool { if case .tooLarge = state { false } else { true } }

  /// Returns whether another program has changed the file.
  func reload() -> Bool {
    let new: State
    switch EditorSession.bytes(ofFileAt: path) {
    case .success(let bytes):
      // Each edit changes the file, too: a text that is known isn't parsed again.
      if !bytes.isEmpty, bytes == state.bytes { return false }
      new = EditorSession.state(of: bytes, path)
    case .failure(let error): new = .unreadable(error, [])
    }
    if case (.unreadable(let old, _), .unreadable(let error, let bytes)) = (state, new), old == error,
      bytes == state.bytes
    {
      return false
    }
    if case (.tooLarge, .tooLarge) = (state, new) { return false }
    adopt(new)
    return true
  }

  private func adopt(_ new: State) {
    if !state.bytes.isEmpty, state.bytes != new.bytes {
      push(Entry(name: translated("Change in Another Program"), bytes: state.bytes))
    }
    state = new
  }

  private func push(_ entry: Entry) {
    undoStack.append(entry)
    if undoStack.count > EditorSession.mostEntries { undoStack.removeFirst() }
    redoStack = []
  }

  // MARK: - Edits

  /// Returns the place of the element that the edit is about, and whether another program had changed the file.
  func perform(_ edit: SequenceEdit) throws(EditorFailure) -> (place: EditorPlace?, wasChanged: Bool) {
    guard let first = state.sequence else { throw .unreadable }
    var wasChanged = false
    for _ in 0..<EditorSession.mostAttempts {
      guard let sequence = state.sequence else { throw .unreadable }
      guard !wasChanged || sequence.hasSame(edit.path, as: first) else { throw .changed }
      let (new, place) = try sequence.applying(edit)
      guard new.document != sequence.document else { return (place, wasChanged) }
      if try write(.editing(new), insteadOf: sequence.document.bytes) {
        // The steps of a number are one edit.
        if undoStack.last?.edit?.isRepeated(by: edit) == true {
          redoStack = []
        } else {
          push(
            Entry(
              name: edit.name, bytes: sequence.document.bytes, edit: edit, former: edit.formerPlace,
              new: place))
        }
        return (place, wasChanged)
      }
      wasChanged = true
    }
    throw .changed
  }

  /// Returns `false` if the text of another program was taken over instead.
  private func write(_ new: State, insteadOf old: [UInt8]) throws(EditorFailure) -> Bool {
    let result: AtomicFile.Replacement
    do throws(SystemError) {
      if old.isEmpty, FileKind(of: path) == .nothing {
        try AtomicFile.write(new.bytes, to: path, replacing: false)
        result = .replaced
      } else {
        result = try AtomicFile.replace(old, by: new.bytes, at: path, upTo: SequenceLimits.largestFile)
      }
    } catch {
      throw .unwritable(error)
    }
    switch result {
    case .replaced:
      state = new
      return true
    case .changed(let contents):
      // All of them were in the file, the last one still is.
      for bytes in contents { adopt(EditorSession.state(of: bytes, path)) }
      if contents.isEmpty { adopt(EditorSession.read(path)) }
      return false
    }
  }

  /// Brings the text before the last edit back, even if another program has removed the file or left a mistake in it.
  ///
  /// - Returns: the element that the edit was about.
  @discardableResult
  func undo() throws(EditorFailure) -> EditorPlace? {
    guard canBringBack, let entry = undoStack.popLast() else { return nil }
    try exchange(entry, from: { $0.undoStack.append($1) }) { $0.redoStack.append($1) }
    return entry.former
  }

  /// - Returns: the element that the edit is about.
  @discardableResult
  func redo() throws(EditorFailure) -> EditorPlace? {
    guard canBringBack, let entry = redoStack.popLast() else { return nil }
    try exchange(entry, from: { $0.redoStack.append($1) }) { $0.undoStack.append($1) }
    return entry.new
  }

  /// - Parameters:
  ///   - back: puts an entry back that couldn't be written.
  ///   - put: keeps the text that was replaced.
  private func exchange(
    _ entry: Entry, from back: (EditorSession, Entry) -> Void, to put: (EditorSession, Entry) -> Void
  ) throws(EditorFailure) {
    let former = state.bytes
    do throws(EditorFailure) {
      guard try write(EditorSession.state(of: entry.bytes, path), insteadOf: former) else {
        throw EditorFailure.changed
      }
    } catch {
      // What another program has written is on top now, and this text stays below it.
      if error == .changed {
        undoStack.insert(entry, at: max(0, undoStack.count - 1))
      } else {
        back(self, entry)
      }
      throw error
    }
    put(self, Entry(name: entry.name, bytes: former, former: entry.former, new: entry.new))
  }
}

extension EditedSequence {
  fileprivate func hasSame(_ path: [YAMLNode.Step], as other: EditedSequence) -> Bool {
    document.value.part(at: path) != nil
      && document.value.part(at: path) == other.document.value.part(at: path)
  }
}

/// The reason why an edit was not done, or not saved.
enum EditorFailure: Error, Equatable {
  case lastCard
  case isRepeated
  /// The result would be against a limit of the format.
  case format(SequenceFileError)
  case notPossible
  case changed
  /// Another program has left a mistake in the file.
  case unreadable
  case unwritable(SystemError)

  static func == (first: EditorFailure, second: EditorFailure) -> Bool {
    first.text(nil) == second.text(nil)
  }

  /// - Parameter title: the title of the element that was edited; `nil` for the sequence.
  func text(_ title: String?) -> String {
    switch self {
    case .lastCard: translated("A sequence needs at least one card")
    case .isRepeated: translated("Other cards repeat this one. Make them independent first.")
    case .format(let error): Message.sentences(error.problem)
    case .notPossible: translated("This can’t be changed here. Edit the sequence as text.")
    case .changed:
      title.map { translated("Changed in another program. Your change to “{}” was not saved.", $0) }
        ?? translated("Changed in another program. Your change was not saved.")
    case .unreadable: translated("The file has a mistake now. Your change was not saved.")
    case .unwritable(let error): translated("The file can’t be saved: {}", error.reason.translation)
    }
  }
}

/// The copying of pictures and sounds into folders next to a sequence file, so that both can be moved together.
enum MediaCopy {
  /// Returns the path of the copy, relative to the sequence; a file with the same content is used again.
  static func copy(_ path: String, into folder: String, beside sequence: String) throws -> String {
    if let problem = MediaFile.problem(path, quote(path)) {
      throw Problem(problem, remedy: "choose another file")
    }
    let content = try readAll(fromFileAt: path, upTo: MediaFile.largest)
    guard content.count <= MediaFile.largest else {
      throw Problem("\(quote(path)) is still growing", remedy: "choose another file")
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
    throw Problem("all names are taken")
  }

  static func numbered(_ name: String, _ number: Int) -> String {
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return "\(name) \(number)" }
    return "\(name[..<dot]) \(number)\(name[dot...])"
  }
}
