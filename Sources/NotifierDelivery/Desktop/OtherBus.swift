import CLibnotify
import NotifierLedger
import SequencePlatform

/// A session bus that this process is not connected to, such as the one of an earlier agent.
struct OtherBus: Sendable {
  let address: String
  /// How long a call may take, in milliseconds.
  private static let limit: Int32 = 1000

  /// Closes a notification, in a thread that ends with the answer.
  ///
  /// Connecting to a bus that hangs takes until the bus continues or ends.
  func close(_ entry: Int64, _ shown: ShownNotification, answeringTo events: MessageQueue<DesktopEvent>) {
    do throws(SystemError) {
      try startThread { events.put(answer(entry, shown)) }
    } catch {
      events.put(.notClosed(entry: entry, .refused(name: "sequence", message: "\(error)")))
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
    let connection = unsafe try SessionBus.connect(to: address)
    defer {
      // It fails if the bus has gone away, and the connection with it.
      _ = unsafe g_dbus_connection_close_sync(connection, nil, nil)
      unsafe g_object_unref(UnsafeMutableRawPointer(connection))
    }
    let id = unsafe try SessionBus.id(of: connection, limit: OtherBus.limit)
    let owner = unsafe try SessionBus.owner(of: SessionBus.serverName, on: connection, limit: OtherBus.limit)
    guard ServerEpoch(busID: id, owner: owner) == shown.epoch else { return false }
    let arguments = unsafe [g_variant_new_uint32(shown.id)]
    do throws(DesktopFailure) {
      _ = unsafe try SessionBus.call(
        connection, owner, SessionBus.serverPath, SessionBus.serverName, "CloseNotification",
        g_variant_new_tuple(arguments, 1), limit: OtherBus.limit)
    } catch  where error.isAlreadyClosed {
      // It is gone, as intended; some servers call that an error.
    }
    return true
  }
}
