import Foundation
import SequencePlatform
@testable import SequenceClient
import SequenceFiles
import SequenceRunner
import Synchronization
import TestSupport
import Testing

@testable import SequenceCommand

/// `agent install` and `agent uninstall`, with a home directory and a `systemctl` of the test's own.
@Suite(.timeLimit(.minutes(1)))
struct AgentInstallTests {
  private let home: TemporaryDirectory
  private var unit: String { home.path + "/.config/systemd/user/sequence-agent.service" }
  private var entry: String { home.path + "/.config/autostart/sequence-agent.desktop" }
  private var calls: String { home.path + "/calls" }

  /// The result of a command.
  private struct Outcome: Equatable {
    var status: Int32
    var text = ""
    var errors = ""
  }

  init() throws {
    home = try TemporaryDirectory()
    try systemctl("exit 0")
  }

  /// Puts a script into the path that records its arguments.
  private func systemctl(_ script: String) throws {
    let path = try home.write("#!/bin/sh\necho \"$*\" >>'\(calls)'\n\(script)\n", to: "bin/systemctl")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
  }

  /// Runs a command line in the library.
  private func sequence(
    _ words: String..., systemd: Bool, program: String = "/opt/sequence-agent",
    environment changes: [String: String] = [:]
  ) throws -> Outcome {
    let environment = [
      "HOME": home.path, "PATH": home.path + "/bin:/usr/bin:/bin", "SEQUENCE_STATE_DIR": "/var/state",
    ].merging(changes) { $1 }
    let text = Mutex<[String]>([])
    let errors = Mutex<[String]>([])
    let context = CommandContext(
      environment: EnvironmentVariables(environment), clock: try SystemClock(),
      print: { line in text.withLock { $0.append(line) } },
      printError: { line in errors.withLock { $0.append(line) } }, startAgent: { _ in getpid() },
      agentProgram: { program }, hasSystemd: systemd, unitDirectories: [], hasTerminal: false)
    let status = SequenceProgram.run(words, in: context)
    return Outcome(
      status: status, text: text.withLock { $0.joined(separator: "\n") },
      errors: errors.withLock { $0.joined(separator: "\n") })
  }

  private func read(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

  private func exists(_ path: String) -> Bool {
    (try? FileManager.default.attributesOfItem(atPath: path)) != nil
  }

  /// Returns the arguments of the calls of systemctl since the last time.
  private func takeCalls() throws -> [String] {
    guard exists(calls) else { return [] }
    defer { try? FileManager.default.removeItem(atPath: calls) }
    return try read(calls).split(separator: "\n").map(String.init)
  }

  /// Returns the value of a key in a configuration file.
  private func value(_ key: String, in path: String) throws -> String? {
    try read(path).split(separator: "\n").first { $0.hasPrefix(key + "=") }.map {
      String($0.dropFirst(key.count + 1))
    }
  }

  @Test func `with systemd a user unit is written and enabled`() throws {
    let outcome = try sequence("agent", "install", systemd: true)
    #expect(
      outcome
        == Outcome(status: 0, text: "the agent starts at login by a systemd user unit: \(unit)"))
    #expect(try takeCalls() == ["--user daemon-reload", "--user enable sequence-agent.service"])
    #expect(
      try read(unit) == """
        # Written by sequence agent install, which overwrites changes; sequence agent uninstall removes it.
        [Unit]
        Description=Notifications of Sequence
        # Without a store nothing is pending.
        ConditionPathExists=/var/state/sequence.db
        StartLimitIntervalSec=60
        StartLimitBurst=5

        [Service]
        Type=simple
        ExecStart=/opt/sequence-agent --state-dir /var/state
        # Where "sequence agent status" looks for the last message.
        StandardError=append:/var/state/agent.log
        UMask=0077
        # Ending by SIGHUP, SIGINT or SIGTERM is not a failure.
        SuccessExitStatus=129 130 143
        Restart=on-failure
        RestartSec=1
        RestartPreventExitStatus=64

        [Install]
        WantedBy=default.target

        """)
    #expect(!exists(entry))
  }

  @Test func `without systemd an autostart entry is written and no program called`() throws {
    let outcome = try sequence("agent", "install", systemd: false)
    #expect(
      outcome
        == Outcome(status: 0, text: "the agent starts at login by an autostart entry: \(entry)"))
    #expect(try takeCalls() == [])
    #expect(
      try read(entry) == """
        # Written by sequence agent install, which overwrites changes; sequence agent uninstall removes it.
        [Desktop Entry]
        Type=Application
        Name=Sequence
        Comment=Notifications of Sequence
        Exec=/opt/sequence-agent --state-dir /var/state
        NoDisplay=true

        """)
    #expect(!exists(unit))
  }

  @Test(arguments: [true, false])
  func `the file is complete, readable by others, and alone in its directory`(systemd: Bool) throws {
    _ = try sequence("agent", "install", systemd: systemd)
    let path = systemd ? unit : entry
    let rights = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(rights == 0o644)
    let directory = URL(filePath: path).deletingLastPathComponent().path()
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory).count == 1)
  }

  @Test(arguments: [true, false])
  func `a second installation rewrites the file and enables it again`(
    systemd: Bool
  ) throws {
    let first = try sequence("agent", "install", systemd: systemd)
    let calls = try takeCalls()
    #expect(try sequence("agent", "install", systemd: systemd) == first)
    #expect(try takeCalls() == calls)
    #expect(try sequence("agent", "install", systemd: systemd, program: "/usr/bin/sequence-agent") == first)
    #expect(try read(systemd ? unit : entry).contains("=/usr/bin/sequence-agent --state-dir"))
  }

  @Test func `uninstalling removes the files, the unit after it is disabled`() throws {
    _ = try sequence("agent", "install", systemd: true)
    _ = try sequence("agent", "install", systemd: false)
    _ = try takeCalls()
    try systemctl("[ $2 = daemon-reload ] || [ -e '\(unit)' ]")
    let outcome = try sequence("agent", "uninstall", systemd: true)
    #expect(outcome == Outcome(status: 0, text: "removed: \(unit)\nremoved: \(entry)"))
    #expect(try takeCalls() == ["--user disable sequence-agent.service", "--user daemon-reload"])
    #expect(!exists(unit) && !exists(entry))
    #expect(
      try sequence("agent", "uninstall", systemd: true) == Outcome(status: 0, text: "nothing was installed"))
    #expect(try takeCalls() == [])
  }

  @Test(arguments: [true, false])
  func `a file written by somebody else is left alone`(systemd: Bool) throws {
    let path = systemd ? unit : entry
    try FileManager.default.createDirectory(
      atPath: URL(filePath: path).deletingLastPathComponent().path(), withIntermediateDirectories: true)
    try Data("[Unit]\n# Written by sequence agent install\n".utf8).write(to: URL(filePath: path))
    let refusal = Outcome(
      status: 74,
      errors: "sequence: \(path) was not written by sequence agent install, so it was not changed; "
        + "move it to another place and try again")
    #expect(try sequence("agent", "install", systemd: systemd) == refusal)
    #expect(try sequence("agent", "uninstall", systemd: systemd) == refusal)
    #expect(try read(path) == "[Unit]\n# Written by sequence agent install\n")
    #expect(try takeCalls() == [])
    let status = try sequence("agent", "status", "--json", "--state-dir", home.path + "/s", systemd: systemd)
    #expect(status == Outcome(status: 0, text: #"{"running":false,"schema":1}"#))
  }

  @Test(arguments: [true, false])
  func `a symbolic link is not followed`(systemd: Bool) throws {
    let path = systemd ? unit : entry
    _ = try sequence("agent", "install", systemd: systemd)
    _ = try takeCalls()
    let target = home.path + "/target"
    try FileManager.default.moveItem(atPath: path, toPath: target)
    let text = try read(target)
    for destination in [target, "/dev/null", home.path + "/nowhere"] {
      try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: destination)
      for command in ["install", "uninstall"] {
        let outcome = try sequence("agent", command, systemd: systemd, program: "/elsewhere")
        #expect(
          outcome
            == Outcome(
              status: 74,
              errors:
                "sequence: \(path) is not a regular file, so it was not changed; move it to another place and try again"
            ))
      }
      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == destination)
      try FileManager.default.removeItem(atPath: path)
    }
    #expect(try read(target) == text)
    #expect(!exists(home.path + "/nowhere"))
    #expect(try takeCalls() == [])
  }

  @Test func `a refusal of the service manager is quoted, with the written file`() throws {
    try systemctl("echo 'Failed to connect to bus' >&2; echo 'No medium found' >&2; exit 1")
    let outcome = try sequence("agent", "install", systemd: true)
    #expect(
      outcome
        == Outcome(
          status: 69,
          errors:
            "sequence: systemctl --user daemon-reload failed: Failed to connect to bus, No medium found, "
            + "and \(unit) was written but may not be enabled; run sequence agent install again"))
    #expect(exists(unit))
    try systemctl("exit 0")
    #expect(try sequence("agent", "install", systemd: true).status == 0)
    #expect(try takeCalls().last == "--user enable sequence-agent.service")
  }

  @Test(arguments: [
    ("[ $2 != disable ]", true, "disable sequence-agent.service failed: exit status 1"),
    ("[ $2 != daemon-reload ]", false, "daemon-reload failed: exit status 1"),
    ("kill -TERM $$", true, "disable sequence-agent.service failed: killed by signal 15"),
  ])
  func `a unit is removed only after it is disabled`(
    script: String, isLeft: Bool, reason: String
  ) throws {
    _ = try sequence("agent", "install", systemd: true)
    try systemctl(script)
    let outcome = try sequence("agent", "uninstall", systemd: true)
    #expect(outcome.status == 69)
    let left =
      isLeft
      ? "was not removed; run sequence agent uninstall again"
      : "was disabled and removed; run systemctl --user daemon-reload"
    #expect(outcome.errors == "sequence: systemctl --user \(reason), and \(unit) \(left)")
    #expect(exists(unit) == isLeft)
  }

  @Test func `a missing systemctl is reported`() throws {
    let outcome = try sequence(
      "agent", "install", systemd: true, environment: ["PATH": "\(home.path)/none:bin::"])
    #expect(outcome.status == 69)
    #expect(
      outcome.errors.hasPrefix("sequence: program not found: systemctl, and \(unit) was written"))
  }

  @Test func `a hanging service manager is not waited for`() throws {
    try systemctl("trap '' TERM; sleep 60 & sleep 60; exit 0")
    let manager = ServiceManager(
      environment: ["PATH": home.path + "/bin:/usr/bin:/bin"], clock: try SystemClock(),
      limit: .seconds(1))
    let start = bootTime()
    #expect(
      throws: ServiceManagerError.failed(
        command: "systemctl --user daemon-reload", reason: "no answer within 1 s")
    ) { try manager.reload() }
    #expect(bootTime() - start < 5_000_000_000 * patience)
  }

  @Test func `processes left by systemctl are not waited for, and much output does no harm`() throws {
    try systemctl("sleep 15 & i=0; while [ $i -lt 9000 ]; do echo 'no, no, no' >&2; i=$((i+1)); done; exit 3")
    let manager = ServiceManager(
      environment: ["PATH": home.path + "/bin:/usr/bin:/bin"], clock: try SystemClock())
    let error = #expect(throws: ServiceManagerError.self) { try manager.reload() }
    guard case .failed("systemctl --user daemon-reload", let reason) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(reason.hasSuffix("no, no, no, no, no, no"))
    #expect(reason.utf8.count < 5000)
  }

  @Test func `paths are escaped for systemd`() throws {
    let state = #"/tmp/my "state" 100% $HOME it's \new"#
    _ = try sequence(
      "agent", "install", "--state-dir", state, systemd: true, program: "/opt/my 100% $HOME/sequence-agent")
    #expect(
      try value("ExecStart", in: unit)
        == #""/opt/my 100%% $HOME/sequence-agent" --state-dir "#
        + #""/tmp/my \"state\" 100%% $$HOME it's \\new""#)
    #expect(
      try value("StandardError", in: unit) == #"append:/tmp/my "state" 100%% $HOME it's \new/agent.log"#)
    #expect(
      try value("ConditionPathExists", in: unit) == #"/tmp/my "state" 100%% $HOME it's \new/sequence.db"#)
  }

  @Test func `a shell starts a program whose path systemd refuses`() throws {
    _ = try sequence("agent", "install", systemd: true, program: #"/opt/the "best" $one\agent"#)
    #expect(
      try value("ExecStart", in: unit)
        == #"/bin/sh -c "exec \"$$0\" \"$$@\"" "/opt/the \"best\" $$one\\agent" --state-dir /var/state"#)
  }

  @Test func `paths are escaped for desktop entries`() throws {
    let state = #"/tmp/my "state" 100% $HOME it's `x` \new"#
    _ = try sequence(
      "agent", "install", "--state-dir", state, systemd: false, program: "/opt/my agent")
    #expect(
      try value("Exec", in: entry)
        == #""/opt/my agent" --state-dir "/tmp/my \\"state\\" 100%% \\$HOME it's \\`x\\` \\\\new""#)
  }

  @Test(arguments: [("/opt/a=b/agent", "/opt/a=b/agent"), ("/opt/100%/agent", #""/opt/100%%/agent""#)])
  func `a shell starts a program whose path desktop entries refuse`(program: String, written: String) throws {
    _ = try sequence("agent", "install", systemd: false, program: program)
    #expect(
      try value("Exec", in: entry)
        == #"/bin/sh -c "exec \\"\\$0\\" \\"\\$@\\"" "# + written + " --state-dir /var/state")
  }

  @Test func `a path with a line feed is refused, and nothing is written`() throws {
    let outcome = try sequence("agent", "install", "--state-dir", "/tmp/a\nExecStart=b", systemd: true)
    #expect(
      outcome
        == Outcome(
          status: 74,
          errors:
            "sequence: \"/tmp/a ExecStart=b\" contains control characters, so the agent cannot be started "
            + "from it; rename it"))
    #expect(!exists(home.path + "/.config"))
  }

  @Test func `a quote with a combining accent is still a quote`() throws {
    _ = try sequence("agent", "install", "--state-dir", "/tmp/\"\u{301}%\u{301}", systemd: true)
    #expect(
      try value("ExecStart", in: unit)?.unicodeScalars.elementsEqual(
        "/opt/sequence-agent --state-dir \"/tmp/\\\"\u{301}%%\u{301}\"".unicodeScalars) == true)
  }

  @Test func `relative state directories become absolute and normalized`() throws {
    let here = FileManager.default.currentDirectoryPath
    _ = try sequence("agent", "install", "--state-dir", "st ate", systemd: true)
    #expect(try read(unit).contains("append:\(here)/st ate/agent.log\n"))
    let path = home.path + "/one/../two"
    _ = try sequence("agent", "install", "--state-dir", path, systemd: true)
    #expect(try value("ExecStart", in: unit)?.hasSuffix("/two") == true)
    #expect(try value("ExecStart", in: unit)?.contains("..") == false)
  }

  @Test func `files follow XDG_CONFIG_HOME unless it is relative`() throws {
    let other = home.path + "/other"
    _ = try sequence("agent", "install", systemd: true, environment: ["XDG_CONFIG_HOME": other])
    #expect(exists(other + "/systemd/user/sequence-agent.service"))
    #expect(!exists(unit))
    _ = try sequence("agent", "install", systemd: true, environment: ["XDG_CONFIG_HOME": "other"])
    #expect(exists(unit))
    let outcome = try sequence("agent", "install", systemd: true, environment: ["HOME": ""])
    #expect(outcome.status == 64)
    #expect(outcome.errors.hasSuffix("so the directory for the file is unknown; set HOME"))
  }

  @Test func `status lists the installed files and calls no program`() throws {
    let state = home.path + "/state"
    func status(_ words: String...) throws -> String {
      try sequence("agent", "status", "--state-dir", state, words.first ?? "--json", systemd: true).text
    }
    #expect(try status() == #"{"running":false,"schema":1}"#)
    _ = try sequence("agent", "install", "--state-dir", state, systemd: false)
    #expect(try status() == #"{"installed":"autostart","running":false,"schema":1}"#)
    _ = try sequence("agent", "install", "--state-dir", state, systemd: true)
    _ = try takeCalls()
    #expect(try status() == #"{"installed":"systemd","running":false,"schema":1}"#)
    let text = try sequence("agent", "status", "--state-dir", state, systemd: true).text
    #expect(text.hasSuffix("\nstarts at login by a systemd user unit: \(unit)"))
    #expect(try takeCalls() == [])
    _ = try sequence("agent", "uninstall", systemd: true)
    #expect(
      try sequence("agent", "status", "--state-dir", state, systemd: true).text.hasSuffix(
        "\ndoesn't start at login; to change that, run sequence agent install"))
  }

  @Test(arguments: [true, false]) func `an agent of another state directory is not this one`(systemd: Bool)
    throws
  {
    let state = home.path + "/a b%"
    _ = try sequence("agent", "install", "--state-dir", state, systemd: systemd)
    func status(_ state: String) throws -> String {
      try sequence("agent", "status", "--state-dir", state, systemd: systemd).text
    }
    #expect(try status(state).contains("\nstarts at login by"))
    let file = systemd ? unit : home.path + "/.config/autostart/sequence-agent.desktop"
    #expect(
      try status(home.path + "/b%").hasSuffix(
        "\ndoesn't start at login, because \(file) is for another state directory; "
          + "to change that, run sequence agent install"))
    #expect(
      try sequence("agent", "status", "--state-dir", home.path + "/b%", "--json", systemd: systemd).text
        == #"{"running":false,"schema":1}"#)
  }

  @Test func `actions are reported in JSON too`() throws {
    #expect(
      try sequence("agent", "install", "--json", systemd: true).text
        == #"{"installed":"systemd","path":"\#(unit)","schema":1}"#)
    #expect(
      try sequence("agent", "uninstall", "--json", systemd: true).text
        == #"{"removed":["\#(unit)"],"schema":1}"#)
  }

  @Test func `the built program finds its agent with any service manager`() throws {
    func sequence(_ words: String...) throws -> ChildProcess.Output {
      try ChildProcess.run(
        BuiltProducts.path(of: "sequence"), words,
        environment: ["HOME": home.path, "PATH": home.path + "/bin:/usr/bin:/bin"])
    }
    let outcome = try sequence("agent", "install")
    #expect(outcome.status == 0, "\(outcome.errors)")
    let agent = try BuiltProducts.path(of: "sequence-agent")
    let path = ServiceManager.isPresent ? unit : entry
    let key = ServiceManager.isPresent ? "ExecStart" : "Exec"
    #expect(try value(key, in: path) == "\(agent) --state-dir \(home.path)/.local/state/sequence")
    #expect(try sequence("agent", "uninstall").text == "removed: \(path)")
    #expect(!exists(path))
  }
}
