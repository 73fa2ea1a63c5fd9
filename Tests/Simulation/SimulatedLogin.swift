import Glibc
import Notifier
import Platform
import SequenceRunner

/// logind, and what an agent has asked of it.
final class SimulatedLogin {
  let events: Mailbox<SleepEvent>
  /// Whether the agent wants to hear when the machine goes and comes.
  private(set) var isListenedTo = false
  /// Whether there is an answer that the agent has not taken up.
  private(set) var owesAnswer = false
  private weak var inhibitor: LoginInhibitor?

  init() throws { events = try Mailbox() }

  /// Whether something holds the machine up.
  var isHeldUp: Bool { inhibitor != nil }

  /// Does what the agent asks for.
  func send(_ order: SleepOrder) {
    switch order {
    case .hold(.login(let hold)):
      isListenedTo = true
      tell(answer(hold))
    case .leave: isListenedTo = false
    case .status: tell(.looked(failure: nil, services: []))
    // There is no desktop that would send the machine to sleep.
    case .hold(.desktop(let service)):
      tell(.refused(.desktop(service), reason: "no \(service.name) on the session bus", nil))
    case .letGo: break
    }
  }

  func tell(_ event: SleepEvent) {
    owesAnswer = true
    events.put(event)
  }

  /// Notes that the agent has taken up what it was told.
  func acknowledge() { owesAnswer = false }

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
