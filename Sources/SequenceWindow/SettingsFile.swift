import SequencePlatform
import SequenceClient
import SequenceConfiguration

/// The file of the configuration.
enum SettingsFile {
  /// Returns the path of the file, which is created if it doesn't exist.
  ///
  /// - Throws: `Explanation`; `SystemError`.
  static func path(_ context: ClientContext) throws -> String {
    guard let path = Configuration.path(environment: context.environment) else {
      throw Explanation("neither XDG_CONFIG_HOME nor HOME is set", remedy: "set HOME")
    }
    guard FileKind(of: path) == .nothing else { return path }
    try makeDirectory(path.split(separator: "/").dropLast().reduce("") { $0 + "/" + $1 })
    try AtomicFile.write(
      "# Settings of Sequence; man 5 sequence-config explains them.\n", to: path, replacing: false)
    return path
  }
}
