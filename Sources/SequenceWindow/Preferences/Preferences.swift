import SequenceConfiguration
import SequenceFiles

/// The settings of a text of `config.yaml`, and the text after a change.
///
/// A change replaces the value of a key in place. A missing key is added only if the value differs from the default.
/// Everything else stays, byte for byte, including values that the preferences don't show.
struct Preferences: Equatable {
  let document: SequenceDocument
  private let configuration: Configuration

  /// Reads a text.
  ///
  /// - Throws: `SequenceFileError` with the position of the first mistake.
  init(_ bytes: [UInt8]) throws(SequenceFileError) {
    configuration = try Configuration.parse(bytes)
    document = try SequenceDocument(bytes)
  }

  /// The defaults.
  init() throws(SequenceFileError) { try self.init([]) }

  /// The number of hooks.
  var hookCount: Int { configuration.hooks.count }

  /// The volume of sounds in percent.
  var volume: Int { configuration.cues.volume }

  /// The name or the path of the sound that is played at a moment; `nil` for none.
  func playedSound(_ sound: CueSound) -> String? { configuration.cues.name(of: sound) }

  /// The value of a setting.
  subscript(setting: Setting) -> SettingValue {
    if let text = setting.text(configuration) { return .text(text) }
    return switch value(at: setting.keys) {
    case nil: .unset
    case .scalar("none"), .anchored(_, .scalar("none")): .text("none")
    case .scalar, .list, .mapping, .alias, .anchored: .other
    }
  }

  /// The value at the end of some keys; `nil` if one is missing.
  private func value(at keys: some Collection<String>) -> YAMLValue? {
    document.value.part(at: keys.map(YAMLValue.Step.key))
  }

  /// The text with another value of a setting.
  ///
  /// - Throws: `DocumentError.notPossible` if the value can be changed only by hand, for example because of an alias.
  func setting(_ setting: Setting, to new: SettingValue) throws(DocumentError) -> Preferences {
    guard new != self[setting] else { return self }
    let keys = setting.keys
    let edited: SequenceDocument
    switch new {
    case .text(let text): edited = try adding(.scalar(text), at: keys)
    case .unset:
      edited = try document.setting(
        keys[keys.count - 1], to: nil, at: keys.dropLast().map(YAMLValue.Step.key))
    case .other: return self
    }
    guard let changed = Preferences(edited), changed[setting] == new else { throw .notPossible }
    return changed
  }

  /// The text with a value at the end of some keys, of which the last ones may be missing.
  private func adding(_ value: YAMLValue, at keys: [String]) throws(DocumentError) -> SequenceDocument {
    var depth = 0
    while depth < keys.count - 1, self.value(at: keys[...depth]) != nil { depth += 1 }
    let nested = keys[(depth + 1)...].reversed().reduce(value) { .mapping([YAMLValue.Entry($1, $0)]) }
    return try document.setting(keys[depth], to: nested, at: keys[..<depth].map(YAMLValue.Step.key))
  }

  /// The settings of an edited text; `nil` if it has a mistake.
  private init?(_ document: SequenceDocument) {
    do throws(SequenceFileError) { try self.init(document.bytes) } catch { return nil }
  }
}

/// The value of a setting, as the preferences show and change it.
enum SettingValue: Hashable {
  /// The value as it is written into the file.
  case text(String)
  /// The default, which has no text: the key is missing.
  case unset
  /// A value that can only be written in the file.
  case other

  static func flag(_ isOn: Bool) -> SettingValue { .text(isOn ? "true" : "false") }
}
