import Glibc
import SequencePlatform

/// The renderer of GTK.
enum Rendering {
  /// The environment variable that chooses it, for programs that this one starts too.
  static let variable = "GSK_RENDERER"

  /// Chooses software rendering, unless the user has chosen a renderer.
  ///
  /// It takes half the memory, and a page that changes once a second needs no more.
  ///
  /// - Returns: the environment before, which is that of other programs.
  static func useSoftware() -> EnvironmentVariables {
    let environment = EnvironmentVariables.process.copy
    _ = unsafe setenv(variable, "cairo", 0)
    return environment
  }
}
