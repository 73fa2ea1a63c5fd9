import CLibnotify
import Foundation
import TestSupport

/// A notification server for tests, which writes each call as a line of JSON.
final class Server {
  static let path = "/org/freedesktop/Notifications"
  static let name = "org.freedesktop.Notifications"
  static let methods = ["Notify", "CloseNotification", "GetCapabilities", "GetServerInformation"]

  struct Shown {
    let id: UInt32
    var summary: String
    /// The connection that last showed it.
    var sender: String
  }

  struct Call {
    let method: String
    let sender: String
    let parameters: Variant
    let invocation: OpaquePointer
  }

  let connection: OpaquePointer
  var behavior = Behavior()
  var screen: [Shown] = []
  var nextID: UInt32 = 1
  var held: [Call] = []
  private var last: (summary: String?, body: String?, at: Int64)?

  init(connection: OpaquePointer) { self.connection = connection }

  func event(_ name: String) -> ServerEvent { ServerEvent(now: name) }

  func write(_ event: ServerEvent) { event.write() }

  func take(_ call: Call) {
    guard !behavior.hanging.contains(call.method) else {
      held.append(call)
      var event = event("held")
      event.method = call.method
      event.sender = call.sender
      write(event)
      return
    }
    if call.method == behavior.lastAnswered {
      behavior.lastAnswered = nil
      behavior.hanging = Set(Server.methods)
    }
    switch call.method {
    case "Notify": notify(call)
    case "CloseNotification": close(call)
    case "GetCapabilities": answer(call, [strings(behavior.capabilities)])
    default:
      let texts: [String] = [behavior.name, "Sequence", "1", "1.2"]
      answer(call, texts.map { (text: String) in g_variant_new_string(text) })
    }
  }

  // MARK: - Showing

  private func notify(_ call: Call) {
    let parameters = call.parameters
    var event = event("notify")
    event.sender = call.sender
    event.app = parameters[0].string
    event.replaces = parameters[1].uint32
    event.icon = parameters[2].string
    event.summary = parameters[3].string
    event.body = parameters[4].string
    event.actions = parameters[5].elements.map(\.string)
    event.hints = Dictionary(
      parameters[6].elements.map { ($0[0].string, $0[1].content.printed) }, uniquingKeysWith: { $1 })
    event.timeout = parameters[7].int32
    if let error = refusal(of: event) {
      event.error = error
      refuse(call, error)
      write(event)
      return
    }
    let id = show(event, from: call.sender)
    last = (event.summary, event.body, event.at)
    event.id = id
    answer(call, [g_variant_new_uint32(id)])
    write(event)
    if let kept = behavior.kept {
      for shown in screen.dropLast(kept) { takeAway(shown.id, reason: 1) }
    }
  }

  private func refusal(of event: ServerEvent) -> String? {
    if let name = next(&behavior.refusal) { return name }
    if let time = behavior.sameTime, let last, last.summary == event.summary, last.body == event.body,
      event.at - last.at < time
    {
      return Server.name + ".Error.ExcessNotificationGeneration"
    }
    if let replaced = screen.first(where: { $0.id == event.replaces }) {
      return isForbidden(replaced, to: event.sender) ? "org.freedesktop.DBus.Error.InvalidArgs" : nil
    }
    if let limit = behavior.limit, screen.count >= limit {
      return Server.name + ".MaxNotificationsExceeded"
    }
    return nil
  }

  private func show(_ event: ServerEvent, from sender: String) -> UInt32 {
    let (replaces, summary) = (event.replaces ?? 0, event.summary ?? "")
    if let index = screen.firstIndex(where: { $0.id == replaces }) {
      screen[index].summary = summary
      screen[index].sender = sender
      return replaces
    }
    let id = replaces != 0 && behavior.keepsUnknownID ? replaces : newID()
    screen.append(Shown(id: id, summary: summary, sender: sender))
    return id
  }

  /// Returns the next id that is not visible; the largest id is followed by 1.
  private func newID() -> UInt32 {
    while nextID == 0 || screen.contains(where: { $0.id == nextID }) { nextID &+= 1 }
    defer { nextID &+= 1 }
    return nextID
  }

  // MARK: - Taking away

  private func close(_ call: Call) {
    var event = event("close")
    let id = call.parameters[0].uint32
    let shown = screen.first { $0.id == id }
    event.id = id
    event.sender = call.sender
    event.known = shown != nil
    event.error =
      if let name = next(&behavior.closeRefusal) {
        name
      } else if let shown {
        isForbidden(shown, to: call.sender) ? "org.freedesktop.DBus.Error.InvalidArgs" : nil
      } else {
        behavior.isStrict ? Server.name + ".InvalidId" : nil
      }
    write(event)
    if let error = event.error {
      refuse(call, error)
    } else {
      answer(call, [])
      if shown != nil { takeAway(id, reason: 3) }
    }
  }

  func takeAway(_ id: UInt32, reason: UInt32) {
    guard let index = screen.firstIndex(where: { $0.id == id }) else { return }
    let shown = screen.remove(at: index)
    var event = event("closed")
    event.id = id
    event.reason = reason
    write(event)
    signal("NotificationClosed", [g_variant_new_uint32(id), g_variant_new_uint32(reason)], about: shown)
  }

  func invoke(_ key: String, of shown: Shown) {
    var event = event("action")
    event.id = shown.id
    event.key = key
    write(event)
    signal("ActionInvoked", [g_variant_new_uint32(shown.id), g_variant_new_string(key)], about: shown)
    if !behavior.isResident { takeAway(shown.id, reason: 2) }
  }

  // MARK: - The bus

  func signal(_ name: String, _ values: [OpaquePointer?], about shown: Shown) {
    g_dbus_connection_emit_signal(
      connection, behavior.signalsSenderOnly ? shown.sender : nil, Server.path, Server.name, name,
      tuple(values), nil)
  }

  private func answer(_ call: Call, _ values: [OpaquePointer?]) {
    g_dbus_method_invocation_return_value(call.invocation, tuple(values))
  }

  private func refuse(_ call: Call, _ error: String) {
    g_dbus_method_invocation_return_dbus_error(call.invocation, error, "refused")
  }

  /// Returns the error of the next call that must be refused.
  private func next(_ refusal: inout Refusal?) -> String? {
    defer {
      if let left = refusal?.left {
        refusal = left > 1 ? Refusal(name: refusal?.name ?? "", left: left - 1) : nil
      }
    }
    return refusal?.name
  }

  /// Returns whether a notification belongs to another connection that still exists.
  private func isForbidden(_ shown: Shown, to sender: String?) -> Bool {
    guard behavior.isOnlySender, shown.sender != sender else { return false }
    let bus = "org.freedesktop.DBus"
    let reply = g_dbus_connection_call_sync(
      connection, bus, "/org/freedesktop/DBus", bus, "NameHasOwner",
      tuple([g_variant_new_string(shown.sender)]),
      nil, G_DBUS_CALL_FLAGS_NONE, -1, nil, nil)
    guard let reply else { return false }
    defer { g_variant_unref(reply) }
    return Variant(reply)[0].bool
  }
}
