import SequencePlatform
import SequenceClient
import SequenceFiles

/// The sequences that are offered when the library is empty.
enum StarterSequence: String, CaseIterable {
  case tabata
  case pomodoro
  case morningRoutine = "morning-routine"
  case recipe

  var title: String {
    switch self {
    case .tabata: "Tabata"
    case .pomodoro: "Pomodoro"
    case .morningRoutine: "Morning routine"
    case .recipe: "Recipe"
    }
  }

  var summary: String {
    switch self {
    case .tabata: "8 rounds of 20 s of work and 10 s of rest"
    case .pomodoro: "4 times 25 minutes of focus with breaks"
    case .morningRoutine: "Steps that wait for you"
    case .recipe: "Pasta, with a sauce that simmers"
    }
  }

  /// The sequence file.
  var file: [UInt8] {
    switch self {
    case .tabata: PackageResources.tabata_yaml
    case .pomodoro: PackageResources.pomodoro_yaml
    case .morningRoutine: PackageResources.morning_routine_yaml
    case .recipe: PackageResources.recipe_yaml
    }
  }
}
