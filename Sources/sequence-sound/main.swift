import Glibc
import Platform

// Plays sounds of the sound theme at moments that it is told on standard input; the agent starts it where sounds are
// wanted. It is a program of its own, so that nothing else is linked with libcanberra.
//
//     sequence-sound EVENT…          connects, has these sounds loaded, and obeys its input
//     sequence-sound --check         says whether the sound server can be used

do {
  let words = Array(CommandLine.arguments.dropFirst())
  let theme = try SoundTheme()
  if words == ["--check"] { end(0) }
  for word in words { try theme.prepare(word) }
  try SoundLoop(theme).run()
  end(0)
} catch {
  // Where standard error cannot be written, there is nowhere left to say so.
  try? writeAll("sequence-sound: \(error)\n".utf8, to: STDERR_FILENO)
  end(69)
}

/// Ends this process without tearing down what a thread of libcanberra's may still be using.
func end(_ status: Int32) -> Never { _exit(status) }
