import Glibc
import SequencePlatform

/// The main loop, which plays sounds at times ordered on standard input.
final class SoundLoop {
  private let theme: SoundTheme
  private let timer: DeadlineTimer
  private var input: [UInt8] = []
  private var isInputOpen = true
  private var coming: [(at: Duration, event: String)] = []

  /// The longest wait for playing sounds after the end of the input.
  private static let longestEnd = Duration.seconds(5)

  init(_ theme: SoundTheme) throws(SystemError) {
    self.theme = theme
    timer = try DeadlineTimer()
  }

  /// Runs until the input has ended and all sounds have been played.
  func run() throws {
    while isInputOpen {
      try timer.arm(coming.map(\.at).min())
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
    for (at, event) in coming.filter({ $0.at <= now }).sorted(by: { $0.at < $1.at }) {
      guard now - at <= Lateness.sound else { continue }
      try theme.play(event)
      try writeAll("played \(event) \((SystemClock.sinceBoot() - at).nanoseconds)\n".utf8, to: STDOUT_FILENO)
    }
    coming.removeAll { $0.at <= now }
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

  /// Executes `clear`, `at NANOSECONDS EVENT` (on the boot clock) or `now EVENT`.
  private func obey(_ line: String) throws {
    let words = line.split(separator: " ").map(String.init)
    switch (words.first, words.count) {
    case ("clear", 1): coming = []
    case ("now", 2): coming.append((SystemClock.sinceBoot(), words[1]))
    case ("at", 3):
      guard let nanoseconds = Int64(words[1]) else { throw SoundLoopError(line: line) }
      coming.append((.nanoseconds(nanoseconds), words[2]))
    default: throw SoundLoopError(line: line)
    }
  }
}

struct SoundLoopError: Error, CustomStringConvertible {
  let line: String
  var description: String {
    "\"\(TextSafety.sanitised(line))\" is not a command; write clear, now EVENT or at TIME EVENT"
  }
}
