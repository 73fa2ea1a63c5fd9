import Glibc
import SequencePlatform

// Plays sounds of the sound theme at times given on standard input; the agent starts it if sounds are
// enabled. It is a separate program, so that no other program links libcanberra.
//
//     sequence-sound EVENT…          connects, loads these sounds, and executes orders from its input
//     sequence-sound --check         checks whether the sound server can be used

do {
  let words = Array(CommandLine.arguments.dropFirst())
  let theme = try SoundTheme()
  if words == ["--check"] { end(0) }
  for word in words { try theme.prepare(word) }
  try SoundLoop(theme).run()
  end(0)
} catch {
  // If standard error cannot be written, there is no other place for the message.
  try? writeAll("sequence-sound: \(error)\n".utf8, to: STDERR_FILENO)
  end(69)
}

/// Ends this process without cleanup, because a thread of libcanberra may still be running.
func end(_ status: Int32) -> Never { _exit(status) }
