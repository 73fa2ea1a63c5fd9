import Glibc
import SequenceClient
import SequenceConfiguration
import SequenceFiles
import SequencePlatform
import SequenceRunner

/// The settings of a text of `config.yaml`, and the text after a change.
///
/// A change replaces the value of a key in place. A missing key is added only if the value differs from the default.
/// Everything else stays, byte for byte, including values that the preferences don't show.
struct Preferences: Equatable {
  let document: SequenceDocument
  private let configuration: Configuration

  init(_ bytes: [UInt8]) throws(SequenceFileError) {
    configuration = try Configuration.parse(bytes)
    document = try SequenceDocument(bytes)
  }

  init() throws(SequenceFileError) { try self.init([]) }

  var hookCount: Int { configuration.hooks.count }

  var volume: Int { configuration.cues.volume }

  func playedSound(_ sound: CueSound) -> String? { configuration.cues.name(of: sound) }

  subscript(setting: Setting) -> SettingValue {
    if let text = setting.text(configuration) { return .text(text) }
    guard let value = value(at: setting.keys) else { return .unset }
    return value.text == "none" ? .text("none") : .other
  }

  private func value(at keys: some Collection<String>) -> YAMLNode? {
    document.value.part(at: keys.map(YAMLNode.Step.key))
  }

  /// - Throws: `DocumentError.notPossible` if the value can be changed only by hand, for example because of an alias.
  func setting(_ setting: Setting, to new: SettingValue) throws(DocumentError) -> Preferences {
    guard new != self[setting] else { return self }
    let keys = setting.keys
    let edited: SequenceDocument
    switch new {
    case .text(let text): edited = try adding(.scalar(text), at: keys)
    case .unset:
      edited = try document.setting(
        keys[keys.count - 1], to: nil, at: keys.dropLast().map(YAMLNode.Step.key))
    case .other: return self
    }
    guard let changed = Preferences(edited), changed[setting] == new else { throw .notPossible }
    return changed
  }

  /// The text with a value at the end of some keys, of which the last ones may be missing.
  private func adding(_ value: YAMLNode, at keys: [String]) throws(DocumentError) -> SequenceDocument {
    var depth = 0
    while depth < keys.count - 1, self.value(at: keys[...depth]) != nil { depth += 1 }
    let nested = keys[(depth + 1)...].reversed().reduce(value) { .mapping([YAMLNode.Entry($1, $0)]) }
    return try document.setting(keys[depth], to: nested, at: keys[..<depth].map(YAMLNode.Step.key))
  }

  private init?(_ document: SequenceDocument) {
    do throws(SequenceFileError) { try self.init(document.bytes) } catch { return nil }
  }
}

enum SettingValue: Hashable {
  /// The value as it is written into the file.
  case text(String)
  /// The default, which has no text: the key is missing.
  case unset
  /// A value that can only be written in the file.
  case other

  static func flag(_ isOn: Bool) -> SettingValue { .text(isOn ? "true" : "false") }
}

/// The file `config.yaml`, as the preferences read and change it.
///
/// A change is made in the text that the file has at that moment, so that nothing that others have written is lost.
struct PreferencesFile {
  let path: String
  /// Called after each reading for a change, before it is written.
  var beforeWriting: () -> Void = {}

  private static let heading = "# Settings of Sequence; man 5 sequence-config explains them.\n"
  /// How often a file is read again that others keep changing.
  private static let mostAttempts = 10

  init(path: String) { self.path = path }

  init(_ environment: EnvironmentVariables) throws(Problem) {
    guard let path = Configuration.path(environment: environment) else {
      throw Problem("neither XDG_CONFIG_HOME nor HOME is set", remedy: "set HOME")
    }
    self.init(path: path)
  }

  var directory: String { SequencePlatform.directory(ofFileAt: path) }

  /// A missing file has the defaults.
  func read() throws(SequenceFileError) -> Preferences { try Preferences(bytes() ?? []) }

  private func bytes() throws(SequenceFileError) -> [UInt8]? {
    switch FileKind(of: path) {
    case .nothing: return nil
    // It is no file, which the reader reports. A pipe would never end.
    case .special: _ = try Configuration.read(path: path)
    case .file, .directory: break
    }
    return try SequenceFile.bytes(ofFileAt: path)
  }

  /// Returns the settings that the file has now; an error leaves it unchanged.
  func change(_ setting: Setting, to value: SettingValue) throws(Message) -> Preferences {
    var failure = SystemError(call: "write \(path)", code: EAGAIN)
    for _ in 0..<PreferencesFile.mostAttempts {
      let (bytes, preferences) = try readForChange()
      beforeWriting()
      let changed: Preferences
      do throws(DocumentError) {
        changed = try preferences.setting(setting, to: value)
      } catch {
        throw PreferencesFile.notPossible
      }
      guard changed != preferences else { return changed }
      do throws(SystemError) {
        guard bytes != nil else {
          try create(changed.document.bytes)
          return changed
        }
        if try changed.document.save(at: path, insteadOf: preferences.document) {
          return changed
        }
      } catch  where error.code == EEXIST && bytes == nil {
        failure = error
      } catch {
        throw unwritable(error)
      }
    }
    throw unwritable(failure)
  }

  /// The content, `nil` if the file is missing, and the settings that are changed.
  private func readForChange() throws(Message) -> ([UInt8]?, Preferences) {
    do throws(SequenceFileError) {
      let bytes = try bytes()
      return (bytes, try Preferences(bytes ?? Array(PreferencesFile.heading.utf8)))
    } catch {
      throw Message(PreferencesFile.mistake(error))
    }
  }

  /// Creates the file, with only a comment in it, unless something is there.
  func createIfMissing() throws(Message) {
    guard FileKind(of: path) == .nothing else { return }
    do throws(SystemError) {
      try create(Array(PreferencesFile.heading.utf8))
    } catch  where error.code == EEXIST {
      // Another program was faster.
    } catch {
      throw unwritable(error)
    }
  }

  static let notPossible = Message(
    translated("The Setting Can’t Be Changed Here"),
    translated("Its place in config.yaml is used more than once. Choose Edit as Text to change it."))

  func unwritable(_ error: SystemError) -> Message {
    Message(
      translated("The Setting Can’t Be Saved"),
      Message.sentences(
        "\(TextSafety.sanitised(path)): \(error.reason)", AtomicFile.remedy(for: error, path)))
  }

  private func create(_ bytes: [UInt8]) throws(SystemError) {
    try makeDirectory(directory)
    try AtomicFile.write(bytes, to: path, replacing: false)
  }
}

extension PreferencesFile {
  static func mistake(_ error: SequenceFileError) -> String {
    if error.isUnreadable { return translated("config.yaml can’t be read, so the defaults apply") }
    guard let line = error.position?.line else {
      return translated("config.yaml has a mistake, so the defaults apply")
    }
    return translated("config.yaml has a mistake in line {}, so the defaults apply", String(line))
  }
}
