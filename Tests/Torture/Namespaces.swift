import Glibc
import SequencePlatform
import SequenceRunner
import TestSupport

/// Kernel namespaces for this program, so that its mounts and processes end with it.
enum Namespaces {
  private static let program = "/usr/bin/unshare"
  private static let mine = [
    "--mount", "--pid", "--fork", "--mount-proc", "--kill-child", "--propagation", "private",
  ]

  /// Re-executes this program in its own namespaces; returns if the kernel does not allow that.
  static func enter(_ words: [String]) throws {
    let rights = getuid() == 0 ? [] : ["--user", "--map-root-user"]
    guard try allows(rights + mine) else { return }
    let own = try BuiltProducts.path(of: "torture")
    try replaceThisProcess(by: program, ["unshare"] + rights + mine + [own, "--inside"] + words)
  }

  static func allows(_ options: [String]) throws -> Bool {
    guard access(program, X_OK) == 0 else { return false }
    return try ChildProcess.run(program, options + ["/bin/true"], environment: [:]).status == 0
  }

  static func run(_ words: String...) throws {
    let output = try ChildProcess.run(
      "/usr/bin/env", words, environment: ["PATH": "/usr/bin:/bin:/usr/sbin:/sbin"])
    guard output.status == 0 else {
      throw TestSupportError("\(words.joined(separator: " ")): \(output.status) \(output.errors)")
    }
  }
}
