import Glibc
import SequencePlatform

// Plays sounds at times given on standard input; the agent starts it for cues. A sound is a name of the sound
// theme or the absolute path of a file. It is a separate program, so that no other program links libcanberra.
//
//     sequence-sound [--volume PERCENT] SOUND…   connects, loads these sounds, and executes orders from its input
//     sequence-sound --play SOUND                plays one sound
//     sequence-sound --check                     checks whether the sound server can be used

do {
  var words = Array(CommandLine.arguments.dropFirst())
  let theme = try SoundTheme()
  if words == ["--check"] { end(0) }
  if words.first == "--volume", words.count > 1 {
    theme.volume = Int(words[1]) ?? theme.volume
    words.removeFirst(2)
  }
  if words.first == "--play", words.count == 2 {
    try SoundLoop(theme, playing: words[1]).run()
  } else {
    // Preparing any sound shows whether there is a sound server.
    for word in words.isEmpty ? ["bell"] : words { theme.prepare(word) }
    try SoundLoop(theme).run()
  }
  // The other sounds were played.
  if let failure = theme.failure { throw failure }
  end(0)
} catch {
  StandardStreams.printError("sequence-sound: \(error)")
  end(69)
}

/// Ends this process without cleanup, because a thread of libcanberra may still be running.
func end(_ status: Int32) -> Never { _exit(status) }
