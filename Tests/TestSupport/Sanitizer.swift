import Foundation

/// The sanitizer that the tests and the programs that they start were built with, if any.
package enum Sanitizer {
  private static let options: Set = ["TSAN_OPTIONS", "ASAN_OPTIONS", "LSAN_OPTIONS"]

  /// What it, and the Swift runtime beside it, are told by the environment.
  ///
  /// Without that, what it reports of the programs would be lost, or they would hang when it ends them.
  package static let environment = ProcessInfo.processInfo.environment.filter {
    options.contains($0.key) || $0.key == "SWIFT_BACKTRACE"
  }

  /// The same, without a look for leaks: that needs to trace the program, which strace does already, and cannot in a
  /// namespace of processes.
  package static let environmentWithoutLeaks = environment.merging(
    environment["ASAN_OPTIONS"].map { ["ASAN_OPTIONS": $0 + " detect_leaks=0"] } ?? [:]
  ) { _, without in without }

  /// Whether there is one, so that programs are several times slower and use more memory.
  package static let isUsed = environment.keys.contains { options.contains($0) }
}
