import Foundation
import SequenceFiles
import SequenceRunner
import SequenceStore
import TestSupport
import Testing

/// The built program, without a desktop.
@Suite(.timeLimit(.minutes(2)), .serialized)
struct ToolTests {
  private let tool: Tool

  private static let refusals: [(words: [String], status: Int32, text: String?)] = [
    (["pause"], 1, "no run is active; start one with sequence timer 5m Tea"),
    (["wait"], 1, "no run is active; start one with sequence timer 5m Tea"),
    (["dance"], 64, #"unknown command "dance"; see sequence help"#),
    (["start"], 64, "start needs a FILE or --card; see sequence help start"),
    (["start", "--card", "A 2x"], 64, #""2x" is not a duration; write it like 2m or 1m30s"#),
    (["status", "--nothing"], 64, #"status has no option "--nothing"; see sequence help status"#),
    (
      ["status", "a", "extra"], 64,
      #"unexpected argument "extra"; put words that belong together in quotes, or see sequence help status"#
    ),
    (["doctor", "extra"], 64, #"unexpected argument "extra"; see sequence help doctor"#),
    (
      ["start", "--card", "Work", "20s"], 64,
      #""20s" is not part of a --card; write --card "Work 20s""#
    ),
    (
      ["check", "--card", "Work", "25m", "--card", "Break 5m"], 64,
      #""25m" is not part of a --card; write --card "Work 25m""#
    ),
    (
      ["check", "--card", "Work 5m", "25"], 64,
      "a FILE and --card cannot be combined; remove one of them; for another length, write --set TITLE=DURATION"
    ),
    (["extend"], 64, "extend needs ±DURATION; see sequence help extend"),
    (
      ["notifications", "clear"], 64,
      "clear needs --card, --sequence or --all; to remove all, run sequence notifications clear --all"
    ),
    (
      ["history", "--since", "2026-02-30"], 64,
      #""2026-02-30" is not a valid date; write it like 2026-11-21, today, monday, 7d or 2026-11-21T09:00:00Z"#
    ),
    (["check", "/nonexistent"], 74, "/nonexistent: cannot be read: No such file or directory"),
    (
      ["wait", "11111111-0000-0000-0000-000000000001"], 1,
      "no run with the ID 11111111-0000-0000-0000-000000000001; see sequence history --json"
    ),
    (["status", "--state-dir", "/proc/none"], 74, nil),
  ]

  init() throws { tool = try Tool() }

  @Test func `a file whose name is not UTF-8 is refused with that reason`() throws {
    let tool = try Tool()
    let script = """
      file="$HOME/$(printf 'bad\\377.yaml')"; echo 'cards: [{ title: A }]' >"$file"; exec "$0" check "$file"
      """
    let output = try ChildProcess.run(
      "/bin/sh", ["-c", script, try BuiltProducts.path(of: "sequence")], environment: tool.environment)
    #expect(output.status == 74)
    #expect(output.errors.hasSuffix("its name is not UTF-8; rename it\n"), "\(output.errors)")
  }

  @Test func `a run whose output is closed is not finished and continues`() throws {
    let tool = try Tool()
    let pipeline = """
      "$0" run --card "A 0.5s" --rounds 200 | head -n 1; echo "${PIPESTATUS[0]}"
      """
    let output = try ChildProcess.run(
      "/bin/bash", ["-c", pipeline, try BuiltProducts.path(of: "sequence")], environment: tool.environment)
    #expect(output.text.split(separator: "\n").last == "141")
    #expect(output.errors == "" || output.errors.hasPrefix("sequence: no notifications: "))
    #expect(try tool.status("state") == "running")
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func `a signal pauses a run that run shows, and only ends attach and wait`(signal: Int32) throws {
    let tool = try Tool()
    let run = try tool.begin("run", "--card", "A 1h")
    _ = try run.line()
    let attached = try tool.begin("attach")
    _ = try attached.line()
    let waiting = try tool.begin("wait")
    for process in [attached, waiting] {
      // A process that does not wait yet is ended by the signal itself.
      process.signal(signal)
      #expect(try process.exitStatus() == 128 + signal)
    }
    #expect(try tool.status("state") == "running")
    run.signal(signal)
    #expect(try run.exitStatus() == 128 + signal)
    #expect(try tool.status("state") == "paused")
  }

  @Test func `thirty steps of a second end 30 s after the start, each reported on its second`() throws {
    let run = try tool.begin("run", "--card", "A 1s", "--rounds", "30")
    #expect(try run.line().contains("started"))
    var start: Int64 = 0
    for step in 0..<30 {
      let line = try run.line()
      if step == 0 { start = bootTime() }
      #expect(line.hasPrefix("0:00:\(step < 10 ? "0" : "")\(step).000  step \(step + 1) of 30:"), "\(line)")
      #expect(abs(bootTime() - start - Int64(step) * 1_000_000_000) < 250_000_000 * patience, "\(line)")
    }
    #expect(try run.line() == "0:00:30.000  finished")
    #expect(abs(bootTime() - start - 30_000_000_000) < 250_000_000 * patience)
    #expect(try run.exitStatus() == 0)
  }

  @Test func `without a bus, with a stale bus or without a server the run continues and reports that once`()
    throws
  {
    let bus = try PrivateBus()
    for address in [nil, "unix:path=/nonexistent/bus", bus.address] {
      let tool = try Tool(bus: address)
      let output = try tool("run", "--card", "A 0.5s", "--card", "B 0.5s")
      #expect(output.status == 0)
      #expect(output.text.split(separator: "\n").count == 4)
      #expect(output.errors.split(separator: "\n").count == 1, "\(output.errors)")
      #expect(output.errors.hasPrefix("sequence: no notifications: "))
    }
  }

  @Test(arguments: ["run --card 'A 1h'", "timer 1h"])
  func `a command that could show nothing starts nothing`(command: String) throws {
    let refused = try ChildProcess.run(
      "/bin/sh", ["-c", "exec \(BuiltProducts.path(of: "sequence")) \(command) >&-"],
      environment: tool.environment)
    #expect(refused.status == 74)
    let remedy = "redirect it to a file, or use sequence start\n"
    #expect(refused.errors == "sequence: standard output is closed, so nothing was changed; " + remedy)
    #expect(try tool.status("state") == "idle")
  }

  @Test func `a run whose output can't be written says that it continues`() throws {
    let output = try ChildProcess.run(
      "/bin/sh", ["-c", "exec \(BuiltProducts.path(of: "sequence")) run --card 'A 1h' >/dev/full"],
      environment: tool.environment)
    #expect(output.status == 74)
    #expect(
      output.errors.contains(
        "standard output cannot be written: No space left on device, but the run continues; see sequence status"
      ))
    #expect(try tool.status("state") == "running")
    try tool.succeed("stop")
  }

  @Test func `the live display shows help on keys again after the notice about notifications`() throws {
    let terminal = try PseudoTerminal()
    try terminal.resize(80, 24)
    let display = try terminal.show(tool, ["run", "--card", "A 1h"])
    _ = try terminal.output(until: "no notifications: ")
    _ = try terminal.output(until: "leave it running")
    try terminal.type("q")
    var status: Int32 = 0
    #expect(waitpid(display, &status, 0) == display)
    try tool.succeed("stop")
  }

  @Test func `a run continues when its agent is killed`() throws {
    let run = try tool("start", "--card", "A 0.3s", "--card", "B 0.3s").text
    if let agent = try tool.agent() { kill(agent, SIGKILL) }
    // It may have ended before anything waits for it.
    try tool.succeed("wait", run)
    let runs = try tool.json("history")["runs"] as? [[String: Any]]
    #expect(runs?.first?["outcome"] as? String == "finished")
    #expect((runs?.first?["steps"] as? [Any])?.count == 2)
  }

  @Test func `an agent that cannot run is reported by every command that needs it`() throws {
    let programs = tool.directory.path + "/programs"
    try #require(mkdir(programs, 0o700) == 0)
    try FileManager.default.copyItem(
      atPath: BuiltProducts.path(of: "sequence"), toPath: programs + "/sequence")
    let reason = "error while loading shared libraries: libnotify.so.4"
    let agent = try tool.directory.write(
      "#!/bin/sh\necho '\(reason)' >&2\nexit 127\n", to: "programs/sequence-agent")
    try #require(chmod(agent, 0o700) == 0)
    func sequence(_ words: String...) throws -> ChildProcess.Output {
      try ChildProcess.run(programs + "/sequence", words, environment: tool.environment, within: .seconds(60))
    }
    let warning =
      "sequence: sequence-agent cannot run: \(reason), so no notifications are shown; see sequence doctor\n"
    for words in [["start", "--card", "A 1h"], ["pause"], ["resume"], ["extend", "1m"]] {
      let output = try ChildProcess.run(
        programs + "/sequence", words, environment: tool.environment, within: .seconds(60))
      #expect(output.status == 0)
      // In a pause nothing needs the agent.
      #expect(output.errors == (words == ["pause"] ? "" : warning))
    }
    // A command that follows the run reports it once.
    #expect(try sequence("start", "--replace", "--card", "A 0.1s", "--card", "B 1h").errors == warning)
    #expect(try sequence("run", "--replace", "--card", "A 0.1s", "--card", "B 0.1s").errors == warning)
    try tool.succeed("start", "--card", "A 1h")
    kill(try tool.waitForAgent(), SIGKILL)
    try tool.waitForEndOfAgent()
    #expect(try sequence("extend", "1m").errors == warning)
    let status = try sequence("agent", "status").text.split(separator: "\n")
    #expect(status[0] == "not running, but there is work for it; see sequence doctor")
    // The problem of an old message may be solved, so it says its time.
    #expect(status[1].hasPrefix("last message of the agent, of 2") && status[1].hasSuffix(": \(reason)"))
    let document = try #require(
      JSONSerialization.jsonObject(with: Data(sequence("agent", "status", "--json").text.utf8))
        as? [String: Any])
    #expect((document["lastMessageAt"] as? String)?.hasSuffix("Z") == true)
  }

  @Test func `status has the documented form`() throws {
    #expect(try tool("status", "--json").text == #"{"runs":[],"schema":1,"state":"idle"}"#)
    try tool.succeed(
      "start", "--card", "Work 20s", "--card", "Rest 10s", "--rounds", "2", "--title", "Tabata")
    try tool.succeed("pause")
    let status = try tool.json("status")
    #expect(status["state"] as? String == "paused")
    #expect((status["sequence"] as? [String: Any])?["title"] as? String == "Tabata")
    let step = try #require(status["step"] as? [String: Any])
    #expect(step["number"] as? Int == 1)
    #expect(step["count"] as? Int == 4)
    #expect(step["duration"] as? Double == 20)
    #expect((step["rounds"] as? [[String: Int]])?.first == ["round": 1, "of": 2])
    #expect((status["next"] as? [String: Any])?["title"] as? String == "Rest")
    let total = try #require(status["total"] as? [String: Double])
    #expect(abs((total["elapsed"] ?? 0) + (total["remaining"] ?? 0) - 60) < 1e-6)
    #expect(
      try tool("status", "--format", "{state} {step} {round}/{rounds} {{x}}").text == "paused Work 1/2 {x}")
  }

  @Test func `a card is a rest if its file says so`() throws {
    let file = try tool.file(
      "title: T\ncards: [{ title: Ruhe, countdown: 1h, rest: true }, "
        + "{ title: Break dance, countdown: 1h, rest: false }, { title: Tea break, countdown: 1h }]\n")
    try tool.succeed("start", file)
    let isRest = try (1...3).map { _ in
      let card = try #require(tool.json("status")["step"] as? [String: Any])["card"] as? [String: Any]
      try tool.succeed("next")
      return card?["isRest"] as? Bool
    }
    #expect(isRest == [true, false, true])
    let lines = try tool.succeed("check", file).split(separator: "\n").dropFirst().prefix(3)
    #expect(lines.map { $0.hasSuffix(", rest") } == [true, false, true])
  }

  @Test func `history shows planned and actual times of each step`() throws {
    let id = try tool.succeed("start", "--card", "A 0.2s", "--card", "B 0.2s")
    #expect(try tool("wait", id).status == 0)
    #expect(try tool("wait", id).status == 0, "a run that is over is answered from the history")
    let runs = try #require(try tool.json("history")["runs"] as? [[String: Any]])
    #expect(runs.first?["id"] as? String == id)
    #expect(runs.first?["outcome"] as? String == "finished")
    let steps = try #require(runs.first?["steps"] as? [[String: Any]])
    #expect(steps.map { $0["planned"] as? Double } == [0.2, 0.2])
    #expect(steps.map { $0["outcome"] as? String } == ["completed", "completed"])
    #expect(steps[0]["endedAt"] as? String == steps[1]["startedAt"] as? String)
  }

  @Test(arguments: refusals)
  func `a failure is one line with a remedy, and an exit status`(
    words: [String], status: Int32, text: String?
  ) throws {
    let output = try ChildProcess.run(
      BuiltProducts.path(of: "sequence"), words, environment: tool.environment)
    #expect(output.status == status)
    #expect(output.text == "")
    #expect(output.errors.hasPrefix("sequence: "))
    #expect(output.errors.split(separator: "\n").count == 1)
    if let text { #expect(output.errors == "sequence: \(text)\n") }
  }

  @Test func `an invalid file is refused within a second and changes nothing`() throws {
    let path = try tool.file("title: T\ncards:\n  - title: A\n    countdown: 2x\n")
    let output = try tool("start", path)
    #expect(output.status == 65)
    #expect(output.errors == "sequence: \(path):4:16: \"2x\" is not a duration; write it like 2m or 1m30s\n")
    #expect(!FileManager.default.fileExists(atPath: tool.state))
  }

  @Test func `a second run is refused, and external text cannot control the terminal`() throws {
    try tool.succeed("start", "--card", "A 1h", "--title", "T\u{1B}[31m")
    let output = try tool("start", "--card", "B 1h")
    #expect(output.status == 1)
    #expect(!output.errors.contains("\u{1B}"))
    #expect(try tool("start", "--card", "B 1h", "--replace").status == 0)
    #expect(!(try tool("history").text.contains("\u{1B}")))
  }

  @Test(arguments: [(Int32(SIGINT), Int32(130)), (Int32(SIGTERM), Int32(143))])
  func `a signal pauses the run, prints how to continue, and determines the exit status`(
    signal: Int32, status: Int32
  )
    throws
  {
    let run = try tool.begin("run", "--card", "A 1h")
    _ = try run.line()
    _ = try run.line()
    run.signal(signal)
    #expect(try run.exitStatus() == status)
    #expect(try run.errorText().contains("to continue it, run sequence resume"))
    #expect(try tool.json("status")["state"] as? String == "paused")
  }

  @Test func `closing the terminal leaves the run going`() throws {
    let run = try tool.begin("run", "--card", "A 1h")
    _ = try run.line()
    run.signal(SIGHUP)
    #expect(try run.exitStatus() == 129)
    #expect(try tool.json("status")["state"] as? String == "running")
  }

  @Test func `run --json reports changes by others, and stop has an exit status`() throws {
    let run = try tool.begin("run", "--card", "A 1h", "--card", "B 1h", "--json")
    func event() throws -> String? {
      (try JSONSerialization.jsonObject(with: Data(run.line().utf8)) as? [String: Any])?["event"] as? String
    }
    #expect(try [event(), event()] == ["run-start", "step-start"])
    try tool.succeed("pause")
    #expect(try event() == "pause")
    try tool.succeed("resume")
    #expect(try event() == "resume")
    try tool.succeed("next")
    #expect(try event() == "step-start")
    try tool.succeed("stop")
    #expect(try event() == "stop")
    #expect(try run.exitStatus() == 3)
  }

  @Test
  func `fifty concurrent pauses and resumes each succeed or explain why not, and the store stays valid`()
    throws
  {
    try tool.succeed("start", "--card", "A 1h")
    let children = try (0..<50).map { try tool.begin($0.isMultiple(of: 2) ? "pause" : "resume") }
    for child in children {
      let errors = try child.errorText()
      let status = try child.exitStatus()
      #expect(
        status == 0 && errors.isEmpty || status == 1 && errors.contains("already"), "\(status) \(errors)")
    }
    let database = try Database(path: tool.state + "/sequence.db")
    #expect(try database.rows("PRAGMA integrity_check") { $0.text(0) } == ["ok"])
    #expect(["paused", "running"].contains(try tool.json("status")["state"] as? String))
  }

  @Test(
    arguments: try FileManager.default.contentsOfDirectory(atPath: BuiltProducts.repository + "/examples")
      .filter { $0.hasSuffix(".yaml") })
  func `every example starts and stops`(name: String) throws {
    let path = BuiltProducts.repository + "/examples/" + name
    #expect(try tool("check", path).status == 0)
    try tool.succeed("start", path)
    #expect(try tool.json("status")["state"] as? String == "running")
    try tool.succeed("stop")
  }

  @Test func `the headless example waits for the end and handles the exit status`() throws {
    let script = BuiltProducts.repository + "/examples/headless.sh"
    let program = try BuiltProducts.path(of: "sequence")
    let path = try tool.file("title: T\ncards: [{ title: A, countdown: 0.3s }]\n")
    let done = try ChildProcess.run("/bin/sh", [script, path, program], environment: tool.environment)
    #expect(done.status == 0 && done.text == "well done")
    let long = try tool.file("title: T\ncards: [{ title: A, countdown: 1h }]\n")
    let child = try ChildProcess("/bin/sh", [script, long, program], environment: tool.environment)
    try tool.wait(until: { try tool.json("status")["state"] as? String == "running" })
    try tool.succeed("stop")
    #expect(try child.exitStatus() == 3)
  }

  @Test func `the demonstration runs without a terminal and ends by itself`() throws {
    let script = BuiltProducts.repository + "/examples/demo.sh"
    let output = try ChildProcess.run(
      "/bin/sh", [script, BuiltProducts.path(of: "sequence")], environment: tool.environment,
      within: .seconds(60))
    #expect(output.status == 0)
    #expect(output.text.split(separator: "\n").count == 20)
    #expect(output.text.hasSuffix("finished"))
    #expect(output.errors.split(separator: "\n").count == 1)
  }

  @Test(.enabled(if: ToolTests.canRestart, "needs a user namespace"))
  func `a running and a paused run continue after a reboot`() throws {
    /// Runs a command in another boot, with another file as boot id and another offset of the boot clock.
    func inBoot(_ number: Int, _ command: String) throws -> String {
      let id = try tool.directory.write("0000000\(number)-0000-0000-0000-000000000000\n", to: "boot\(number)")
      let script =
        "mount --bind \(id) /proc/sys/kernel/random/boot_id && '\(try BuiltProducts.path(of: "sequence"))' \(command)"
      let output = try ChildProcess.run(
        "/usr/bin/unshare", ToolTests.namespaces + ["--boottime", String(number * 1000), "sh", "-c", script],
        environment: tool.environment)
      #expect(output.status == 0, "\(output.errors)")
      return output.text
    }
    try tool.succeed("start", "--card", "A 1h", "--card", "B 1h")
    if let agent = try tool.agent() { kill(agent, SIGKILL) }
    #expect(try inBoot(1, "status").hasPrefix("running: \"A\" 1:00:00 left"))
    #expect(try inBoot(2, "pause").hasPrefix("paused a-b: \"A\" "))
    let paused = try inBoot(3, "status --format '{remaining} {state}'")
    #expect(try inBoot(4, "status --format '{remaining} {state}'") == paused)
    #expect(try inBoot(5, "resume").hasPrefix("resumed a-b: \"A\" "))
    #expect(try inBoot(5, "stop").hasPrefix("stopped a-b: 0 of 2 steps in "))
  }

  @Test(.enabled(if: ToolTests.canRestart, "needs a user namespace"))
  func `without a boot id doctor and help work, and other commands say what to do`() throws {
    let id = try tool.directory.write("", to: "no-boot-id")
    let program = try BuiltProducts.path(of: "sequence")
    func run(_ command: String) throws -> ChildProcess.Output {
      try ChildProcess.run(
        "/usr/bin/unshare",
        ToolTests.namespaces + [
          "sh", "-c", "mount --bind \(id) /proc/sys/kernel/random/boot_id && '\(program)' \(command)",
        ], environment: tool.environment, within: .seconds(60))
    }
    let remedy =
      "the boot id cannot be read from /proc/sys/kernel/random/boot_id: it is empty; mount /proc, or let the sandbox "
      + "or container read this file"
    let refused = try run("start --card 'A 1h'")
    #expect(refused.status == 74)
    #expect(refused.errors == "sequence: \(remedy)\n")
    #expect(!FileManager.default.fileExists(atPath: tool.state))
    #expect(try run("help start").status == 0)
    let report = try run("doctor")
    #expect(report.status == 69, "\(report.errors)")
    #expect(
      report.text.contains("mount /proc, or let the sandbox or container read this file"), "\(report.text)")
  }

  @Test func `a state directory that is not UTF-8 is refused, and no other one is used`() throws {
    let script = """
      place="$HOME/st$(printf '\\350')te"; mkdir "$place"
      unset SEQUENCE_STATE_DIR
      "$0" start --card 'A 1h' --state-dir "$place"; echo $?
      SEQUENCE_STATE_DIR="$place" "$0" status; echo $?
      HOME="$place" "$0" status; echo $?
      """
    let output = try ChildProcess.run(
      "/bin/sh", ["-c", script, try BuiltProducts.path(of: "sequence")], environment: tool.environment)
    #expect(output.text == "64\n64\n64")
    let lines = output.errors.split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines.allSatisfy { $0.contains("is not UTF-8; rename it") }, "\(lines)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: tool.directory.path).count == 1)
  }

  @Test(arguments: ["agent.lock", "agent.log"])
  func `a link in the place of a file of the agent is refused, and the message says what to do`(name: String)
    throws
  {
    _ = try tool("status")
    try makeDirectory(tool.state)
    symlink("elsewhere", tool.state + "/" + name)
    let started = try tool("start", "--card", "A 1h")
    #expect(started.errors.hasSuffix("; remove the link\n"), "\(started.errors)")
    #expect(!FileManager.default.fileExists(atPath: tool.state + "/elsewhere"))
    try tool.succeed("stop")
  }

  @Test func `a link in the place of the lock of displays keeps no agent from starting, and isn't followed`()
    throws
  {
    try makeDirectory(tool.state)
    symlink("elsewhere", tool.state + "/foreground.lock")
    try tool.succeed("start", "--card", "A 1h")
    _ = try tool.waitForAgent()
    #expect(!FileManager.default.fileExists(atPath: tool.state + "/elsewhere"))
    try tool.succeed("stop")
  }

  @Test func `no file is written if its name or the library's is not UTF-8`() throws {
    let script = """
      unset SEQUENCE_STATE_DIR
      mkdir "$HOME/empty"; cd "$HOME/empty"
      word="caf$(printf '\\351')"
      printf 'Boil for ~{3%%minutes}.\\n' >"$HOME/tea.cook"
      "$0" new "./$word.yaml"; echo $?
      "$0" new "$word"; echo $?
      XDG_DATA_HOME="$PWD/$word" "$0" new tea; echo $?
      "$0" import "$HOME/tea.cook" --output "$word.yaml"; echo $?
      "$0" import "$HOME/tea.cook" --output tea.yaml; echo $?
      """
    let output = try ChildProcess.run(
      "/bin/sh", ["-c", script, try BuiltProducts.path(of: "sequence")], environment: tool.environment)
    #expect(output.text == "64\n64\n74\n64\n0", "\(output.errors)")
    let lines = output.errors.split(separator: "\n")
    #expect(lines.count { $0.contains("is not UTF-8; choose another name") } == 3, "\(lines)")
    #expect(
      lines.contains { $0.contains("; set XDG_DATA_HOME to a directory whose path is UTF-8") }, "\(lines)")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: tool.directory.path + "/empty") == ["tea.yaml"])
    let library = tool.directory.path + "/.local/share/sequence"
    #expect((try? FileManager.default.contentsOfDirectory(atPath: library)) ?? [] == [])
  }

  @Test func `the agent doesn't keep the working directory, also with a relative state directory`() throws {
    let script = #"mkdir "$HOME/place" && cd "$HOME/place" && exec "$0" start --card 'A 1h'"#
    var environment = tool.environment
    environment["SEQUENCE_STATE_DIR"] = "../state"
    let output = try ChildProcess.run(
      "/bin/sh", ["-c", script, try BuiltProducts.path(of: "sequence")], environment: environment)
    #expect(output.status == 0, "\(output.errors)")
    let agent = try tool.waitForAgent()
    let directory = try linkTarget("/proc/\(agent)/cwd")
    #expect(directory == "/")
    try tool.succeed("stop")
    try tool.waitForEndOfAgent()
  }

  static let namespaces = ["--user", "--map-root-user", "--mount", "--time"]

  /// Whether this system allows tests with their own boot clock and boot id.
  static let canRestart =
    (try? ChildProcess.run("/usr/bin/unshare", namespaces + ["true"], environment: [:]).status) == 0

  @Test(
    arguments: [
      (["history"], "no past runs yet"), (["history", "--since", "2026-01-01"], "no runs since then"),
      (["stats"], "no past runs yet"), (["stats", "--since", "2026-01-01"], "no past runs since 2026-01-01"),
      (["notifications"], "no notifications yet"),
    ])
  func `an empty list is reported on standard error`(words: [String], message: String) throws {
    #expect(try CommandLineRunner().run(words) == .init(status: 0, errors: message))
  }

  @Test func `every command has help`() throws {
    let overview = try tool("help").text
    for name in [
      "run", "start", "attach", "status", "pause", "extend", "wait", "check", "notifications", "history",
      "agent",
    ] {
      #expect(overview.contains("  \(name) "))
      #expect(try tool("help", name).text.contains("Usage: sequence \(name)"))
      #expect(try tool(name, "--help").text == tool("help", name).text)
    }
  }
}
