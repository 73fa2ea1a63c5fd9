/// An event of a scenario; an event that is impossible at its time does nothing.
package enum ScenarioEvent: Equatable, Sendable {
  /// A process starts a run.
  case start(ScenarioStart, process: Int)
  /// A process gives a command, possibly for a certain step only.
  ///
  /// The run is counted back from the one that was started last, which is 0; `nil` for the current run.
  case command(ScenarioCommand, step: Int? = nil, run: Int? = nil, process: Int)
  /// A process reads the run.
  case look(process: Int)
  /// A reader of events reads the new ones.
  case read(Int)
  /// A reader crashes before it has stored its position.
  case forget(Int)
  /// A process begins to read events with the current step.
  case attach(process: Int)
  /// The hooks and cues are changed.
  case configure(ScenarioHooks)

  /// A process clears the notifications of a sequence.
  case clear(sequence: Int, process: Int)
  /// A process clears the notifications of a card.
  case clearCard(sequence: Int, card: Int, process: Int)

  /// Time passes while nobody acts, because the machine sleeps or the agent is late.
  case pass(Int)
  /// Time passes, and the agent acts at its own wake-ups.
  case wait(Int)
  /// Time passes like with `wait`, but only until a prepared notification waits for its due time.
  case approach(Int)
  /// The wall clock is set.
  case setWall(Int)
  /// The machine is off for a while; in ticks of the wall clock.
  case reboot(Int)

  /// logind signals the beginning of a sleep or shutdown.
  ///
  /// A listening agent receives the signal immediately, and reacts in its next turn.
  case goesAway(isOff: Bool)
  /// logind signals the end of the sleep, or that it was cancelled.
  case comesBack
  /// logind is restarted.
  case otherLogind
  /// The user locks or unlocks the screen.
  case screen(isLocked: Bool)

  /// An agent starts, if none is running.
  case agent
  /// The agent acts until it has nothing left to do.
  case run
  /// The agent takes some turns, and stops in the middle of its work.
  case turns(Int)
  /// The agent is killed; the desktop may or may not execute its last order.
  case die(isCarriedOut: Bool)
  /// A live display of the current run gets or loses the keyboard focus.
  case foreground(Bool)

  /// The notification server exits.
  case serverGoes
  /// A notification server starts, and replaces the current server if there is one.
  case serverComes
  /// The bus closes, with all connections to it.
  case busCloses
  /// The bus opens again, with the same server or another.
  case busOpens(isSame: Bool)
  /// The server refuses to show the next notifications.
  case refuse(Int, isExcess: Bool)
  /// The server refuses to close the next notifications.
  case refuseClosing(Int)
  /// The server does not answer the next calls, but may execute them.
  case silence(Int, isCarriedOut: Bool)
  /// The server sends its missing replies.
  case answer
  /// The user dismisses a visible notification.
  case dismiss(Int)
  /// The server closes an expired notification.
  case expire(Int)
  /// The user presses a button of a visible notification.
  case press(Int, button: Int, isClosing: Bool)
}

extension ScenarioEvent {
  /// At least the time that passes in the event by one of the clocks, in ticks.
  var length: Int {
    switch self {
    case .pass(let ticks), .wait(let ticks), .approach(let ticks), .setWall(let ticks), .reboot(let ticks):
      abs(ticks)
    case .start, .command, .look, .read, .forget, .attach, .configure, .clear, .clearCard, .goesAway,
      .comesBack,
      .otherLogind, .screen, .agent, .run, .turns, .die, .foreground, .serverGoes, .serverComes, .busCloses,
      .busOpens,
      .refuse, .refuseClosing, .silence, .answer, .dismiss, .expire, .press:
      0
    }
  }
}

package enum ScenarioCommand: Equatable, Sendable {
  case pause, resume, resumeCounting, toggle, next, skip, back, restart, stop
  /// By a number of ticks.
  case extend(Int)
}
