import Glibc
import SequencePlatform

/// The main loop, which plays sounds at times ordered on standard input, or one sound.
final class SoundLoop {
  private let theme: SoundTheme
  private let timer: DeadlineTimer
  private var input: [UInt8] = []
  private var isInputOpen = true
  private var coming: [(at: Duration, sound: String)] = []

  /// When the silence ends that keeps the device awake, on the boot clock.
  private var silentUntil = Duration.zero

  /// How long before an ordered sound its device is woken up: headsets take up to a second.
  private static let wakeUp = Duration.seconds(2)

  /// The longest wait for playing sounds after the end of the input.
  private static let longestEnd = Duration.seconds(5)

  /// - Parameter sound: the only sound to play; `nil` to take orders.
  init(_ theme: SoundTheme, playing sound: String? = nil) throws(SystemError) {
    self.theme = theme
    timer = try DeadlineTimer()
    if let sound {
      coming = [(SystemClock.sinceBoot(), sound)]
      isInputOpen = false
    }
  }

  func run() throws {
    try playDue()
    while isInputOpen {
      try timer.arm([coming.map(\.at).min(), nextSilence].compactMap { $0 }.min())
      let ready = try waitUntilReadable([timer.descriptor, theme.descriptor, STDIN_FILENO])
      if ready.contains(timer.descriptor) { try timer.acknowledge() }
      if ready.contains(theme.descriptor) { try theme.collectEnds() }
      // Due sounds are played first, because the next order may clear them.
      try playDue()
      if ready.contains(STDIN_FILENO) { try listen() }
      try playDue()
    }
    try timer.arm(SystemClock.sinceBoot() + SoundLoop.longestEnd)
    while theme.playing > 0 {
      let ready = try waitUntilReadable([timer.descriptor, theme.descriptor])
      if ready.contains(theme.descriptor) { try theme.collectEnds() }
      if ready.contains(timer.descriptor) { return }
    }
  }

  private func playDue() throws {
    let now = SystemClock.sinceBoot()
    if let nextSilence, nextSilence <= now {
      silentUntil = now + SoundTheme.silenceLength
      if theme.playSilence() { try writeAll("silence\n".utf8, to: STDOUT_FILENO) }
    }
    for (at, sound) in coming.filter({ $0.at <= now }).sorted(by: { $0.at < $1.at }) {
      guard sound != "none", now - at <= Lateness.sound else { continue }
      guard try theme.play(sound) else { continue }
      try writeAll("played \(sound) \((SystemClock.sinceBoot() - at).nanoseconds)\n".utf8, to: STDOUT_FILENO)
    }
    coming.removeAll { $0.at <= now }
  }

  /// When the device has to be woken up for the next sound, on the boot clock; `nil` if it needn't be.
  ///
  /// Without a sound server, silence could keep the sound from being played.
  private var nextSilence: Duration? {
    guard theme.hasServer else { return nil }
    // For a sound that is due, silence would come too late.
    let end = max(silentUntil, SystemClock.sinceBoot())
    let next = coming.map(\.at).filter { $0 > end }.min()
    return next.map { $0 - SoundLoop.wakeUp }
  }

  private func listen() throws {
    // Larger than any packet of orders; the rest of a larger packet would be lost.
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = try SystemError.check("read") {
      unsafe buffer.withUnsafeMutableBytes { unsafe read(STDIN_FILENO, $0.baseAddress, $0.count) }
    }
    isInputOpen = count > 0
    input += buffer.prefix(count)
    while let end = input.firstIndex(of: UInt8(ascii: "\n")) {
      let line = String(decoding: input[..<end], as: UTF8.self)
      input.removeSubrange(...end)
      try obey(line)
    }
  }

  /// Executes `clear`, `at NANOSECONDS SOUND` (on the boot clock) or `now SOUND`.
  ///
  /// The sound `none` only wakes the device, for words of another program.
  private func obey(_ line: String) throws {
    if line == "clear" {
      coming = []
      return
    }
    // A path may have spaces.
    let (order, rest) = SoundLoop.split(line)
    switch order {
    case "now" where !rest.isEmpty: coming.append((SystemClock.sinceBoot(), rest))
    case "at":
      let (time, sound) = SoundLoop.split(rest)
      guard let nanoseconds = Int64(time), !sound.isEmpty else { throw SoundLoop.unknown(line) }
      coming.append((.nanoseconds(nanoseconds), sound))
    default: throw SoundLoop.unknown(line)
    }
  }

  private static func unknown(_ line: String) -> Problem {
    Problem(
      "\"\(TextSafety.sanitised(line))\" is not a command", remedy: "write clear, now SOUND or at TIME SOUND")
  }

  private static func split(_ text: String) -> (first: String, rest: String) {
    let first = text.prefix { $0 != " " }
    return (String(first), String(text.dropFirst(first.count + 1)))
  }
}
