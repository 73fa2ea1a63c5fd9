import Foundation
import SequenceConfiguration
import SequenceFiles
import TestSupport
import Testing

@testable import SequenceCommand

/// The snippets of the documentation.
///
/// Sequences and configurations are parsed, command lines are checked, and the snippets of the task pages are
/// executed by the built program.
struct DocumentedSnippetTests {
  @Test(arguments: try pages())
  func `YAML is a valid sequence or configuration`(page: String) throws {
    for block in try DocumentationPage(page).blocks(in: "yaml") {
      let bytes = Array(block.text.utf8)
      if block.text.split(separator: "\n").contains("cards:") {
        #expect(throws: Never.self, "\(page):\(block.line)") { try SequenceFile.parse(bytes) }
      } else {
        #expect(throws: Never.self, "\(page):\(block.line)") { try Configuration.parse(bytes) }
      }
    }
  }

  @Test(arguments: try pages())
  func `command lines are valid`(page: String) throws {
    let page = try DocumentationPage(page)
    let lines =
      page.blocks(in: "sh").flatMap(\.commands) + page.blocks(in: "ini").flatMap(\.startedCommands)
      + page.blocks(in: "crontab").flatMap(\.scheduledCommands)
    for words in lines.flatMap({ ShellWords.commands(named: "sequence", in: $0) })
    where words.first != "--version" {
      #expect(throws: Never.self, "\(page.path): sequence \(words.joined(separator: " "))") {
        let command = try CommandTable.command(named: words.first ?? "")
        // A variable stands for a run id or a directory; a UUID is valid for both.
        let arguments = words.dropFirst().map { $0.hasPrefix("$") ? UUID().uuidString : $0 }
        _ = try ParsedArguments(arguments, of: command)
      }
    }
  }

  @Test(
    arguments: [
      (#"sequence check a.yaml   # show the plan; sequence"#, [["check", "a.yaml"]]),
      (
        #"run=$(sequence start "a b") || exit; sequence wait "$run" && echo 'x'"#,
        [["start", "a b"], ["wait", "$run"]]
      ),
      (#"  6 | 7) sequence run x --without "A b" ;;"#, [["run", "x", "--without", "A b"]]),
      (#"swayidle timeout 300 'sequence pause'"#, []),
      ("%h/.local/bin/sequence start m >/dev/null", [["start", "m"]]),
      ("sequence history --csv > a.csv; sequence status 2>&1", [["history", "--csv"], ["status"]]),
      ("sequence status --format '<b>{step}</b> {time}'", [["status", "--format", "<b>{step}</b> {time}"]]),
      (#"alias tea='A=b sequence'"#, []),
    ])
  func `command lines are found`(line: String, commands: [[String]]) {
    #expect(ShellWords.commands(named: "sequence", in: line) == commands)
  }

  @Test(arguments: ["README.md", "docs/recipes.md", "docs/faq.md", "docs/scripting.md"], ["1", "6"])
  func `a reader can paste a page from beginning to end`(page: String, weekday: String) throws {
    // The README is read from its beginning; of the other pages, each block is a task of its own.
    let reader = try Reader(weekday: weekday, endsRuns: page != "README.md")
    for block in try DocumentationPage(page).blocks {
      if let file = block.file { try reader.save(block.text, as: file) }
      // The desktop and systemd start commands, too.
      let started = block.startedCommands.map { $0.replacing("%h", with: "$HOME") }
      for text in block.language == "sh" ? [block.text] : block.language == "ini" ? started : [] {
        let output = try reader.paste(text)
        #expect(output.status == 0, "\(page):\(block.line): \(output.text)\(output.errors)")
      }
    }
  }

  @Test func `the module for Waybar equals the example`() throws {
    let module = try #require(try DocumentationPage("README.md").blocks(in: "jsonc").first)
    let example = try String(
      contentsOfFile: BuiltProducts.repository + "/examples/bars/waybar.jsonc", encoding: .utf8)
    #expect(Set(trimmed(module.text)).isSubset(of: trimmed(example)))
    #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data("{\(module.text)}".utf8)) }
  }

  private static func pages() throws -> [String] {
    ["README.md", "CONTRIBUTING.md"] + (try DocumentationPage.inDocs())
  }

  private func trimmed(_ text: String) -> [String] {
    text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
  }
}

/// A user who follows a page, with a home directory of their own.
///
/// Other programs on the page do nothing, and waiting commands do not wait.
private final class Reader {
  private let home: TemporaryDirectory
  let environment: [String: String]

  /// - Parameter endsRuns: whether an active run is stopped before another one is started.
  init(weekday: String, endsRuns: Bool) throws {
    home = try TemporaryDirectory()
    environment = [
      "HOME": home.path, "PATH": home.path + "/.local/bin:/usr/bin:/bin", "TZ": "UTC", "EDITOR": "true",
      "XDG_RUNTIME_DIR": home.path, "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=\(home.path)/none",
    ]
    for program in ["git", "make", "sudo", "swayidle", "systemctl", "systemd-run", "tar"] {
      try add(program, "exit 0")
    }
    // What a download and a clone bring.
    try add("../../sequence-timer-0.1.0-x86_64/install.sh", "exit 0")
    try add("../../sequence/README.md", "")
    try add("date", "echo \(weekday)")
    try add("sequence", Reader.sequence(try BuiltProducts.path(of: "sequence"), endsRuns: endsRuns))
    let tabata = try String(
      contentsOfFile: BuiltProducts.repository + "/examples/tabata.yaml", encoding: .utf8)
    for name in ["workout.yaml", "tea.yaml"] { try save(tabata, as: name) }
  }

  deinit {
    // Includes runs in other state directories.
    _ = try? paste(
      """
      for directory in ~/.local/state/sequence*; do
        agent=$(sequence agent status --json --state-dir "$directory" | sed -n 's/.*"process":\\([0-9]*\\).*/\\1/p')
        [ -z "$agent" ] || kill -KILL "$agent"
      done
      """)
  }

  /// Saves a file where a page says, and returns its path.
  @discardableResult
  func save(_ text: String, as name: String) throws -> String {
    let path = name.hasPrefix("~/") ? String(name.dropFirst(2)) : name
    return try home.write(text, to: path)
  }

  func paste(_ text: String) throws -> ChildProcess.Output {
    try ChildProcess.run(
      "/bin/sh", ["-euc", "cd\n" + text], environment: environment, within: .seconds(60))
  }

  private func add(_ name: String, _ script: String) throws {
    let path = try save("#!/bin/sh\n\(script)\n", as: "~/.local/bin/" + name)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
  }

  /// Returns a script in place of the program, which starts runs in the background and does not wait for
  /// ends.
  private static func sequence(_ program: String, endsRuns: Bool) -> String {
    """
    end() { \(endsRuns ? "'\(program)' stop >/dev/null 2>&1 || :" : ":"); }
    command=$1
    shift
    case $command in
      run)
        end
        # Whether a run can end at a time depends on the hour.
        for word; do
          shift
          case "${last-} $word" in
            *" --replace" | *" --until" | "--until "*) ;;
            *) set -- "$@" "$word" ;;
          esac
          last=$word
        done
        exec '\(program)' start "$@" ;;
      status)
        for word; do
          shift
          [ "$word" = --follow ] || set -- "$@" "$word"
        done
        exec '\(program)' status "$@" ;;
      timer)
        end
        '\(program)' timer "$@" >/dev/null &
        timer=$!
        '\(program)' status --follow --format '{state}' | grep -q -m 1 -x running
        kill -HUP "$timer"
        wait "$timer" || [ $? = 129 ] ;;
      attach) exit 0 ;;
      wait)
        '\(program)' stop >/dev/null
        '\(program)' wait "$@" || [ $? = 3 ] ;;
      # The built program isn't installed.
      agent) [ "$1" = install ] || exec '\(program)' agent "$@" ;;
      # There is no desktop.
      doctor) '\(program)' doctor "$@" || [ $? = 69 ] ;;
      *) exec '\(program)' "$command" "$@" ;;
    esac
    """
  }
}
