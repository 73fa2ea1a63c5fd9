package import Platform
package import SequenceConfiguration
package import SequenceFiles
package import Store

/// The environment of a face: a command line or a window.
package struct ClientContext {
  /// The environment variables.
  package let environment: EnvironmentVariables
  /// The clocks.
  package let clock: any ClockSource
  /// Starts the agent for a state directory, and returns its process.
  package let startAgent: (StateDirectory) throws -> Int32
  /// Shows the user a warning that doesn't stop the action.
  package let warn: (Explanation) -> Void

  /// An environment; a face starts the installed agent unless it is given another way.
  package init(
    environment: EnvironmentVariables, clock: any ClockSource,
    startAgent: @escaping (StateDirectory) throws -> Int32 = AgentLauncher.start,
    warn: @escaping (Explanation) -> Void
  ) {
    self.environment = environment
    self.clock = clock
    self.startAgent = startAgent
    self.warn = warn
  }

  /// Reads the user's configuration.
  ///
  /// - Returns: the configuration, and the first mistake in it. The defaults apply if it has a mistake.
  package func readConfiguration() -> (configuration: Configuration, mistake: Explanation?) {
    guard let path = Configuration.path(environment: environment) else { return (Configuration(), nil) }
    do throws(SequenceFileError) {
      return (try Configuration.read(path: path), nil)
    } catch {
      return (
        Configuration(),
        Explanation("\(error.problem(inFile: path)), so the defaults apply", remedy: error.remedy ?? "fix it")
      )
    }
  }

  /// The user's configuration, or the defaults if it has a mistake.
  package var configuration: Configuration { readConfiguration().configuration }

  /// The library of sequences.
  ///
  /// - Throws: `ClientError.noLibrary`.
  package func library() throws(ClientError) -> SequenceLibrary {
    guard let library = SequenceLibrary(environment: environment) else { throw .noLibrary }
    return library
  }

  /// Finds the sequence file that a word of the user means, and warns if the library has another one of that name.
  ///
  /// - Throws: `ClientError`; `SystemError`.
  package func sequencePath(_ word: String) throws -> String {
    let finding = try SequenceLookup(library: SequenceLibrary(environment: environment)).find(word)
    if let hidden = finding.hidden {
      warn(
        Explanation(
          "using ./\(word), but your library has a sequence \(quote(word)) too",
          remedy: "to use that, write \(hidden)"))
    }
    return finding.path
  }

  /// The programs that cues need and that are missing, each with its consequence.
  package func missingPrograms(for cues: Cues) throws(SystemError) -> [Explanation] {
    var missing: [Explanation] = []
    if cues.speech, findProgram("spd-say", in: environment["PATH"]) == nil {
      missing.append(
        Explanation("program not found: spd-say, so speech is off", remedy: "install speech-dispatcher"))
    }
    if cues.sound, try installedProgram("sequence-sound") == nil {
      missing.append(
        Explanation(
          "program not found: sequence-sound, so sounds are off", remedy: "reinstall sequence"))
    }
    return missing
  }
}
