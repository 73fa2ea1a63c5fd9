package import SequencePlatform
package import SequenceConfiguration
import SequenceFiles

extension Configuration {
  /// The defaults apply if there is a mistake, of which the first is returned.
  package static func reading(
    _ environment: EnvironmentVariables
  ) -> (configuration: Configuration, mistake: Problem?) {
    guard let path = Configuration.path(environment: environment) else { return (Configuration(), nil) }
    do throws(SequenceFileError) {
      return (try Configuration.read(path: path), nil)
    } catch {
      let problem = error.problem(inFile: path)
      return (
        Configuration(), Problem("\(problem.text), so the defaults apply", remedy: problem.remedy ?? "fix it")
      )
    }
  }
}

extension Cues {
  package func missingPrograms(_ environment: EnvironmentVariables) throws(SystemError) -> [Problem] {
    var missing: [Problem] = []
    if speech, findProgram("spd-say", in: environment["PATH"]) == nil {
      missing.append(
        Problem("program not found: spd-say, so speech is off", remedy: "install speech-dispatcher"))
    }
    if sound, try installedProgram("sequence-sound") == nil {
      missing.append(
        Problem(
          "program not found: sequence-sound, so sounds are off", remedy: "reinstall sequence"))
    }
    return missing
  }
}
