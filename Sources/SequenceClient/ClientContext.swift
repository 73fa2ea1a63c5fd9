package import SequenceFiles
package import SequencePlatform
package import SequenceStore

package struct ClientContext {
  package let environment: EnvironmentVariables
  package let clock: any ClockSource
  /// Starts the agent for a state directory, and returns its process.
  package let startAgent: (StateDirectory) throws -> Int32
  /// Waits for the answer of an agent without holding the caller up, and hands it over in the caller's thread.
  ///
  /// It is `nil` for a face that may wait.
  package let askPatiently: ((String, @escaping (Result<PresenceSocket.Reply, SystemError>) -> Void) -> Void)?
  package let warn: (Problem) -> Void

  /// An environment; a face starts the installed agent with it unless it is given another way.
  package init(
    environment: EnvironmentVariables, clock: any ClockSource,
    startAgent: ((StateDirectory) throws -> Int32)? = nil,
    askPatiently: ((String, @escaping (Result<PresenceSocket.Reply, SystemError>) -> Void) -> Void)? = nil,
    warn: @escaping (Problem) -> Void
  ) {
    self.environment = environment
    self.clock = clock
    self.startAgent = startAgent ?? { directory in try AgentLauncher.start(directory, environment) }
    self.askPatiently = askPatiently
    self.warn = warn
  }

  package func library() throws(ClientError) -> SequenceLibrary {
    guard let library = SequenceLibrary(environment: environment) else { throw .noLibrary }
    return library
  }

  /// Finds the sequence file that a word of the user means, and warns if the library has another one of that name.
  package func sequencePath(_ word: String) throws -> String {
    let match = try SequenceLookup(library: SequenceLibrary(environment: environment)).find(word)
    if let hidden = match.hidden {
      warn(
        Problem(
          "using ./\(word), but your library has a sequence \(quote(word)) too",
          remedy: "to use that, write \(hidden)"))
    }
    return match.path
  }
}

package enum ProgramVersion {
  package static let text = "0.1.0"
}
