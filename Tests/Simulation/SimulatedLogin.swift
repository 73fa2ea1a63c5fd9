import Glibc
import NotifierDelivery
import SequencePlatform
import SequenceRunner

final class SimulatedLogin {
  let events: MessageQueue<SleepEvent>
  private(set) var isListenedTo = false
  /// Whether there is a reply that the agent has not processed.
  private(set) var owesAnswer = false
  private weak var inhibitor: LoginInhibitor?
  private var isLocked: Bool
  /// Whether the agent hears of locks.
  private(set) var isLockWatched = false
  /// The answers about the lock that the agent has not taken.
  private var answers: [SleepEvent] = []

  init(isLocked: Bool) throws {
    self.isLocked = isLocked
    events = try MessageQueue()
  }

  /// Whether the machine is kept from suspending.
  var isHeldUp: Bool { inhibitor != nil }

  func send(_ order: SleepOrder) {
    switch order {
    case .inhibit(.login(let hold)):
      isListenedTo = true
      tell(answer(hold))
    case .disconnect: (isListenedTo, isLockWatched) = (false, false)
    case .watchLock:
      (isListenedTo, isLockWatched) = (true, true)
      let answer = SleepEvent.locked(isLocked, isChange: false, failure: nil)
      answers.append(answer)
      tell(answer)
    case .status: tell(.examined(failure: nil, lockFailure: nil, services: []))
    // There is no desktop that would suspend the machine.
    case .inhibit(.desktop(let service)):
      tell(.refused(.desktop(service), reason: "no \(service.name) on the session bus", nil))
    case .release: break
    }
  }

  func tell(_ event: SleepEvent) {
    owesAnswer = true
    events.put(event)
  }

  /// Locks or unlocks the screen; returns the signal for an agent that hears of that.
  func lock(_ isLocked: Bool) -> SleepEvent? {
    self.isLocked = isLocked
    return isLockWatched ? .locked(isLocked, isChange: true, failure: nil) : nil
  }

  /// A new logind, which knows no agent.
  func restart() { isLockWatched = false }

  /// Records that the agent has taken the events; returns those that it had asked for.
  func acknowledge() -> [SleepEvent] {
    defer { answers = [] }
    owesAnswer = false
    return answers
  }

  private func answer(_ hold: LogindInhibitor) -> SleepEvent {
    do {
      let given = LoginInhibitor(try FileDescriptor(opening: "/dev/null", O_RDONLY))
      inhibitor = given
      return .held(.login(hold), given)
    } catch {
      return .refused(.login(hold), reason: "\(error)", nil)
    }
  }
}
