import Foundation

/// The sanitizer that the tests and the programs that they start were built with, if any.
package enum Sanitizer {
  /// What it is told by the environment: without that, what it reports of the programs would be lost.
  package static let environment = ProcessInfo.processInfo.environment.filter {
    ["TSAN_OPTIONS", "ASAN_OPTIONS", "LSAN_OPTIONS"].contains($0.key)
  }

  /// Whether there is one, so that programs are several times slower and use more memory.
  package static let isUsed = !environment.isEmpty
}
