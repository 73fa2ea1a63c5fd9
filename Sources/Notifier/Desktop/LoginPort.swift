package import SequenceRunner

/// How the agent and the desktop's thread exchange what is about logind.
package struct LoginPort: Sendable {
  /// What to do, in order.
  let orders: Mailbox<SleepOrder>
  /// What logind answered and told, for the thread that decides.
  package let events: Mailbox<SleepEvent>

  package init() throws(SystemError) {
    orders = try Mailbox()
    events = try Mailbox()
  }

  /// Asks something of logind, and returns at once.
  package func send(_ order: SleepOrder) { orders.put(order) }
}

/// The end of the port that belongs to the desktop's thread.
final class LoginDesk {
  private let events: Mailbox<SleepEvent>
  private var bus: LoginBus?

  init(events: Mailbox<SleepEvent>) {
    self.events = events
  }

  /// Carries an order out, within a few seconds.
  func carryOut(_ order: SleepOrder) {
    switch order {
    case .leave: bus = nil
    case .look:
      do throws(DesktopFailure) {
        _ = try connectedBus()
        events.put(.looked(failure: nil))
      } catch {
        events.put(.looked(failure: error.textOfLogin))
      }
    case .hold(let hold):
      do throws(DesktopFailure) {
        let bus = try connectedBus()
        events.put(.held(hold, try bus.hold(hold)))
      } catch {
        events.put(.refused(hold, reason: error.textOfLogin))
      }
    }
  }

  private func connectedBus() throws(DesktopFailure) -> LoginBus {
    if let bus, !bus.isClosed { return bus }
    bus = nil
    let connected = try LoginBus(events: events)
    bus = connected
    return connected
  }
}
