import SequenceFiles
import SequenceRunner
package import SequenceStore

/// The command line that starts the agent: its program and its state directory, as absolute paths.
package struct AgentInvocation {
  let program: String
  let state: StateDirectory

  /// - Throws: `LoginStartError.unwritable` for a path with control characters.
  package init(program: String, state: StateDirectory) throws(LoginStartError) {
    for path in [program, state.path]
    where path.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7f }) {
      throw .unwritable(path: path)
    }
    self.program = program
    self.state = state
  }

  /// The words of its command line.
  ///
  /// - Parameter unfit: the characters that the path of a program may not contain; with one of them, a shell starts
  ///   the program.
  func words(unfit: Set<Unicode.Scalar>) -> [String] {
    let words = [program] + AgentInvocation.options(of: state)
    guard program.unicodeScalars.contains(where: unfit.contains) else { return words }
    return ["/bin/sh", "-c", #"exec "$0" "$@""#] + words
  }

  /// The words after the program.
  static func options(of state: StateDirectory) -> [String] { ["--state-dir", state.path] }

  /// Replaces the characters of a word, and quotes it if needed.
  ///
  /// It works by scalars, because a quote with a combining accent is still a quote for the reader.
  static func quoted(_ word: String, replacing replacements: [Unicode.Scalar: String]) -> String {
    let isPlain = word.unicodeScalars.allSatisfy { scalar in
      scalar.isASCII
        && (scalar.properties.isAlphabetic || "0123456789/._-+,@:=".unicodeScalars.contains(scalar))
    }
    return isPlain ? word : "\"" + replaced(word, replacements) + "\""
  }

  /// Replaces the characters of a text.
  static func replaced(_ text: String, _ replacements: [Unicode.Scalar: String]) -> String {
    text.unicodeScalars.map { replacements[$0] ?? String($0) }.joined()
  }
}
