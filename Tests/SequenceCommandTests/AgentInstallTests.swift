import Foundation
import SequencePlatform
@testable import SequenceClient
import SequenceFiles
import SequenceRunner
import SequenceStore
import Synchronization
import TestSupport
import Testing

@testable import SequenceCommand

/// `agent install` and `agent uninstall`, with a home directory and an installation of the test's own.
///
/// `systemctl` is that of the machine, which without a service manager changes the links only.
@Suite(.timeLimit(.minutes(1)))
struct AgentInstallTests {
  private let home: TemporaryDirectory
  private let prefix: String
  private var units: String { home.path + "/.config/systemd/user" }
  private var unit: String { units + "/sequence-agent.service" }
  private var template: String { units + "/sequence-agent@.service" }
  private var entry: String { home.path + "/.config/autostart/sequence-agent.desktop" }
  private var packaged: String { prefix + "/lib/systemd/user/sequence-agent.service" }
  private var allUsers: String { home.path + "/etc" }
  private var calls: String { home.path + "/calls" }

  private struct Outcome: Equatable {
    var status: Int32
    var text = ""
    var errors = ""
  }

  init() throws {
    home = try TemporaryDirectory()
    prefix = home.path + "/my 100% prefix"
    try installPrograms(into: prefix)
    try systemctl(#"exec /usr/bin/systemctl "$@""#)
  }

  /// Installs what starts the agent at login, as `make install` does.
  private func installPrograms(into prefix: String) throws {
    let made = home.path + "/made"
    let output = try ChildProcess.run(
      "/bin/sh",
      [
        "-c", #"cd "$0" && scripts/make-login-start "$1" "$2""#, BuiltProducts.repository, prefix, made,
      ], environment: ["PATH": "/usr/bin:/bin"])
    try #require(output.status == 0, "\(output.errors)")
    for (place, names) in [
      ("lib/systemd/user", ["sequence-agent.service", "sequence-agent@.service"]),
      ("share/sequence-timer", ["sequence-agent.desktop"]),
    ] {
      let directory = prefix + "/" + place
      try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
      for name in names {
        try FileManager.default.moveItem(atPath: made + "/" + name, toPath: directory + "/" + name)
      }
    }
  }

  /// Puts a script into the path that records its arguments.
  private func systemctl(_ script: String) throws {
    let path = try home.write("#!/bin/sh\necho \"$*\" >>'\(calls)'\n\(script)\n", to: "bin/systemctl")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
  }

  /// Enables the package's unit for all users, as its installation does.
  private func enableForAll() throws {
    _ = try home.write("", to: "etc/default.target.wants/sequence-agent.service")
  }

  private func sequence(
    _ words: String..., systemd: Bool = true, prefix: String? = nil,
    environment changes: [String: String] = [:]
  ) throws -> Outcome {
    let environment = [
      "HOME": home.path, "PATH": home.path + "/bin:/usr/bin:/bin", "SYSTEMD_OFFLINE": "1",
    ].merging(changes) { $1 }
    let program = (prefix ?? self.prefix) + "/libexec/sequence/sequence-agent"
    let text = Mutex<[String]>([])
    let errors = Mutex<[String]>([])
    let context = CommandContext(
      environment: EnvironmentVariables(environment), clock: try SystemClock(),
      print: { line in text.withLock { $0.append(line) } },
      printError: { line in errors.withLock { $0.append(line) } }, startAgent: { _ in getpid() },
      agentProgram: { program }, hasSystemd: systemd,
      unitDirectories: [allUsers, self.prefix + "/lib/systemd/user"], hasTerminal: false)
    let status = SequenceProgram.run(words, in: context)
    return Outcome(
      status: status, text: text.withLock { $0.joined(separator: "\n") },
      errors: errors.withLock { $0.joined(separator: "\n") })
  }

  private func exists(_ path: String) -> Bool {
    (try? FileManager.default.attributesOfItem(atPath: path)) != nil
  }

  private func target(of link: String) throws -> String {
    try FileManager.default.destinationOfSymbolicLink(atPath: link)
  }

  private func enabled() -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: units + "/default.target.wants"))?.sorted() ?? []
  }

  /// Returns the arguments of the calls of systemctl since the last time.
  private func takeCalls() throws -> [String] {
    guard exists(calls) else { return [] }
    defer { try? FileManager.default.removeItem(atPath: calls) }
    return try String(contentsOfFile: calls, encoding: .utf8).split(separator: "\n").map(String.init)
  }

  // MARK: Units

  @Test func `with systemd the unit is linked and enabled`() throws {
    #expect(
      try sequence("agent", "install")
        == Outcome(status: 0, text: "the agent starts at login by a systemd user unit: \(unit)"))
    #expect(try takeCalls() == ["--user enable sequence-agent.service"])
    #expect(try target(of: unit) == packaged)
    #expect(enabled() == ["sequence-agent.service"])
    #expect(!exists(entry))
  }

  @Test(arguments: [
    "/tmp/my state", "/tmp/100% %h", "/tmp/ü/日本", #"/tmp/"quoted" it's $HOME ${HOME} \new"#, "/tmp/a\nb",
    "/.a/.b-c",
    "/tmp/\u{301}x", "/tmp//a/./b/", "/",
  ])
  func `another state directory is the instance of a unit`(path: String) throws {
    #expect(try sequence("agent", "install", "--state-dir", path).status == 0)
    let escaped = try ChildProcess.run(
      "/usr/bin/systemd-escape", ["--path", "--template=sequence-agent@.service", path], environment: [:])
    #expect(enabled() == [escaped.text])
    #expect(try target(of: template) == prefix + "/lib/systemd/user/sequence-agent@.service")
    #expect(try sequence("agent", "uninstall") == Outcome(status: 0, text: "removed: \(template)"))
    #expect(enabled().isEmpty && !exists(template))
  }

  @Test(arguments: ["my 100% prefix", #"my "own" prefix"#, #"back\slash"#, "it's $HOME"])
  func `systemd accepts the units of any directory`(name: String) throws {
    let prefix = home.path + "/" + name
    if prefix != self.prefix { try installPrograms(into: prefix) }
    let program = try home.write("#!/bin/sh\n", to: name + "/libexec/sequence/sequence-agent")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
    let instance = home.path + #"/sequence-agent@tmp-my\x20100\x25.service"#
    try FileManager.default.copyItem(
      atPath: prefix + "/lib/systemd/user/sequence-agent@.service", toPath: instance)
    for path in [prefix + "/lib/systemd/user/sequence-agent.service", instance] {
      let output = try ChildProcess.run(
        "/usr/bin/systemd-analyze", ["--user", "verify", path],
        environment: ["HOME": home.path, "XDG_RUNTIME_DIR": home.path])
      #expect(output.status == 0 && output.errors.isEmpty, "\(output)")
    }
  }

  @Test func `each state directory starts on its own, and all are removed together`() throws {
    let (one, two) = (home.path + "/one %", home.path + "/two")
    func status(_ path: String) throws -> String { try sequence("agent", "status", "--state-dir", path).text }
    _ = try sequence("agent", "install", "--state-dir", one)
    #expect(try status(one).hasSuffix("\nstarts at login by a systemd user unit: \(template)"))
    #expect(try status(two).hasSuffix("\ndoesn't start at login; to change that, run sequence agent install"))
    _ = try sequence("agent", "install", "--state-dir", two)
    _ = try sequence("agent", "install")
    _ = try sequence("agent", "install", systemd: false)
    #expect(enabled().count == 3)
    _ = try takeCalls()
    #expect(
      try sequence("agent", "uninstall")
        == Outcome(status: 0, text: "removed: \(unit)\nremoved: \(template)\nremoved: \(entry)"))
    #expect(
      try takeCalls() == ["--user disable sequence-agent.service", "--user disable sequence-agent@.service"])
    #expect(enabled().isEmpty && !exists(unit) && !exists(template) && !exists(entry))
    #expect(try sequence("agent", "uninstall") == Outcome(status: 0, text: "nothing was installed"))
    #expect(try takeCalls() == [])
  }

  @Test func `a path that is too long for the name of a unit is refused`() throws {
    let path = "/home/" + String(repeating: "ж", count: 29)
    let outcome = try sequence("agent", "install", "--state-dir", path)
    #expect(outcome.status == 74)
    #expect(
      outcome.errors
        == "sequence: the path \"\(path)\" is too long for the name of a systemd unit; use a link to it with a shorter path"
    )
    #expect(!exists(home.path + "/.config"))
    #expect(try sequence("agent", "install", "--state-dir", String(path.dropLast())).status == 0)
  }

  @Test func `relative state directories become absolute and normalized`() throws {
    let here = FileManager.default.currentDirectoryPath
    _ = try sequence("agent", "install", "--state-dir", "st ate")
    _ = try sequence("agent", "install", "--state-dir", home.path + "/one/../two")
    let paths = [here + "/st ate", home.path + "/two"]
    #expect(Set(enabled()) == Set(paths.map { "sequence-agent@\(LoginUnit.escaped($0)).service" }))
  }

  // MARK: The autostart entry

  @Test func `without systemd the autostart entry is linked and no program called`() throws {
    #expect(
      try sequence("agent", "install", systemd: false)
        == Outcome(status: 0, text: "the agent starts at login by an autostart entry: \(entry)"))
    #expect(try takeCalls() == [])
    #expect(try target(of: entry) == prefix + "/share/sequence-timer/sequence-agent.desktop")
    let text = try String(contentsOfFile: entry, encoding: .utf8)
    #expect(text.contains("\nTryExec=\(prefix)/bin/sequence\n"))
    #expect(!exists(unit))
  }

  @Test(arguments: ["100%", "a=b", #"my "own" prefix"#, "$HOME & `x`|", #"back\slash"#])
  func `a desktop finds the program of the autostart entry in any directory`(name: String) throws {
    let prefix = home.path + "/" + name
    try installPrograms(into: prefix)
    let script = "#!/bin/sh\nprintf '%s\\n' \"$0\" \"$*\" >'\(home.path)/started'\n"
    let program = try home.write(script, to: name + "/bin/sequence")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
    // The launched program gets the other end of the pipe, and ends with it.
    try #require(mkfifo(home.path + "/started", 0o600) == 0)
    let reader = try ChildProcess("/bin/cat", [home.path + "/started"])
    let output = try ChildProcess.run(
      "/usr/bin/gio", ["launch", prefix + "/share/sequence-timer/sequence-agent.desktop"],
      environment: ["PATH": "/usr/bin:/bin"])
    try #require(output.status == 0, "\(output.errors)")
    #expect(try [reader.line(), reader.line()] == [program, "agent run"])
  }

  @Test func `without systemd the state directory is that of the session`() throws {
    let session = ["SEQUENCE_STATE_DIR": "/var/state"]
    let other = home.path + "/other"
    func run(_ words: String) throws -> Outcome {
      try sequence("agent", words, "--state-dir", other, systemd: false, environment: session)
    }
    let outcome = try run("install")
    #expect(outcome.status == 64)
    #expect(
      outcome.errors
        == "sequence: without systemd, the agent starts at login only for the state directory of your session, not for "
        + "\"\(other)\"; set SEQUENCE_STATE_DIR for the session, such as in ~/.profile")
    #expect(!exists(entry))
    #expect(try sequence("agent", "install", systemd: false, environment: session).status == 0)
    #expect(try run("status").text.contains("doesn't start at login"))
  }

  // MARK: Files of others, and of other installations

  @Test(arguments: [true, false])
  func `a second installation links to its own files`(systemd: Bool) throws {
    let first = try sequence("agent", "install", systemd: systemd)
    #expect(try sequence("agent", "install", systemd: systemd) == first)
    let other = home.path + "/other"
    try installPrograms(into: other)
    #expect(try sequence("agent", "install", systemd: systemd, prefix: other) == first)
    #expect(try target(of: systemd ? unit : entry).hasPrefix(other + "/"))
  }

  @Test(arguments: [true, false])
  func `a file that an older version wrote is replaced or removed`(systemd: Bool) throws {
    let path = systemd ? unit : entry
    let place = systemd ? "systemd/user/sequence-agent.service" : "autostart/sequence-agent.desktop"
    let text =
      "# Written by sequence agent install, which overwrites changes.\n[Service]\nExecStart=/bin/true\n"
    _ = try home.write(text, to: ".config/" + place)
    #expect(try sequence("agent", "uninstall", systemd: systemd).text == "removed: \(path)")
    #expect(!exists(path))
    _ = try home.write(text, to: ".config/" + place)
    #expect(try sequence("agent", "install", systemd: systemd).status == 0)
    #expect(try target(of: path).hasPrefix(prefix))
  }

  @Test(arguments: [true, false], ["file", "link", "mask", "dangling link"])
  func `a file of somebody else is left alone`(systemd: Bool, kind: String) throws {
    let path = systemd ? unit : entry
    try FileManager.default.createDirectory(
      atPath: directory(ofFileAt: path), withIntermediateDirectories: true)
    let text = "[Unit]\n# Written by sequence agent install\n"
    let other = try home.write(text, to: "dotfiles/systemd/user/sequence-agent.service")
    switch kind {
    case "file": try FileManager.default.copyItem(atPath: other, toPath: path)
    case "link": try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: other)
    case "mask": try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/dev/null")
    default:
      try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: home.path + "/nowhere")
    }
    let refusal = Outcome(
      status: 74,
      errors: "sequence: \(path) was not written by sequence agent install, so it was not changed; "
        + "move it to another place and try again")
    #expect(try sequence("agent", "install", systemd: systemd) == refusal)
    #expect(try sequence("agent", "uninstall", systemd: systemd) == refusal)
    #expect(try String(contentsOfFile: other, encoding: .utf8) == text)
    #expect(exists(path) && !exists(home.path + "/nowhere"))
    #expect(try takeCalls() == [])
    let status = try sequence("agent", "status", "--json", "--state-dir", home.path + "/s", systemd: systemd)
    #expect(status == Outcome(status: 0, text: #"{"running":false,"schema":1}"#))
  }

  @Test(arguments: [true, false])
  func `an installation that lacks the files is named`(systemd: Bool) throws {
    let none = home.path + "/none"
    let file =
      none
      + (systemd
        ? "/lib/systemd/user/sequence-agent.service" : "/share/sequence-timer/sequence-agent.desktop")
    #expect(
      try sequence("agent", "install", systemd: systemd, prefix: none)
        == Outcome(
          status: 74,
          errors:
            "sequence: \(file) is missing, so the agent cannot be started at login; install Sequence again"))
    #expect(!exists(home.path + "/.config"))
  }

  @Test func `links follow XDG_CONFIG_HOME unless it is relative`() throws {
    let other = home.path + "/other"
    _ = try sequence("agent", "install", environment: ["XDG_CONFIG_HOME": other])
    #expect(exists(other + "/systemd/user/sequence-agent.service"))
    #expect(!exists(unit))
    _ = try sequence("agent", "install", environment: ["XDG_CONFIG_HOME": "other"])
    #expect(exists(unit))
    let outcome = try sequence(
      "agent", "install", environment: ["HOME": "", "SEQUENCE_STATE_DIR": "/var/state"])
    #expect(outcome.status == 64)
    #expect(outcome.errors.hasSuffix("so the directory for the file is unknown; set HOME"))
  }

  // MARK: The service manager

  @Test func `a refusal of the service manager is quoted, with the linked file`() throws {
    try systemctl("echo 'Failed to connect to bus' >&2; echo 'No medium found' >&2; exit 1")
    #expect(
      try sequence("agent", "install")
        == Outcome(
          status: 69,
          errors:
            "sequence: systemctl --user enable sequence-agent.service failed: Failed to connect to bus, No medium found, "
            + "and \(unit) was written but may not be enabled; run sequence agent install again"))
    #expect(exists(unit))
  }

  @Test(arguments: [("exit 1", "exit status 1"), ("kill -TERM $$", "killed by signal 15")])
  func `a unit is removed only after it is disabled`(script: String, reason: String) throws {
    _ = try sequence("agent", "install")
    try systemctl(script)
    #expect(
      try sequence("agent", "uninstall")
        == Outcome(
          status: 69,
          errors:
            "sequence: systemctl --user disable sequence-agent.service failed: \(reason), and \(unit) was not "
            + "removed; run sequence agent uninstall again"))
    #expect(exists(unit))
  }

  @Test func `a missing systemctl is reported`() throws {
    let outcome = try sequence("agent", "install", environment: ["PATH": "\(home.path)/none:bin::"])
    #expect(outcome.status == 69)
    #expect(outcome.errors.hasPrefix("sequence: program not found: systemctl, and \(unit) was written"))
  }

  @Test func `a hanging service manager is not waited for`() throws {
    try systemctl("trap '' TERM; sleep 60 & sleep 60; exit 0")
    let manager = ServiceManager(
      environment: ["PATH": home.path + "/bin:/usr/bin:/bin"], clock: try SystemClock(), limit: .seconds(1))
    let start = bootTime()
    #expect(
      manager.failure(of: "enable", "a.service")
        == "systemctl --user enable a.service failed: no answer within 1 s")
    #expect(bootTime() - start < 5_000_000_000 * patience)
  }

  @Test func `processes left by systemctl are not waited for, and much output does no harm`() throws {
    try systemctl("sleep 15 & i=0; while [ $i -lt 9000 ]; do echo 'no, no, no' >&2; i=$((i+1)); done; exit 3")
    let manager = ServiceManager(
      environment: ["PATH": home.path + "/bin:/usr/bin:/bin"], clock: try SystemClock())
    let failure = try #require(manager.failure(of: "enable", "a.service")).description
    #expect(failure.hasSuffix("no, no, no, no, no, no"))
    #expect(failure.utf8.count < 5000)
  }

  // MARK: The unit of a package

  @Test func `a unit that is enabled globally satisfies agent install`() throws {
    try enableForAll()
    let start = "by a systemd user unit: \(packaged)"
    #expect(try sequence("agent", "install").text == "the agent starts at login \(start)")
    #expect(try sequence("agent", "status").text.hasSuffix("\nstarts at login \(start)"))
    #expect(try sequence("doctor").text.contains("(starts at login \(start))"))
    #expect(!exists(unit))
    #expect(try takeCalls() == [])
  }

  @Test func `a globally enabled unit cannot be removed by the user, and that is reported`() throws {
    try enableForAll()
    #expect(
      try sequence("agent", "uninstall").text
        == "the package still starts the agent at login by a systemd user unit: \(packaged); "
        + "to prevent that, run systemctl --user mask sequence-agent.service")
    #expect(
      try sequence("agent", "uninstall", "--json").text
        == #"{"left":"\#(packaged)","removed":[],"schema":1}"#)
    #expect(exists(packaged))
    #expect(try takeCalls() == [])
  }

  @Test func `a unit that the user enabled is disabled`() throws {
    let link = units + "/default.target.wants/sequence-agent.service"
    try FileManager.default.createDirectory(
      atPath: directory(ofFileAt: link), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: packaged)
    #expect(try sequence("agent", "status").text.hasSuffix("unit: \(packaged)"))
    try systemctl("rm '\(link)'")
    #expect(try sequence("agent", "uninstall").text == "removed: \(link)")
    #expect(try sequence("agent", "uninstall").text == "nothing was installed")
  }

  @Test func `the unit of another installation replaces the package's until it is removed`() throws {
    try enableForAll()
    let other = home.path + "/other"
    try installPrograms(into: other)
    #expect(try sequence("agent", "install", prefix: other).text.hasSuffix(": \(unit)"))
    #expect(try sequence("agent", "status").text.hasSuffix(": \(unit)"))
    #expect(
      try sequence("agent", "uninstall").text.hasPrefix(
        "removed: \(unit)\nthe package still starts the agent at login"))
    #expect(!exists(unit))
  }

  @Test(arguments: [".config/systemd/user", "etc"])
  func `a masked unit does not start the agent`(directory: String) throws {
    try enableForAll()
    let path = home.path + "/" + directory
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: path + "/sequence-agent.service", withDestinationPath: "/dev/null")
    #expect(try sequence("agent", "status").text.contains("doesn't start at login"))
  }

  // MARK: Commands

  @Test func `status lists the installed files and calls no program`() throws {
    let state = ["SEQUENCE_STATE_DIR": home.path + "/state"]
    func status() throws -> String { try sequence("agent", "status", "--json", environment: state).text }
    #expect(try status() == #"{"running":false,"schema":1}"#)
    _ = try sequence("agent", "install", systemd: false, environment: state)
    #expect(try status() == #"{"installed":"autostart","running":false,"schema":1}"#)
    _ = try sequence("agent", "install", environment: state)
    _ = try takeCalls()
    #expect(try status() == #"{"installed":"systemd","running":false,"schema":1}"#)
    #expect(try takeCalls() == [])
  }

  @Test func `actions are reported in JSON too`() throws {
    #expect(
      try sequence("agent", "install", "--json").text
        == #"{"installed":"systemd","path":"\#(unit)","schema":1}"#)
    #expect(try sequence("agent", "uninstall", "--json").text == #"{"removed":["\#(unit)"],"schema":1}"#)
  }

  @Test func `the built program belongs to no installation, and says so`() throws {
    let outcome = try ChildProcess.run(
      BuiltProducts.path(of: "sequence"), ["agent", "install"],
      environment: ["HOME": home.path, "PATH": home.path + "/bin:/usr/bin:/bin"])
    #expect(outcome.status == 74)
    let agent = try BuiltProducts.path(of: "sequence-agent")
    #expect(
      outcome.errors
        == "sequence: \"\(agent)\" is not installed, so nothing can start it at login; run make install, and use that "
        + "sequence\n")
    #expect(!exists(home.path + "/.config"))
  }
}
