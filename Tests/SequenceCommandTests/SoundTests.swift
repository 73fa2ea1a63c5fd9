import Foundation
import SequencePlatform
import SequenceRunner
import TestSupport
import Testing

/// The program that plays sounds, with a file as sound card.
@Suite(.timeLimit(.minutes(1)))
struct SoundTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
    _ = try directory.write(
      """
      pcm.!default { type plug slave.pcm { type file slave.pcm { type null } file "\(directory.path)/played" format raw } }
      ctl.!default { type hw card 0 }
      """, to: ".asoundrc")
  }

  private func begin(_ words: String...) throws -> ChildProcess {
    try ChildProcess(
      BuiltProducts.path(of: "sequence-sound"), words,
      environment: ["HOME": directory.path, "CANBERRA_DRIVER": "alsa", "XDG_RUNTIME_DIR": directory.path])
  }

  @Test func `sounds are played at their times, and cancelled ones are not`() throws {
    let program = try begin("bell", "complete")
    // The start of the program takes none of the time.
    try program.send("now bell")
    #expect(try program.line().hasPrefix("played bell "))
    let start = SystemClock.boot() + .milliseconds(400)
    for (offset, sound) in [(0, "bell"), (300, "complete"), (900, "phone-incoming-call")] {
      try program.send("at \((start + .milliseconds(offset)).nanoseconds) \(sound)")
    }
    for sound in ["bell", "complete"] {
      let words = try program.line().split(separator: " ")
      #expect(words.prefix(2) == ["played", Substring(sound)])
      let late = try #require(words.last.flatMap { Int64($0) })
      #expect(late >= 0 && late < 100_000_000 * patience)
    }
    try program.send("clear")
    try program.send("at \((start + .milliseconds(1100)).nanoseconds) bell")
    #expect(try program.line().hasPrefix("played bell "))
    try program.endInput()
    #expect(try program.exitStatus() == 0)
    let size = try FileManager.default.attributesOfItem(atPath: directory.path + "/played")[.size] as? Int
    #expect(size ?? 0 > 10_000, "something was played")
  }

  @Test func `a file is played, and a sound that is not there keeps no other from being played`() throws {
    let file = directory.path + "/my bell.oga"
    try FileManager.default.copyItem(atPath: "/usr/share/sounds/freedesktop/stereo/bell.oga", toPath: file)
    let program = try begin("--volume", "50", file, "no-such-sound")
    try program.send("now no-such-sound")
    try program.send("now \(directory.path)")
    try program.send("now \(file)")
    #expect(try program.line().hasPrefix("played \(file) "))
    try program.endInput()
    #expect(try program.exitStatus() == 69)
    #expect(try program.errorText() == "sequence-sound: \(directory.path): Invalid argument\n")

    let one = try begin("--play", file)
    #expect(try one.exitStatus() == 0)
    let none = try begin("--play", "no-such-sound")
    #expect(try none.exitStatus() == 69)
    #expect(try none.errorText() == "sequence-sound: no-such-sound: File or data not found\n")
  }

  @Test func `silence wakes a device that sleeps before an ordered sound`() throws {
    let socket = directory.path + "/sound-server"
    let environment = ["HOME": directory.path, "XDG_RUNTIME_DIR": directory.path, "PATH": "/usr/bin:/bin"]
    let server = try ChildProcess(
      "/usr/bin/pulseaudio",
      [
        "-n", "--daemonize=no", "--use-pid-file=no", "--exit-idle-time=-1", "-L",
        "module-native-protocol-unix socket=\(socket) auth-anonymous=1", "-L",
        "module-null-sink sink_name=headset", "-L", "module-suspend-on-idle timeout=1",
      ], environment: environment)
    defer { server.signal(SIGKILL) }
    let client = environment.merging(["PULSE_SERVER": "unix:\(socket)", "CANBERRA_DRIVER": "pulse"]) { $1 }
    /// Looks, each time with a program of its own, until the device is in a state.
    func wait(until state: String) throws {
      for _ in 1...2000 {
        let sinks = try ChildProcess.run("/usr/bin/pactl", ["list", "short", "sinks"], environment: client)
        if sinks.text.hasSuffix("\t\(state)") { return }
      }
      throw TestSupportError("the device does not become \(state)")
    }
    try wait(until: "SUSPENDED")
    let program = try ChildProcess(BuiltProducts.path(of: "sequence-sound"), ["bell"], environment: client)
    let due = SystemClock.boot() + .seconds(3)
    try program.send("at \(due.nanoseconds) bell")
    try program.send("at \((due + .seconds(1)).nanoseconds) bell")
    #expect(try program.line() == "silence")
    try wait(until: "RUNNING")
    #expect(SystemClock.boot() < due - .seconds(1))
    #expect(try program.line().hasPrefix("played bell "))
    #expect(try program.line().hasPrefix("played bell "))
    // Nothing is played for words of another program, but the device is awake.
    try wait(until: "SUSPENDED")
    try program.send("at \((SystemClock.boot() + .seconds(3)).nanoseconds) none")
    #expect(try program.line() == "silence")
    try wait(until: "RUNNING")
    try program.endInput()
    #expect(try program.exitStatus() == 0)
  }

  @Test func `late sounds are dropped, and invalid orders refused`() throws {
    let program = try begin()
    try program.send("at \((SystemClock.boot() - .seconds(2)).nanoseconds) bell")
    try program.send("now complete")
    #expect(try program.line().hasPrefix("played complete "))
    try program.send("at noon bell")
    #expect(try program.exitStatus() == 69)
    #expect(
      try program.errorText()
        == "sequence-sound: \"at noon bell\" is not a command; write clear, now SOUND or at TIME SOUND\n")
  }
}
