import SequenceFiles
import SequenceRunner
package import Store

/// How others start the agent: its program, and the state directory that it serves, as absolute paths.
package struct AgentInvocation {
  let program: String
  let state: StateDirectory

  /// - Throws: `LoginStartError.unwritable` for a path with control characters, which no file takes.
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
  /// - Parameter unfit: what the path of a program may not contain where the words are written; a shell then
  ///   makes way for the program.
  func words(unfit: Set<Unicode.Scalar>) -> [String] {
    let words = [program, "--state-dir", state.path]
    guard program.unicodeScalars.contains(where: unfit.contains) else { return words }
    return ["/bin/sh", "-c", #"exec "$0" "$@""#] + words
  }

  /// A word with what stands for each of its characters, between quotes if it needs any.
  ///
  /// It goes by scalars: a quote that carries an accent is a quote to whoever reads it.
  static func quoted(_ word: String, replacing replacements: [Unicode.Scalar: String]) -> String {
    let isPlain = word.unicodeScalars.allSatisfy { scalar in
      scalar.isASCII
        && (scalar.properties.isAlphabetic || "0123456789/._-+,@:=".unicodeScalars.contains(scalar))
    }
    return isPlain ? word : "\"" + replaced(word, replacements) + "\""
  }

  /// A text with what stands for each of its characters.
  static func replaced(_ text: String, _ replacements: [Unicode.Scalar: String]) -> String {
    text.unicodeScalars.map { replacements[$0] ?? String($0) }.joined()
  }
}
