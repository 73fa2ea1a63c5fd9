import FoundationEssentials
import SequenceClient
import SequenceFiles
import SequencePlatform
import SequenceRunner

/// Answers a command line that can't be performed with the command line that was meant.
///
/// It knows the words of other timers and of everyday speech, names of sequences and runs in the place of a command, and
/// typos. It suggests only what the parser accepts.
struct Guess {
  private let context: CommandContext
  /// The options before the command, which every command takes.
  private let before: [String]
  private let line: [String]

  /// What people type, and what they mean; the longest phrase that a command line begins with is replaced.
  static let synonyms: [(phrases: [String], meaning: String)] = [
    (
      [
        "set", "set timer", "set a timer", "set a timer for", "set timer for", "start timer", "run timer",
        "new timer", "add timer", "create timer", "timer for", "in", "for", "sleep", "remind", "remind me",
        "reminder", "countdown", "count down", "alarm", "wake me", "wait for", "begin timer",
      ], "timer"
    ),
    (["at", "until", "till", "alarm at", "remind me at", "wake me at"], "timer --until"),
    (
      [
        "stopwatch", "chronometer", "countup", "count-up", "count up", "timer up", "start stopwatch",
        "run stopwatch", "timer stopwatch",
      ], "run --card Stopwatch"
    ),
    (["begin", "launch", "play", "exec", "work", "focus"], "run"),
    (["add", "plus", "more", "snooze", "longer", "prolong"], "extend"),
    (["cancel", "quit", "exit", "end", "kill", "abort", "terminate", "timer stop", "timer cancel"], "stop"),
    (["done", "finish", "complete", "forward", "next step"], "next"),
    (["prev", "previous", "undo", "rewind"], "back"),
    (["goto", "go", "jump", "seek"], "start NAME --from"),
    (["hold", "freeze", "suspend", "interrupt", "timer pause"], "pause"),
    (["continue", "unpause", "cont", "timer resume"], "resume"),
    (["playpause", "play-pause", "switch", "timer toggle"], "toggle"),
    (["again", "repeat", "reset", "redo", "timer reset", "timer restart"], "restart"),
    (
      [
        "ps", "show", "info", "state", "left", "remaining", "time", "now", "current", "progress", "timers",
        "runs", "list runs", "list timers", "timer list", "timer status", "fetch",
      ], "status"
    ),
    (["watch", "view", "display", "monitor", "follow", "reattach", "fg"], "attach"),
    (["ls", "dir", "library", "sequences"], "list"),
    (["starters", "templates", "presets", "list starters", "list templates"], "new --list"),
    (["create", "make", "init", "template"], "new"),
    (["modify", "vi", "vim", "nano"], "edit"),
    (["validate", "lint", "verify", "plan", "preview", "dry-run", "cat"], "check"),
    (["convert", "load"], "import"),
    (["log", "logs", "journal", "past", "recent"], "history"),
    (["history today", "log today"], "history --since today"),
    (["history yesterday"], "history --since yesterday"),
    (["history week", "history this week"], "history --since week"),
    (["export", "csv", "history export", "history csv"], "history --csv"),
    (
      ["rm", "delete", "remove", "erase", "history clear", "history rm", "history remove"],
      "history delete"
    ),
    (["remark", "comment", "annotate", "memo"], "note"),
    (["report", "statistics", "summary", "totals", "streak"], "stats"),
    (["today", "stats today"], "stats --since today"),
    (["stats day", "stats daily"], "stats --by day"),
    (
      ["week", "weekly", "this week", "hours", "how long", "worked", "stats week", "stats weekly"],
      "stats --by week"
    ),
    (["notification", "notify", "reminders", "alerts"], "notifications"),
    (
      ["clear", "dismiss", "notifications delete", "notifications remove", "notifications dismiss"],
      "notifications clear"
    ),
    (["gui", "ui", "gtk", "app", "open"], "window"),
    (["daemon", "service", "server", "daemon status"], "agent status"),
    (["agent restart", "daemon start", "daemon run"], "agent run"),
    (["agent enable", "agent start", "autostart", "daemon install", "enable"], "agent install"),
    (["agent disable", "agent remove", "daemon uninstall", "disable"], "agent uninstall"),
    (["diagnose", "troubleshoot", "debug", "health"], "doctor"),
    (["completion", "autocomplete"], "completions"),
    (["man", "manual", "usage", "commands", "?"], "help"),
    (["version", "ver", "-v", "-version"], "--version"),
    (
      [
        "config", "configure", "configuration", "settings", "preferences", "prefs", "sound", "sounds", "mute",
        "unmute", "silence", "volume",
      ], "man 5 sequence-config"
    ),
  ]

  /// Options that people type, and what they mean.
  static let options: [(names: [String], meaning: [String])] = [
    (["at", "till", "to", "end", "by"], ["--until"]), (["loop", "repeat", "times", "sets"], ["--rounds"]),
    (["watch", "w", "f"], ["--follow"]), (["quiet", "silent", "mute", "q", "no-sound"], ["--cues", "none"]),
    (["force"], ["--replace"]), (["parallel"], ["--beside"]), (["everything", "a"], ["--all"]),
    (["weekly", "week"], ["--by", "week"]), (["daily", "day"], ["--by", "day"]),
    (["today"], ["--since", "today"]), (["skip", "exclude"], ["--without"]),
    // The title has no option.
    (["title", "t", "message", "m", "n"], []),
    (["tag", "tags", "labels", "project", "client"], ["--label"]),
    (["j"], ["--json"]), (["y"], ["--yes"]), (["list", "l"], ["--list"]),
  ]

  /// The arguments to write if a meaning stands alone.
  private static let examples = [
    "timer": "5m Tea", "timer --until": "14:30 Tea", "extend": "5m", "run": "NAME",
    "start NAME --from": "STEP",
    "new": "pomodoro", "edit": "NAME", "check": "NAME", "import": "FILE", "history delete": "RUN",
    "notifications clear": "--all", "completions": "bash", "note": "TEXT",
  ]

  init(_ words: [String], _ context: CommandContext) {
    self.context = context
    var scanner = CommandTable.scanner(words)
    var line = words
    while let part = scanner.next() {
      if case .argument(let name) = part { line = [name] + scanner.rest }
      guard case .option = part else { break }
    }
    self.line = line
    before = words.dropLast(line.count)
  }

  /// Returns the remedy of an error; `nil` if the error's own one is better.
  func remedy(for error: any Error) -> LocalizedText? {
    guard TextSafety.isSafe(line.joined()), line.joined().count < 200 else { return nil }
    switch error {
    case let failure as Failure where failure.status == .usage:
      return answer(line, isUnknown: false).map { LocalizedText("did you mean \($0)?") } ?? nearOptions
    case ClientError.unknownSequence, ClientError.unknownRun:
      if case ClientError.unknownRun(let word, _) = error, let place = line.firstIndex(of: word),
        let run = run(ofLibraryEntry: word)
      {
        return LocalizedText(
          "did you mean \(Guess.text(before + line[..<place] + [run.name] + line[(place + 1)...]))?")
      }
      return answer(line, isUnknown: true).map { LocalizedText("did you mean \($0)?") }
    default: return nil
    }
  }

  // MARK: - Command lines

  /// Returns what was meant by a command line, or the names of commands.
  ///
  /// - Parameter isUnknown: whether its argument names no file, sequence or run.
  private func answer(_ line: [String], isUnknown: Bool, depth: Int = 3) -> String? {
    guard let name = line.first, depth > 0 else { return nil }
    guard let command = CommandTable.commands.first(where: { $0.name == name }) else {
      return unknownCommand(line, depth)
    }
    let words = Array(line.dropFirst())
    if let found = replaced(line, atLeast: 2, depth) { return found }
    if command.name == HelpCommand.command.name, let word = words.first {
      let meant = Guess.synonym(of: [word])?.meaning.split(separator: " ").first.map(String.init)
      return meant.flatMap { accepted(["help", $0]) } ?? near(word, ["help"])
    }
    if let index = words.firstIndex(where: { ["all", "everything", "both"].contains($0.lowercased()) }) {
      if let found = accepted([name] + words[..<index] + ["--all"] + words[(index + 1)...]) { return found }
    }
    if let found = withOtherOptions(command, words, depth) { return found }
    if let index = words.firstIndex(of: "--until"), let found = withOtherTime(line, index + 1) {
      return found
    }
    let arguments = PartialCommandLine(command.scanner(words)).arguments
    guard let first = arguments.first else { return nil }
    let isDuration =
      DurationText.isPlainNumber(first) || DurationText.find(in: arguments.map { $0[...] }) != nil
    if name == "extend", words.count > 1, ["+", "-", "−"].contains(words[0]) {
      return accepted([name, words[0] + words[1]] + words.dropFirst(2))
    }
    if name == "extend", let last = arguments.last, words.count > 1, !isDuration {
      let isActive = activeRuns.contains { $0.name == first }
      return accepted([isActive ? name : "timer"] + (isActive ? [last] + words.dropLast() : words))
    }
    switch command.argument?.kind {
    case .sequence where isUnknown || arguments.count > 1,
      .activeRun where isUnknown && name == "attach", .run where isUnknown && name == "wait":
      if isUnknown, arguments.count == 1, let starter = Starter(named: first),
        command.argument?.kind == .sequence
      {
        return Guess.text(["new", starter.rawValue]) + " && " + Guess.text([name, starter.rawValue])
      }
      // A sequence until noon is no timer.
      if libraryEntry(first) != nil || Starter(named: first) != nil { return nil }
      if let found = timer(words, depth) { return found }
      return isCommand(first) ? answered(words, depth) : nil
    default: break
    }
    guard name == TimerCommand.command.name else { return nil }
    return isCommand(first) || words.count == 1 && !named([first]).isEmpty ? answered(words, depth) : nil
  }

  private func unknownCommand(_ line: [String], _ depth: Int) -> String? {
    let (name, rest) = (line[0], Array(line.dropFirst()))
    let lower = name.lowercased()
    let bare = String(lower.drop { $0 == "-" })
    let parts = name.split(separator: " ").map(String.init)
    if name == "sequence" || name.isEmpty { return answered(rest, depth) }
    if let found = named(line).first { return found }
    if let found = replaced([lower] + rest, atLeast: 1, depth) { return found }
    if parts.count > 1, let found = answered(parts + rest, depth) { return found }
    if lower != name || bare != lower, isCommand(bare), let found = answered([bare] + rest, depth) {
      return found
    }
    if ["help", "?", "usage"].contains(bare) { return Guess.text(["help"]) }
    if let sign = name.first, "+-".contains(sign), DurationText.find(in: [name.dropFirst()]) != nil {
      return accepted(["extend", sign == "+" ? String(name.dropFirst()) : name] + rest)
    }
    if let found = timer(line, depth) { return found }
    if WorkoutFormat(ofFileNamed: name) != nil { return accepted(["import"] + line) }
    if SequenceLibrary.name(ofFile: name) != nil || FileKind(of: name) == .file {
      return accepted(["run"] + line)
    }
    return Guess.synonym(of: [lower]) == nil ? near(name, [], rest) : nil
  }

  /// Returns the nearest commands to a word: a command line if there is one, else their names.
  private func near(_ word: String, _ beginning: [String], _ rest: [String] = []) -> String? {
    let names = NearNames.of(word, among: CommandTable.commands.map(\.name))
    guard names.count == 1 else { return names.isEmpty ? nil : alternatives(names).translation }
    return accepted(beginning + names + rest) ?? Guess.text(beginning + names)
  }

  /// Returns a command line with the meaning of its first words, as many as possible.
  private func replaced(_ line: [String], atLeast fewest: Int, _ depth: Int) -> String? {
    guard let (count, meaning) = Guess.synonym(of: line), count >= fewest else { return nil }
    let words = meaning.split(separator: " ").map(String.init)
    let rest = Array(line.dropFirst(count))
    guard words[0] != "man" else { return meaning }
    guard !words[0].hasPrefix("-") else { return Guess.text(words) }
    // Only who typed rm itself may mean a file; "history rm tea" is about a run.
    if words == ["history", "delete"], count == 1, self.line.first == line[0], rest.count == 1,
      let entry = libraryEntry(rest[0]), entry.files.count == 1
    {
      return "rm " + Guess.shellWord(entry.files[0])
    }
    if let example = Guess.examples[meaning], rest.isEmpty { return Guess.text(words) + " " + example }
    if words.contains("NAME") { return Guess.text(words + rest) }
    if ["alarm", "wake me"].contains(line.prefix(count).joined(separator: " ").lowercased()) {
      // An alarm has a time of day, also one that would be a duration, such as 7:30.
      for length in [2, 1] where length <= rest.count {
        let time = rest.prefix(length).joined(separator: " ")
        guard TimeOfDay(time) != nil else { continue }
        return accepted(["timer", "--until", time] + rest.dropFirst(length))
      }
    }
    if meaning == "extend", let number = rest.first, DurationText.isPlainNumber(number),
      DurationText.find(in: rest.map { $0[...] }) == nil
    {
      return accepted(words + [number + "m"] + rest.dropFirst())
    }
    if let found = answered(words + rest, depth) { return found }
    // Without these words the command would act on another run, or on all notifications.
    if !rest.isEmpty, meaning == "notifications clear" || rest.count == 1 && Guess.actsOnRun(words[0]) {
      return nil
    }
    if meaning == "timer", let number = rest.first, DurationText.isPlainNumber(number) {
      return accepted(words + [number + (line[0] == "sleep" ? "s" : "m")] + rest.dropFirst())
    }
    return Guess.text(words) + (Guess.examples[meaning].map { " " + $0 } ?? "")
  }

  private static func synonym(of line: [String]) -> (count: Int, meaning: String)? {
    let line = line.prefix(4).map { $0.lowercased() }
    for count in (1...max(1, line.count)).reversed() {
      let phrase = line.prefix(count).joined(separator: " ")
      if let found = synonyms.first(where: { $0.phrases.contains(phrase) }) { return (count, found.meaning) }
    }
    return nil
  }

  private static func actsOnRun(_ name: String) -> Bool {
    ActingCommand.commands.contains { $0.name == name && $0.argument?.kind == .activeRun }
  }

  private func isCommand(_ word: String) -> Bool {
    Guess.synonym(of: [word]) != nil || CommandTable.commands.contains { $0.name == word.lowercased() }
  }

  // MARK: - Options

  private func withOtherOptions(_ command: Command, _ words: [String], _ depth: Int) -> String? {
    guard let index = words.firstIndex(where: { $0.hasPrefix("-") && isUnknown($0, command) }) else {
      return nil
    }
    let parts = words[index].split(separator: "=", maxSplits: 1).map(String.init)
    let name = parts[0].drop { $0 == "-" }.lowercased()
    for (names, meaning) in Guess.options where names.contains(name) {
      let line = [command.name] + words[..<index] + meaning + parts.dropFirst() + words[(index + 1)...]
      if let found = answered(line, depth) { return found }
    }
    return nil
  }

  private func isUnknown(_ word: String, _ command: Command) -> Bool {
    var scanner = command.scanner([word])
    if case .unknownOption = scanner.next() { return true }
    return false
  }

  /// The nearest options to the first unknown one.
  private var nearOptions: LocalizedText? {
    guard let command = CommandTable.commands.first(where: { $0.name == line[0] }),
      let word = line.dropFirst().first(where: { isUnknown($0, command) })
    else { return nil }
    let near = NearNames.of(String(word.drop { $0 == "-" }), among: command.allOptions.map(\.name)).map {
      "--" + $0
    }
    return near.isEmpty ? nil : LocalizedText("did you mean \(alternatives(near))?")
  }

  /// Returns a timer with another form of the value of `--until`.
  private func withOtherTime(_ line: [String], _ index: Int) -> String? {
    guard line.indices.contains(index + 1) else { return nil }
    let (value, rest) = (line[index + 1], Array(line[(index + 2)...]))
    var lines: [[String]] = []
    if let half = rest.first { lines.append(line[...index] + [value + half] + rest.dropFirst()) }
    if let hour = Int(value), (13...23).contains(hour) {
      lines.append(line[...index] + ["\(hour):00"] + rest)
    }
    // A duration needs no option. The value with a colon is a wrong time.
    if value.contains(where: \.isLetter) { lines.append(line[..<index] + [value] + rest) }
    return lines.lazy.compactMap(accepted).first
  }

  // MARK: - Timers and names

  /// Returns a timer of words that have a duration or a time, or cards if they have several.
  private func timer(_ words: [String], _ depth: Int) -> String? {
    guard let first = words.first else { return nil }
    let words = words.flatMap { $0.split(separator: " ").map(String.init) }
    var cards: [[String]] = [[]]
    for word in words {
      cards[cards.count - 1].append(word)
      if case (_, .success)? = DurationText.find(in: [word[...]]) { cards.append([]) }
    }
    if cards.removeLast().isEmpty, cards.count > 1, cards.allSatisfy({ $0.count > 1 }) {
      return accepted(["run"] + cards.flatMap { ["--card", $0.joined(separator: " ")] })
    }
    guard cards.count < 2 else { return nil }
    if let found = answered(["timer"] + words, depth) { return found }
    guard DurationText.isPlainNumber(first) else { return nil }
    return accepted(["timer", first + "m"] + words.dropFirst())
  }

  /// Returns command lines for the name of a run, of a sequence or of a starter, which another command may follow.
  private func named(_ line: [String]) -> [String] {
    let (name, rest) = (line[0], Array(line.dropFirst()))
    let verb = rest.first.flatMap { word in
      CommandTable.commands.first { $0.name == (Guess.synonym(of: [word])?.meaning ?? word.lowercased()) }
    }
    let others = verb == nil ? rest : Array(rest.dropFirst())
    let sequenceVerb = verb?.argument?.kind == .sequence ? verb?.name : nil
    if activeRuns.contains(where: { $0.name == name }) {
      let runVerb = verb?.argument?.kind == .activeRun || verb?.name == "status" ? verb?.name : nil
      return [accepted([runVerb ?? "attach", name] + others)].compactMap { $0 }
    }
    if libraryEntry(name) != nil {
      return [accepted([sequenceVerb ?? "run", name] + others)].compactMap { $0 }
    }
    guard let starter = Starter(named: name), others.isEmpty, verb == nil || sequenceVerb != nil else {
      return []
    }
    return [
      Guess.text(["new", starter.rawValue]) + " && " + Guess.text([sequenceVerb ?? "run", starter.rawValue])
    ]
  }

  private func libraryEntry(_ name: String) -> SequenceLibrary.Entry? {
    // A text that can't be a name, or a library that can't be read, has no command to suggest.
    try? SequenceLibrary(environment: context.environment)?.entry(SequenceName(name))
  }

  /// Returns the active run of a sequence of the library, whose title has another name than its file.
  private func run(ofLibraryEntry name: String) -> ActiveRunSnapshot? {
    guard let files = libraryEntry(name)?.files, files.count == 1 else { return nil }
    do {
      let sequence = try SequenceFile.read(path: files[0]).timeline.definition
      return activeRuns.first { $0.sequence.id == sequence.id }
    } catch {
      // A file that can't be read has no active run to suggest.
      return nil
    }
  }

  private var activeRuns: [ActiveRunSnapshot] {
    do {
      return context.activeRuns(try ParsedArguments(before, of: StatusCommand.command))
    } catch {
      return []
    }
  }

  private func isActiveRun(_ word: String) -> Bool {
    activeRuns.contains {
      $0.name == word || Client.isID(word) && $0.runID.uuidString.hasPrefix(word.uppercased())
    }
  }

  // MARK: - Checked command lines

  /// Returns a command line if the parser takes it, else what is meant by it.
  private func answered(_ line: [String], _ depth: Int) -> String? {
    accepted(line) ?? answer(line, isUnknown: true, depth: depth - 1)
  }

  /// Returns the text of a command line; `nil` if the parser refuses it.
  private func accepted(_ line: [String]) -> String? {
    guard let command = CommandTable.commands.first(where: { $0.name == line.first }) else { return nil }
    do {
      let arguments = try ParsedArguments(Array(line.dropFirst()), of: command)
      if command.name == TimerCommand.command.name { _ = try TimerCommand.timeline(arguments, context) }
      if command.argument?.kind == .command, let name = arguments.words.first {
        _ = try CommandTable.command(named: name)
      }
      if command.argument?.kind == .sequence, let word = arguments.words.first {
        _ = try SequenceLookup(library: SequenceLibrary(environment: context.environment)).find(word)
      }
      if let place = [command.argument, command.second].firstIndex(where: { $0?.kind == .activeRun }),
        let word = arguments.words.dropFirst(place).first, !isActiveRun(word)
      {
        return nil
      }
      guard command.argument?.isOptional != false || !arguments.words.isEmpty else { return nil }
      return Guess.text(before + line)
    } catch {
      return nil
    }
  }

  /// Returns a command line that can be pasted into a shell.
  private static func text(_ words: [String]) -> String {
    "sequence " + words.map(shellWord).joined(separator: " ")
  }

  private static func shellWord(_ word: String) -> String {
    if !word.isEmpty, word.allSatisfy({ $0.isLetter || $0.isNumber || "-_.,:/+=@%".contains($0) }) {
      return word
    }
    return word.contains { "\"\\$`!".contains($0) }
      ? "'\(word.replacing("'", with: #"'\''"#))'" : "\"\(word)\""
  }
}
