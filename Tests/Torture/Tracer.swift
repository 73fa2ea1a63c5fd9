import Foundation
import TestSupport

/// Runs programs under strace, which lists their system calls and makes them fail.
enum Tracer {
  private static let program = "/usr/bin/strace"

  /// Why programs cannot be traced here; `nil` if they can.
  static func obstacle() throws -> String? {
    guard FileManager.default.isExecutableFile(atPath: program) else { return "there is no strace" }
    let output = try ChildProcess.run(program, ["-qq", "-o", "/dev/null", "/bin/true"], environment: [:])
    return output.status == 0 ? nil : "strace cannot attach: \(output.errors)"
  }

  /// How often a call is made: by the loader of the program, by the thread of the program that makes most, and in all.
  struct Count {
    var loading = 0
    var most = 0
    var total = 0
  }

  /// Counts the calls that a program makes.
  ///
  /// - Parameter mark: a text in the first call that the program itself makes, and not its loader.
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

  /// A failure that is put in place of a system call.
  struct Injection {
    let call: String
    /// What happens instead, as strace writes it.
    let effect: String
    /// Which of the calls it is, from 1; each thread counts its own.
    let number: Int

    var options: [String] { ["-e", "trace=\(call)", "-e", "inject=\(call):\(effect):when=\(number)"] }
    var name: String { "\(call)/\(effect.split(separator: "=").last ?? "")/\(number)" }
  }

  /// Starts a program under strace.
  ///
  /// - Parameter isFollowing: whether threads and children are traced too.
  static func begin(
    _ words: [String], _ injection: Injection?, log: String, isFollowing: Bool, environment: [String: String]
  ) throws -> ChildProcess {
    let options = ["-qq", "-o", log] + (isFollowing ? ["-f"] : []) + (injection?.options ?? [])
    return try ChildProcess(program, options + words, environment: environment)
  }

  /// The calls that were made to fail, as strace wrote them down.
  static func injected(_ log: String) throws -> [String] {
    try text(log).split(separator: "\n").map(String.init).filter {
      $0.contains("(INJECTED)") || $0.contains("+++ killed by SIGKILL")
    }
  }

  private static func text(_ log: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(filePath: log)), as: UTF8.self)
  }
}
