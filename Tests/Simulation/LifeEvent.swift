/// Something that happens in a life; what cannot happen then and there does nothing.
package enum LifeEvent: Equatable, Sendable {
  /// A process starts a run.
  case start(sequence: Int, isReplacing: Bool, process: Int)
  /// A process does a command, maybe meant for one step only.
  case command(LifeCommand, step: Int?, process: Int)
  /// A process looks at the run.
  case look(process: Int)

  /// A process clears the notifications of a sequence.
  case clear(sequence: Int, process: Int)

  /// Time goes by, and nobody acts: the machine sleeps, or the agent is late.
  case pass(Int)
  /// Time goes by, and the agent acts whenever it wants to.
  case wait(Int)
  /// The same, but only until something is ready and waits for its time.
  case approach(Int)
  /// The wall clock is set.
  case setWall(Int)
  /// The machine is off for a while; wall clock ticks.
  case reboot(Int)

  /// logind says that the machine is about to sleep or to be switched off; an agent that listens hears it at once, and
  /// acts on it at its next turn.
  case goesAway(isOff: Bool)
  /// logind says that the machine is back, or did not go after all.
  case comesBack
  /// logind ends, and another one begins.
  case otherLogind

  /// An agent begins, if there is none.
  case agent
  /// The agent acts until it has nothing left to do.
  case run
  /// The agent takes some turns, and is left in the middle of its work.
  case turns(Int)
  /// The agent is killed; what it had asked last is done by the desktop, or is not.
  case die(isCarriedOut: Bool)
  /// A live display gets the keyboard, or loses it.
  case foreground(Bool)

  /// The notification server ends.
  case serverGoes
  /// A notification server begins, in place of the one that there is, if there is one.
  case serverComes
  /// The bus goes away, and so do the connections to it.
  case busCloses
  /// The bus is there again, with the same server, or with another.
  case busOpens(isSame: Bool)
  /// The server refuses to show the next ones.
  case refuse(Int, isExcess: Bool)
  /// The server refuses to take the next ones away.
  case refuseClosing(Int)
  /// The server does not answer the next calls, but does what they ask for, or does not.
  case silence(Int, isCarriedOut: Bool)
  /// The server gives the answers that it owes.
  case answer
  /// The user dismisses one of those on screen.
  case dismiss(Int)
  /// The server takes one away whose time is over.
  case expire(Int)
  /// The user presses a button of one of those on screen.
  case press(Int, button: Int, isClosing: Bool)
}

/// What a user does to a run.
package enum LifeCommand: Equatable, Sendable {
  case pause, resume, resumeCounting, toggle, next, skip, back, restart, stop
  /// By so many ticks.
  case extend(Int)
}
