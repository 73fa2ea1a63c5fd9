enum Kind: String, CaseIterable {
  /// SIGKILL of commands and agents, at random times and before each system call of a command.
  case kills
  /// Each system call of a command fails once.
  case calls
  /// Each system call of an agent fails once, in a run from its start to its end.
  case agents
  /// A full or read-only disk.
  case disks
  /// A state directory that is removed, replaced or no longer accessible.
  case directories
  /// A store that is truncated, changed or replaced.
  case damage
  /// A repair of a damaged store that is killed or fails.
  case repairs
  /// Many processes at once.
  case crowds
  /// Reboots, and jumps of the clocks.
  case boots

  func run(_ tally: Tally) throws {
    switch self {
    case .kills: try Kills(tally).run()
    case .calls: try CommandCalls(tally).run()
    case .agents: try AgentCalls(tally).run()
    case .disks: try Disks(tally).run()
    case .directories: try Directories(tally).run()
    case .damage: try Damage(tally).run()
    case .repairs: try Repairs(tally).run()
    case .crowds: try Crowds(tally).run()
    case .boots: try Boots(tally).run()
    }
  }
}
