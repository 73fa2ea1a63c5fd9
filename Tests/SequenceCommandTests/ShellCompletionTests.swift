import Foundation
import SequencePlatform
import SequenceFiles
import SequenceRunner
import TestSupport
import Testing

@testable import SequenceCommand

/// The completions in the shells themselves, with titles full of special characters.
@Suite(
  .timeLimit(.minutes(1)),
  .disabled(if: Sanitizer.isUsed, "shells start programs without the options of a sanitizer"))
struct ShellCompletionTests {
  private let home: TemporaryDirectory
  private let environment: [String: String]

  private static let titles = [
    "Warm up", "Warm: down", #"It's "$HOME" `id`; \ & (x) * ? [y] !z"#, "früh/spät", "-dash", "a=b:c",
    "{1,2}", "~",
  ]
  private static let id = "11111111-2222-4333-8444-555555555555"
  private static let candidates = titles + [id]

  init() throws {
    home = try TemporaryDirectory()
    let library = home.path + "/.local/share/sequence"
    try FileManager.default.createDirectory(atPath: library, withIntermediateDirectories: true)
    let cards = ShellCompletionTests.titles.map { title in
      "  - { title: '\(title.replacing("'", with: "''"))', countdown: 1s }\n"
    }
    _ = try home.write(
      "title: Odd\ncards:\n\(cards.joined())  - { title: \"Esc\\e[31m\\nred\", countUp: {}, id: \(ShellCompletionTests.id) }\n",
      to: ".local/share/sequence/odd titles.yaml")
    let programs = URL(filePath: try BuiltProducts.path(of: "sequence")).deletingLastPathComponent().path()
    environment = [
      "HOME": home.path, "PATH": programs + ":/usr/bin:/bin", "LC_ALL": "C.UTF-8", "TERM": "dumb",
    ]
  }

  /// Returns a word in single quotes for bash and zsh.
  private func quoted(_ text: String) -> String { "'\(text.replacing("'", with: "'\\''"))'" }

  /// Returns a word in single quotes for fish.
  private func quotedForFish(_ text: String) -> String {
    "'" + text.map { $0 == "'" || $0 == "\\" ? "\\\($0)" : String($0) }.joined() + "'"
  }

  /// Returns the output of a script that a shell runs after loading its completions.
  private func run(_ shell: String, _ completions: String, _ script: String) throws -> [String] {
    let file = try home.write(completions + "\n" + script, to: "script")
    let output = try ChildProcess.run(
      "/usr/bin/" + shell, [file], environment: environment, within: .seconds(30))
    #expect(output.errors == "")
    return output.text.split(separator: "\n").map(String.init)
  }

  /// Completes a line in bash, and returns its last word.
  private func bash(_ line: String, replacing word: String, quote: String = "") throws -> [String] {
    let before = line.dropLast(word.count + quote.count)
    return try run(
      "bash", Shell.bash.completionScript,
      """
      set +H
      mkdir -p "$HOME/here/sub" && cd "$HOME/here" && touch "my file.yaml" notes.txt
      COMP_LINE=\(quoted(line)) COMP_POINT=${#COMP_LINE}
      _sequence sequence \(quoted(word))
      for reply in "${COMPREPLY[@]}"; do
        eval "set -- "\(quoted(String(before)))\(quoted(quote))"$reply"\(quoted(quote))
        printf '%s\\n' "${!#}"
      done
      """)
  }

  @Test(arguments: ["", "\"", "'"])
  func `bash completes every title in every kind of quote`(quote: String) throws {
    let words = try bash("sequence run odd\\ titles --without \(quote)", replacing: "", quote: quote)
    #expect(words == ShellCompletionTests.candidates)
  }

  @Test func `bash does not repeat the text before a colon or an equals sign`() throws {
    #expect(try bash("sequence run 'odd titles' --without Warm:", replacing: "") == ["Warm: down"])
    #expect(
      try bash("sequence run odd\\ titles --without=Warm\\ ", replacing: "Warm\\ ") == ["--without=Warm up"])
    #expect(try bash("sequence run \"odd titles\" --without=a=", replacing: "") == ["--without=a=b:c"])
  }

  @Test func `bash completes files in redirections, which are not words of the command`() throws {
    let line = "sequence import g.json "
    for redirection in ["> ", ">", ">>", "2> ", ">| ", "< "] {
      let files = try run(
        "bash", Shell.bash.completionScript,
        """
        cd "$HOME" && touch notes.txt
        COMP_LINE=\(quoted(line + redirection + "not")) COMP_POINT=${#COMP_LINE}
        _sequence sequence not
        printf '%s\\n' "${COMPREPLY[@]}"
        """)
      #expect(files == ["notes.txt"], "\(redirection)")
    }
    #expect(try bash("sequence check 2>&1 >x --js", replacing: "--js") == ["--json"])
    #expect(try bash("sequence > x sto", replacing: "sto") == ["stop"])
    #expect(try bash("sequence check --card 'a > b' --js", replacing: "--js") == ["--json"])
    #expect(try bash("sequence wait a\\>--st", replacing: "a\\>--st") == [])
  }

  @Test func `bash keeps a variable as written and quotes the text after it`() throws {
    _ = try home.write("", to: "here/odd $x.yaml")
    _ = try home.write(Shell.bash.completionScript, to: "completions")
    let terminal = try PseudoTerminal()
    let file = Subprocess.Stream.path(terminal.path, flags: O_RDWR)
    let shell = try Subprocess.spawn(
      ["/usr/bin/bash", "--norc", "--noprofile", "-i"], environment: environment.map { "\($0)=\($1)" },
      streams: (file, file, file))
    try terminal.type("source ~/completions; set +H; echo REA''DY\n")
    _ = try terminal.output(until: "READY")
    let path = home.path + "/here/odd $x.yaml"
    let lines = [
      ("sequence check \"$HOME/here/od", path), ("sequence check \"${HOME}\"/here/od", path),
      ("sequence check $HOME/here/od", path),
      ("sequence check --state-dir \"$HOME\"/he", home.path + "/here/"),
    ]
    for (line, path) in lines {
      // The words are printed in place of the command, and the terminal shows no < before any of them.
      try terminal.type("\(line)\t\u{1}set -- \u{5}\n")
      try terminal.type("printf 'IS\\074%s>\\n' \"${!#}\"; echo EN''D\n")
      let words = try terminal.output(until: "END").matches(of: /IS<(.*)>/).map { String($0.1) }
      #expect(words == [path], "\(line)")
    }
    try terminal.type("exit\n")
    #expect(waitpid(shell, nil, 0) == shell)
  }

  @Test func `bash offers commands, options and values where they are valid`() throws {
    #expect(try bash("sequence re", replacing: "re") == ["resume", "restart"])
    #expect(try bash("sequence run ", replacing: "") == ["odd titles", "sub/", "my file.yaml"])
    #expect(try bash("sequence run --json --re", replacing: "--re") == ["--replace"])
    #expect(try bash("sequence run --json --js", replacing: "--js") == [])
    #expect(try bash("sequence run --title --", replacing: "--") == [])
    #expect(try bash("sequence run -- --", replacing: "--") == [])
    #expect(
      try bash("sequence agent --state-dir x ", replacing: "") == ["run", "status", "install", "uninstall"])
    #expect(try bash("sequence help sto", replacing: "sto") == ["stop"])
    #expect(try bash("sequence wait --", replacing: "--") == ["--step", "--state-dir", "--help"])
  }

  /// Completes lines in a zsh on a terminal, and returns the last word of each.
  private func zsh(_ lines: [String]) throws -> [String] {
    _ = try home.write(Shell.zsh.completionScript, to: "_sequence_timer")
    // The words are printed in place of the command, and the terminal shows no < before any of them.
    let tries = lines.map { line in
      """
      zpty -wn inner \(quoted("\u{15}" + line + "\t\u{1}last \n"))
      zpty -w inner 'print EN""D'
      zpty -r inner answer '*END*'
      print -r -- ${${answer#*IS<}%%>IS*}
      """
    }
    return try run(
      "zsh", "",
      """
      zmodload zsh/zpty
      zpty inner zsh -f -i
      zpty -w inner 'PS1=; fpath=(\(home.path) $fpath); autoload -U compinit; compinit -D -u'
      zpty -w inner 'last() { print -r -- "IS""<$@[-1]>""IS" }; cd; mkdir -p here/sub; cd here; touch notes.txt "my file.yaml"'
      zpty -w inner 'stty -echo; print REA""DY'
      zpty -r inner answer '*READY*'
      \(tries.joined(separator: "\n"))
      zpty -d inner
      """)
  }

  @Test func `zsh completes every title`() throws {
    let beginnings = ["Warm\\ u", "Warm:", "It", "fr", "-d", "a=", "\\{", "\\~", "1"]
    let words = try zsh(beginnings.map { "sequence run odd\\ titles --without " + $0 })
    #expect(Set(words) == Set(ShellCompletionTests.candidates))
    #expect(
      try zsh(["sequence run odd\\ titles --without=Warm:", "sequence run 'odd titles' --without \"Warm u"])
        == ["--without=Warm: down", "Warm up"])
  }

  @Test func `zsh offers commands, options, values and files where they are valid`() throws {
    let lines = [
      ("sequence histo", "history"), ("sequence wait --ste", "--step"), ("sequence agent i", "install"),
      ("sequence run my", "my file.yaml"), ("sequence import --output=no", "--output=notes.txt"),
      ("sequence run --state-dir s", "sub"), ("sequence run od", "odd titles"), ("sequence wait x", "x"),
    ]
    #expect(try zsh(lines.map(\.0)) == lines.map(\.1))
  }

  @Test func `fish completes every title, and nothing where it is not valid`() throws {
    func fish(_ line: String) throws -> Set<String> {
      let script = "complete -C \(quotedForFish(line))"
      let lines = try run("fish", Shell.fish.completionScript, script)
      return Set(lines.map { String($0.prefix { $0 != "\t" }) })
    }
    #expect(try fish("sequence run odd\\ titles --without ") == Set(ShellCompletionTests.candidates))
    #expect(
      try fish("sequence run odd\\ titles --without=Warm") == ["--without=Warm up", "--without=Warm: down"])
    #expect(try fish("sequence re") == ["restart", "resume"])
    #expect(try fish("sequence run status --ste") == [])
    #expect(try fish("sequence wait --ste") == ["--step"])
    #expect(try fish("sequence agent --state-dir x i") == ["install"])
    #expect(try fish("sequence agent install u") == [])
    #expect(try fish("sequence run od") == ["odd titles"])
    _ = try home.write("", to: "notes.txt")
    #expect(try fish("sequence import --output=~/not") == ["--output=~/notes.txt"])
    #expect(try fish("sequence run --state-dir ~/no") == [])
  }
}
