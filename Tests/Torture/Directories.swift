import Foundation
import Glibc
import TestSupport

/// State directories that disappear while programs use them.
struct Directories {
  private let tally: Tally
  private static let users = [
    ["run"] + Bench.cards, ["status", "--follow", "--json"], ["wait"],
  ]

  init(_ tally: Tally) { self.tally = tally }

  func run() throws {
    for loss in Loss.allCases {
      if loss == .withoutRights || loss == .onlyReadable, getuid() == 0 {
        // File permissions have no effect for root.
        tally.attempt("\(loss)") { try loseRights(loss) }
        continue
      }
      tally.attempt("at-rest/\(loss)") { try lose(loss, whileUsed: false) }
      tally.attempt("used/\(loss)") { try lose(loss, whileUsed: true) }
    }
  }

  private func lose(_ loss: Loss, whileUsed isUsed: Bool) throws {
    let bus = try PrivateBus()
    let server = try RecordingServer(on: bus)
    let bench = try Bench(bus: bus.address)
    var users: [ChildProcess] = []
    if isUsed {
      for words in Directories.users {
        users.append(try bench.begin(words))
        if words[0] != "wait" { _ = try users.last?.line() }
      }
    } else {
      try bench.addTimer()
      try bench.succeed(.start)
    }
    try loss.happen(to: bench)
    tally.countFault()
    var told: Answer?
    for deed in [Deed.status, .extend, .start, .status] {
      let output = try bench.run(deed.words)
      told = deed == .status && output.status == 0 ? try Answer(output.text) : nil
      guard [0, 1, 74, 75].contains(output.status) else {
        throw Violation("\(deed) exits with \(output.status): \(output.errors)")
      }
      guard output.status == 0 || output.errors.hasPrefix("sequence: ") else {
        throw Violation("\(deed) exits with \(output.status) and says \"\(output.errors)\"")
      }
      tally.count("\(output.status == 0 ? "done" : "exit \(output.status)")")
    }
    if isUsed, let told { try requireNews(told, of: users[1]) }
    try end(users, in: bench)
    _ = try server.screen()
    try loss.mend(bench)
    let state = try StoredState.read(bench.state)
    try Verdict.confirm(state, in: bench)
    // The agent of a removed directory may still run under the same name.
    guard bench.agents().count <= 2 else { throw Violation("there are agents \(bench.agents())") }
  }

  /// Checks that a follower that still runs reports the same as a command, for the current store.
  private func requireNews(_ told: Answer, of follower: ChildProcess) throws {
    do {
      while true {
        let answer = try Answer(try follower.line())
        if answer.run == told.run, answer.state == told.state { return tally.count("followed") }
      }
    } catch let error as TestSupportError {
      guard try follower.ending() == nil else {
        throw Violation("a follower does not tell \(told): \(error)")
      }
    }
  }

  /// Checks that users of a removed directory continue, or exit with a reason.
  private func end(_ users: [ChildProcess], in bench: Bench) throws {
    for user in users {
      user.signal(SIGTERM)
      let output = try user.outcome(within: Bench.limit)
      guard [0, 1, 3, 74, 75, 143].contains(output.status) else {
        throw Violation("a user of the directory exits with \(output.status): \(output.errors)")
      }
      guard output.status != 74 || output.errors.contains("sequence: ") else {
        throw Violation("a user of the directory exits with 74 and says \"\(output.errors)\"")
      }
      tally.count("user: \(output.status)")
    }
  }

  private func loseRights(_ loss: Loss) throws {
    let bench = try Bench()
    try bench.succeed(.start)
    bench.killAgents()
    let program = try BuiltProducts.path(of: "sequence")
    let stranger = ["--reuid", "65534", "--regid", "65534", "--clear-groups", "--"]
    let call = { (words: [String]) in
      try ChildProcess.run("/usr/bin/setpriv", stranger + [program] + words, environment: bench.environment)
    }
    guard let output = try? call(["--version"]), output.status == 0 else {
      return tally.skip("\(loss)", because: "another user may not run \(program)")
    }
    chmod(bench.directory.path, 0o755)
    try Namespaces.run("chown", "-R", "65534:65534", bench.state)
    let before = try StoredState.read(bench.state)
    try Namespaces.run("chown", "-R", "65534:65534", bench.state)
    try loss.happen(to: bench)
    tally.countFault()
    for deed in [Deed.status, .extend, .start, .stop] {
      let output = try call(deed.words)
      guard output.status == 74 || deed == .status && output.status == 0,
        output.status == 0 || output.errors.hasPrefix("sequence: ")
      else { throw Violation("\(deed) exits with \(output.status): \(output.errors)") }
      tally.count("exit \(output.status)")
    }
    try loss.mend(bench)
    let after = try StoredState.read(bench.state)
    guard after.isSame(as: before) else { throw Violation("\(before.text) became \(after.text)") }
    // Files of another user are refused to this one.
    try Namespaces.run("chown", "-R", "\(getuid()):\(getgid())", bench.state)
    try Verdict.confirm(after, in: bench)
  }
}
