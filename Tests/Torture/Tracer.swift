import Foundation
import TestSupport

/// Programs under strace, which lists their system calls and makes them fail.
enum Tracer {
  static let program = "/usr/bin/strace"

  static func obstacle() throws -> String? {
    guard FileManager.default.isExecutableFile(atPath: program) else { return "there is no strace" }
    let output = try ChildProcess.run(program, ["-qq", "-o", "/dev/null", "/bin/true"], environment: [:])
    return output.status == 0 ? nil : "strace cannot attach: \(output.errors)"
  }

  /// The number of occurrences of a call: by the loader, by the thread with the most calls, and in total.
  struct Count {
    var loading = 0
    var most = 0
    var total = 0
  }

  /// - Parameter mark: a text in the first call of the program itself, after its loader.
  static func counts(in log: String, after mark: String) throws -> [String: Count] {
    var counts: [String: Count] = [:]
    var threads: [String: [Substring: Int]] = [:]
    var isLoading = true
    for line in try text(log).split(separator: "\n") {
      if line.contains(mark) { isLoading = false }
      let words = line.drop { $0.isNumber || $0 == " " }
      guard let parenthesis = words.firstIndex(of: "("), words.first?.isLetter == true else { continue }
      let name = String(words[..<parenthesis])
      let thread = line.prefix { $0.isNumber }
      threads[name, default: [:]][thread, default: 0] += 1
      counts[name, default: Count()].total += 1
      counts[name]?.most = threads[name]?.values.max() ?? 0
      if isLoading { counts[name]?.loading += 1 }
    }
    guard !isLoading else { throw TestSupportError("the program never came to \(mark)") }
    return counts
  }

  struct Injection {
    let call: String
    /// The effect in the notation of strace.
    let effect: String
    /// The occurrence of the call, from 1, counted per thread.
    let number: Int

    var options: [String] { ["-e", "trace=\(call)", "-e", "inject=\(call):\(effect):when=\(number)"] }
    var name: String { "\(call)/\(effect.split(separator: "=").last ?? "")/\(number)" }
  }

  /// - Parameter isFollowing: whether threads and children are traced too.
  static func begin(
    _ words: [String], _ injection: Injection?, log: String, isFollowing: Bool, environment: [String: String]
  ) throws -> ChildProcess {
    let options = ["-qq", "-o", log] + (isFollowing ? ["-f"] : []) + (injection?.options ?? [])
    return try ChildProcess(program, options + words, environment: environment)
  }

  /// Returns the injected calls in the notation of strace.
  static func injected(_ log: String) throws -> [String] {
    try text(log).split(separator: "\n").map(String.init).filter {
      $0.contains("(INJECTED)") || $0.contains("+++ killed by SIGKILL")
    }
  }

  private static func text(_ log: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(filePath: log)), as: UTF8.self)
  }
}
