import NotifierLedger
import SequencePlatform

/// A session bus that this process is not connected to, such as the one of an earlier agent.
struct OtherBus: Sendable {
  let address: String

  /// Closes a notification, in a thread that ends with the answer.
  ///
  /// Connecting to a bus that hangs takes until the bus continues or ends.
  func close(_ entry: Int64, _ shown: ShownNotification, answeringTo events: MessageQueue<DesktopEvent>) {
    do throws(SystemError) {
      try startThread { events.put(answer(entry, shown)) }
    } catch {
      events.put(.notClosed(entry: entry, .refused(name: "system", message: "\(error)")))
    }
  }

  private func answer(_ entry: Int64, _ shown: ShownNotification) -> DesktopEvent {
    do throws(DesktopFailure) {
      return try close(shown) ? .closed(entry: entry) : .goneWithServer(entry: entry)
    } catch .noBus, .noServer {
      return .goneWithServer(entry: entry)
    } catch {
      return .notClosed(entry: entry, error)
    }
  }

  /// Closes a notification if the server that showed it is still there.
  ///
  /// - Returns: whether that server is there.
  private func close(_ shown: ShownNotification) throws(DesktopFailure) -> Bool {
    let connection = try BusConnection(to: address)
    let id = try connection.id()
    guard let owner = try connection.owner(of: BusConnection.serverName),
      ServerEpoch(busID: id, owner: owner) == shown.epoch
    else { return false }
    do throws(DesktopFailure) {
      _ = try connection.call(
        owner, BusConnection.serverPath, BusConnection.serverName, "CloseNotification", [.number(shown.id)])
    } catch  where error.isAlreadyClosed {
      // It is gone, as intended; some servers call that an error.
    }
    return true
  }
}
