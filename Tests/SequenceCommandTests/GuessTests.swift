import SequenceClient
import SequencePlatform
import SequencePresentation
import SequenceRunner
import SequenceStore
import TestSupport
import Testing

@testable import SequenceCommand

/// The answers to command lines that people guess.
@Suite(.timeLimit(.minutes(2)))
struct GuessTests {
  private let sequence: CommandLineRunner
  /// Ten o'clock.
  private let clock = ManualClock(
    wall: LocalDays.moments(of: CivilDay(year: 2026, month: 11, day: 26), hour: 10, minute: 0)[0])

  init() throws {
    sequence = try CommandLineRunner()
    _ = try sequence.home.write(
      "title: Yoga\ncards: [{ title: A, countdown: 1m }]\n", to: ".local/share/sequence/yoga.yaml")
  }

  private static let runNow = "no run is active; start one with sequence timer 5m Tea"

  /// What is typed without a run, and the command line that is suggested.
  ///
  /// The suggestion is performed: a timer must have the length and the title that follow.
  private static let guesses: [(typed: String, meant: String, timer: String?)] = [
    // Durations and times in the place of a command, a file or a run.
    ("5m", "timer 5m", "5m Timer"), ("5m Tea", "timer 5m Tea", "5m Tea"),
    ("tea 5m", "timer tea 5m", "5m tea"),
    ("25 min Tea", "timer 25 min Tea", "25m Tea"), ("25", "timer 25m", "25m Timer"),
    ("1,5h", "timer 1,5h", "1h30m Timer"), ("1h30", "timer 1h30", "1h30m Timer"),
    ("half an hour", "timer half an hour", "30m Timer"), ("an hour", "timer an hour", "1h Timer"),
    (#""five minutes""#, "timer five minutes", "5m Timer"), ("7pm", "timer 7pm", "9h Timer"),
    ("start 25m", "timer 25m", "25m Timer"), ("start 25m Tea", "timer 25m Tea", "25m Tea"),
    ("run Tea 2m30", "timer Tea 2m30", "2m30s Tea"), ("run 25", "timer 25m", "25m Timer"),
    ("run timer 5m", "timer 5m", "5m Timer"), ("wait 90s", "timer 90s", "1m30s Timer"),
    ("attach 5m", "timer 5m", "5m Timer"), ("in 5 minutes", "timer 5 minutes", "5m Timer"),
    ("sleep 90", "timer 90s", "1m30s Timer"), ("sleep 5m", "timer 5m", "5m Timer"),
    ("countdown 5m Tea", "timer 5m Tea", "5m Tea"), ("countdown", "timer 5m Tea", "5m Tea"),
    ("alarm", "timer 5m Tea", "5m Tea"), ("alarm 7:30am", "timer --until 7:30am", "21h30m Timer"),
    ("alarm 7:30", "timer --until 7:30", "21h30m Timer"),
    ("alarm 7:30 pm Tea", #"timer --until "7:30 pm" Tea"#, "9h30m Tea"),
    ("wake me 7:30", "timer --until 7:30", "21h30m Timer"), ("wake me 20m", "timer 20m", "20m Timer"),
    ("set a timer for 5 minutes", "timer 5 minutes", "5m Timer"),
    ("remind me in 10 min", "timer in 10 min", "10m Timer"), ("new timer 5m", "timer 5m", "5m Timer"),
    ("add tea 5m", "timer tea 5m", "5m tea"), ("Timer 5m", "timer 5m", "5m Timer"),
    (#""timer 5m""#, "timer 5m", "5m Timer"), ("sequence timer 5m", "timer 5m", "5m Timer"),
    ("start until 19:00", "timer until 19:00", "9h Timer"),
    ("timer --at 7pm", "timer --until 7pm", "9h Timer"),
    ("timer --until 7 pm Tea", "timer --until 7pm Tea", "9h Tea"),
    ("timer --until 19", "timer --until 19:00", "9h Timer"),
    ("timer --until 5m Tea", "timer 5m Tea", "5m Tea"),
    ("at 19:00 Dinner", "timer --until 19:00 Dinner", "9h Dinner"),
    ("timer 5m --title Tea", "timer 5m Tea", "5m Tea"),
    ("timer --quiet 5m Tea", "timer --cues none 5m Tea", "5m Tea"),
    ("run Work 25m Break 5m", #"run --card "Work 25m" --card "Break 5m""#, nil),
    ("run --loop 3 --card \"A 5s\"", #"run --rounds 3 --card "A 5s""#, nil),
    ("stopwatch", "run --card Stopwatch", nil), ("start stopwatch", "run --card Stopwatch", nil),
    // Names in the place of a command, or of another name.
    ("pomodoro", "new pomodoro && sequence run pomodoro", nil),
    ("Pomodoro start", "new pomodoro && sequence start pomodoro", nil),
    ("start tabata", "new tabata && sequence start tabata", nil),
    ("timer recipe", "new recipe && sequence run recipe", nil), ("yoga", "run yoga", nil),
    ("yoga start", "start yoga", nil), ("timer yoga", "run yoga", nil),
    ("create pomodoro", "new pomodoro", nil),
    // Words of other programs.
    ("ls", "list", nil), ("ps", "status", nil), ("show", "status", nil), ("timer list", "status", nil),
    ("status -w", "status --follow", nil), ("log", "history", nil), ("export", "history --csv", nil),
    ("history today", "history --since today", nil), ("stats week", "stats --by week", nil),
    ("hours", "stats --by week", nil), ("history week", "history --since week", nil),
    ("how long", "stats --by week", nil), ("timer --no-sound 5m Tea", "timer --cues none 5m Tea", "5m Tea"),
    ("stats --weekly", "stats --by week", nil), ("notifications clear all", "notifications clear --all", nil),
    ("daemon", "agent status", nil), ("version", "--version", nil), ("-v", "--version", nil),
    ("-help", "help", nil),
    ("help cancel", "help stop", nil), ("starters", "new --list", nil), ("gui", "window", nil),
    // Typos.
    ("stpo", "stop", nil), ("tmier 5m Tea", "timer 5m Tea", "5m Tea"), ("STATUS", "status", nil),
  ]

  @Test(arguments: guesses)
  func `a guess is answered with the command line that was meant`(
    typed: String, meant: String, timer: String?
  ) throws {
    #expect(try answer(to: typed) == "did you mean sequence \(meant)?")
    for words in ShellWords.commands(named: "sequence", in: "sequence " + meant) {
      guard timer == nil else {
        #expect(try length(of: words) == timer)
        continue
      }
      let outcome = try sequence.run(harmless(words))
      #expect(
        outcome.status == 0 || outcome.errors == "sequence: " + GuessTests.runNow, "\(words): \(outcome)")
    }
  }

  /// What is typed while the runs `focus` and `tea` are active, and the command line that is suggested.
  private static let guessesAboutRuns = [
    ("tea", "attach tea"), ("tea stop", "stop tea"), ("tea pause", "pause tea"), ("stop all", "stop --all"),
    ("pause all", "pause --all"), ("add", "extend 5m"), ("add 10m", "extend 10m"),
    ("add tea 5m", "extend 5m tea"),
    ("extend tea 5m", "extend 5m tea"), ("snooze 10 min", "extend 10 min"), ("+5m", "extend 5m"),
    ("-5m", "extend -5m"),
    ("extend + 5m", "extend +5m"), ("extend - 5m", "extend -5m"), ("snooze 5", "extend 5m"),
    ("more 5 tea", "extend 5m tea"), ("kill all", "stop --all"), ("end all", "stop --all"),
    ("quit all", "stop --all"),
    ("cancel", "stop"), ("cancel tea", "stop tea"), ("quit", "stop"), ("end", "stop"), ("kill", "stop"),
    ("timer stop", "stop"), ("done", "next"), ("finish", "next"), ("prev", "back"), ("hold", "pause"),
    ("watch", "attach"), ("again", "restart"), ("playpause", "toggle"), ("STOP tea", "stop tea"),
    ("--stop", "stop"),
  ]

  @Test(arguments: guessesAboutRuns)
  func `a guess about a run is answered with the command line that was meant`(typed: String, meant: String)
    throws
  {
    for (title, name) in [("Tea 5m", "tea"), ("Focus 1h", "focus")] {
      #expect(try sequence("start", "--card", title, "--name", name, "--beside").status == 0)
    }
    #expect(try answer(to: typed) == "did you mean sequence \(meant)?")
    let words = ShellWords.commands(named: "sequence", in: "sequence " + meant)[0]
    #expect(try sequence.run(harmless(words)).status == 0)
  }

  /// What is typed, and the remedy that isn't a command of ours, or that has a part to fill in.
  private static let others = [
    ("config", "did you mean man 5 sequence-config?"), ("settings", "did you mean man 5 sequence-config?"),
    ("sound off", "did you mean man 5 sequence-config?"), ("mute", "did you mean man 5 sequence-config?"),
    ("rm", "did you mean sequence history delete RUN?"),
    ("delete", "did you mean sequence history delete RUN?"),
    ("rm ab12", "did you mean sequence history delete ab12?"),
    ("rm yoga", "did you mean rm HOME/.local/share/sequence/yoga.yaml?"),
    ("history rm yoga", "did you mean sequence history delete RUN?"),
    ("history clear yoga", "did you mean sequence history delete RUN?"),
    ("timer rm yoga", "did you mean sequence history delete RUN?"),
    ("run rm yoga", "did you mean sequence history delete RUN?"),
    ("clear tea", "see sequence help"), ("dismiss tea", "see sequence help"),
    ("reset all", "see sequence help"), ("kill tea", "see sequence help"),
    ("goto", "did you mean sequence start NAME --from STEP?"),
    ("jump 5", "did you mean sequence start NAME --from 5?"),
    ("stat", "did you mean stats, status or start?"), ("status --jsno", "did you mean --json?"),
    ("tea", "see sequence help"), ("dance", "see sequence help"),
    ("pause 5m", "start one with sequence timer 5m Tea"),
    ("next", "start one with sequence timer 5m Tea"), ("timer 25 Tea", "write 25s or 25m"),
    ("timer Tea", "write it like 5m Tea, or Tea until 14:30"), ("timer 1h 1,5", "write 1.5h or 1.5m"),
    ("timer 2w", "write 14d"), ("timer 500ms", "write it in seconds, as in 0.5s"),
    ("timer 5M Tea", "write 5m"),
    ("timer 13pm", "write 1pm"), ("timer 1.500,5s", "write 1500.5s"),
    (#"run --card "Dinner until 19:00""#, "write it like 2m or 1m30s"),
    ("timer 1:5 Egg", "write it like 1:30, 1:00:05 or 1h30m"),
    ("timer 2mo Trip", "write it in days, at most 30d"),
    ("timer 1h and a half", "write it like 2m or 1m30s"), ("timer 25 midnight", "write 25s or 25m"),
    ("timer ٥m Tea", "write 5m"), ("timer ５m Tea", "write 5m"), ("timer 1,500s", "write a point, as in 0.5h"),
    ("timer 5m Tea half an hour", "write one of them"), ("timer --until tomorrow", nil),
    ("timer --until 25:00 Tea", nil),
  ]

  @Test(arguments: others)
  func `what can't be a command line has a reason or a pattern`(typed: String, remedy: String?) throws {
    #expect(try answer(to: typed) == remedy?.replacing("HOME", with: sequence.home.path))
  }

  @Test(arguments: [
    ("timer 10k Run 1h", "1h 10k Run"), ("timer 5m 5x Squats", "5m 5x Squats"),
    ("timer 2nd coffee 5m", "5m 2nd coffee"),
    ("timer until 19:00", "9h Timer"), ("timer till noon Lunch", "2h Lunch"),
    ("timer Dinner at 7 pm --name dinner", "9h Dinner"), ("timer 7pm", "9h Timer"),
    ("timer 7:30am Run", "21h30m Run"), ("timer Lunch noon", "2h Lunch"),
    ("timer midnight", "14h Timer"), ("timer --until 7:30pm Dinner", "9h30m Dinner"),
    ("timer --until noon Lunch", "2h Lunch"), ("timer 19:00", "19m Timer"),
    ("timer 5m Call at 7pm", "5m Call at 7pm"), ("timer 7:30 pm Dinner", "9h30m Dinner"),
    ("timer 12:30 PM", "2h30m Timer"), ("timer Run 5:30 am", "19h30m Run"),
    ("timer 11:59 p.m. Bed", "13h59m Bed"), ("timer 10 pm 5m", "5m 10 pm"),
    ("timer 7.30pm Dinner", "9h30m Dinner"), ("timer 7:30 in the evening", "9h30m Timer"),
    ("timer until 7 in the morning Run", "21h Run"), ("timer 12 noon Lunch", "2h Lunch"),
    ("timer 12 midnight", "14h Timer"),
    ("timer 5m 第３章", "5m 第３章"), (#"timer 5m "الفصل ٣""#, "5m الفصل ٣"),
    (#"timer 20m "Genesis 1:2""#, "20m Genesis 1:2"), ("timer 16:9 video 5m", "5m 16:9 video"),
    ("timer noon prayer 10m", "10m noon prayer"), ("timer for 25m", "25m Timer"),
    ("timer 1,5h Nap", "1h30m Nap"),
    ("timer 1h30 Nap", "1h30m Nap"), ("timer Nap half an hour", "30m Nap"),
    ("timer five minutes", "5m Timer"),
    ("timer 5m Wait a minute", "5m Wait a minute"), ("timer 2 h 8 h reading", "2h 8 h reading"),
  ])
  func `a timer has the length that was meant`(typed: String, timer: String) throws {
    #expect(try length(of: ShellWords.commands(named: "sequence", in: "sequence " + typed)[0]) == timer)
  }

  @Test func `the name of a file is answered with the name of its run`() throws {
    _ = try sequence.home.write(
      "title: My workout\ncards: [{ title: A, countdown: 1m }]\n", to: ".local/share/sequence/legs.yaml")
    #expect(try sequence("start", "legs").status == 0)
    #expect(try answer(to: "extend 1m legs") == "did you mean sequence extend 1m my-workout?")
    #expect(try answer(to: "stop yoga") == "name one of my-workout")
  }

  @Test func `every meaning is a command line, and no phrase has two`() throws {
    let phrases = Guess.synonyms.flatMap(\.phrases)
    #expect(phrases.count == Set(phrases).count)
    for (phrases, meaning) in Guess.synonyms where !meaning.hasPrefix("-") && !meaning.hasPrefix("man ") {
      #expect(CommandTable.commands.contains { $0.name == meaning.split(separator: " ")[0] }, "\(phrases)")
    }
    // A word that is a command needs no other meaning.
    for phrase in phrases { #expect(!CommandTable.commands.contains { $0.name == phrase }, "\(phrase)") }
  }

  /// Returns the remedy in the answer to a line that must fail.
  private func answer(to line: String) throws -> String? {
    let outcome = try sequence.run(ShellWords.commands(named: "sequence", in: "sequence " + line)[0])
    #expect(outcome.status != 0 && outcome.text.isEmpty, "\(outcome)")
    return outcome.errors.firstRange(of: "; ").map { String(outcome.errors[$0.upperBound...]) }
  }

  /// Returns a command line that neither waits nor starts a program, with the arguments of another one.
  private func harmless(_ words: [String]) -> [String] {
    let others = ["run": "check", "attach": "status", "window": "list"]
    return words.filter { $0 != "--follow" }.enumerated().map { $0 == 0 ? others[$1] ?? $1 : $1 }
  }

  /// Returns the length and the title of a timer as the parser understands it at ten o'clock.
  private func length(of words: [String]) throws -> String {
    let context = CommandContext(
      environment: [:], clock: clock, print: { _ in }, printError: { _ in }, startAgent: { _ in 0 },
      agentProgram: { "" }, hasSystemd: false, hasTerminal: false)
    #expect(words.first == "timer")
    let arguments = try ParsedArguments(Array(words.dropFirst()), of: TimerCommand.command)
    let card = try TimerCommand.timeline(arguments, context).card(at: 0)
    return "\(StepText.length(card)) \(card.title)"
  }
}
