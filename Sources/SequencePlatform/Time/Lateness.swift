/// How late something may be, before it is left out or decided again.
package enum Lateness {
  /// A notification of a run, unless it is still true: a moment of the run that is half a minute past is no news.
  ///
  /// An agent that a command has started waits as long for a server.
  package static let notification = Duration.seconds(30)
  /// The end of a run: worth knowing the next morning, unless the sequence is started again.
  package static let runEnd = Duration.seconds(24 * 3600)
  /// The request of a program when it is added: longer than the 5 s that a call waits for a busy store.
  package static let request = Duration.seconds(10)
  /// A notification from its decision until it is shown: longer than any server takes that answers at all.
  package static let showing = Duration.seconds(10)
  /// The end of the wait for the time of a prepared notification: later means that the machine slept meanwhile.
  package static let preparedNotification = Duration.seconds(1)
  /// A hook or a cue: a later one tells of something that people have noticed.
  package static let event = Duration.seconds(3)
  /// The hooks of a pause at a suspend: logind waits for 5 s in all, and other programs need time, too.
  package static let departure = Duration.seconds(1)
  /// A program at its limit: later means that the machine slept, and that the limit doesn't count.
  package static let limit = Duration.seconds(1)
  /// A hook or a cue for the last seconds of a step: a later one names the wrong second.
  package static let mark = Duration.seconds(1)
  /// A sound at an ordered time: a later one would only confuse.
  package static let sound = Duration.seconds(1)

  /// A media key or a click that could not act at once, because the store was busy, counted from its arrival: the user
  /// has pressed it again or given up.
  package static let key = Duration.seconds(1)
}
