import Glibc
import NotifierBus
import NotifierDelivery
import SequencePlatform
import SequenceRunner

/// A logind, with the requests of an agent.
final class SimulatedLogin {
  let events: MessageQueue<SleepEvent>
  /// Whether the agent listens for suspend.
  private(set) var isListenedTo = false
  /// Whether there is a reply that the agent has not processed.
  private(set) var owesAnswer = false
  private weak var inhibitor: LoginInhibitor?

  init() throws { events = try MessageQueue() }

  /// Whether the machine is kept from suspending.
  var isHeldUp: Bool { inhibitor != nil }

  /// Executes a request of the agent.
  func send(_ order: SleepOrder) {
    switch order {
    case .hold(.login(let hold)):
      isListenedTo = true
      tell(answer(hold))
    case .leave: isListenedTo = false
    case .status: tell(.examined(failure: nil, services: []))
    // There is no desktop that would suspend the machine.
    case .hold(.desktop(let service)):
      tell(.refused(.desktop(service), reason: "no \(service.name) on the session bus", nil))
    case .release: break
    }
  }

  func tell(_ event: SleepEvent) {
    owesAnswer = true
    events.put(event)
  }

  /// Records that the agent has processed an event.
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
