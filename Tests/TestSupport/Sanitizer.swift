import Foundation

/// The sanitizer that the tests and the programs under test were built with, if any.
package enum Sanitizer {
  private static let options: Set = ["TSAN_OPTIONS", "ASAN_OPTIONS", "LSAN_OPTIONS"]

  /// The environment variables with the options of the sanitizer and the Swift runtime.
  ///
  /// Without them the sanitizer's reports about the programs would be lost, or it would hang while ending
  /// them.
  package static let environment = ProcessInfo.processInfo.environment.filter {
    options.contains($0.key) || $0.key == "SWIFT_BACKTRACE"
  }

  /// The same variables without leak detection, which must trace the program.
  ///
  /// Tracing is impossible under strace, which already traces the program, and in a PID namespace.
  package static let environmentWithoutLeaks = environment.merging(
    environment["ASAN_OPTIONS"].map { ["ASAN_OPTIONS": $0 + " detect_leaks=0"] } ?? [:]
  ) { _, without in without }

  /// Whether a sanitizer is used, so that programs are several times slower and use more memory.
  package static let isUsed = environment.keys.contains { options.contains($0) }
}
