import CLibnotify
import CSequenceGLib
import Glibc
package import NotifierLedger
import SequencePlatform
import SequenceStore

/// The desktop through libnotify, in one thread that owns a main context of its own.
///
/// libnotify is not thread-safe, takes up to 25 s for a call, and delivers signals, and frees what belongs to
/// a call, in the main context that was the thread's default at its first call.
@safe final class LibnotifyDesktop {
  private let clients: DesktopClients
  private let mayUseLoginBus: Bool
  private let context: ThreadContext
  private var bus: SessionBus?

  init(_ clients: DesktopClients, in context: ThreadContext, mayUseLoginBus: Bool) {
    self.clients = clients
    self.mayUseLoginBus = mayUseLoginBus
    self.context = context
  }

  deinit {
    bus = nil
    context.drain()
    if notify_is_initted() != 0 { notify_uninit() }
    // Frees the subscriptions of libnotify's proxy.
    context.drain()
  }

  func carryOut(_ order: DesktopOrder) {
    do throws(DesktopFailure) {
      let bus = try connectedBus()
      switch order {
      case .probe:
        clients.put(try bus.server().map { .serverAvailable($0) } ?? .serverStartable)
      case .startServer:
        clients.put(.serverAvailable(try bus.startServer()))
      case .status:
        clients.put(.examined(try bus.examine()))
      case .show(let entry, let content, let shown):
        guard let (client, number) = clients.holder(of: entry) else { break }
        let changes = bus.wire.ownerChanges
        guard let server = try bus.server(), server.epoch == shown.epoch else { throw .otherServer }
        let notification = unsafe try notification(content, as: shown.id, by: client, on: server)
        defer { unsafe g_object_unref(UnsafeMutableRawPointer(notification)) }
        try client.showTime.wait(until: content.due, atMostUntil: content.latest, for: number)
        // The bus would start another server for the call, which does not know the number.
        guard bus.wire.ownerChanges == changes else { throw .otherServer }
        // The wire reports that it is shown, with its number, before any later signal about it.
        bus.wire.begin(.show(entry: entry))
        unsafe try show(notification)
        bus.wire.end(isAnswered: true)
      case .close(let entry, let shown):
        // A server that hangs is not asked: it would keep everything else waiting.
        guard try bus.currentEpoch() == shown.epoch, try bus.server()?.epoch == shown.epoch else {
          clients.put(.goneWithServer(entry: entry))
          return
        }
        try close(shown.id)
        clients.put(.closed(entry: entry))
      // It never comes here, because it overtakes the orders.
      case .callOff: break
      }
    } catch {
      var failure = error
      // The end of the server is reported before the outcome of the order.
      if failure == .otherServer { context.drain() }
      if case .show = order, failure == .unknownOutcome, bus?.wire.isSent == false { failure = .notAnswering }
      clients.put(order.failed(failure))
      // After the failure, so that a late answer is reported after it.
      bus?.wire.end(isAnswered: failure != .notAnswering && failure != .unknownOutcome)
    }
  }

  private func connectedBus() throws(DesktopFailure) -> SessionBus {
    if let bus, !bus.isClosed { return bus }
    if bus != nil {
      // The signal may still be on its way, and its subscription ends with the bus.
      bus?.reportEnd()
      bus = nil
      context.drain()
      notify_uninit()
    }
    let connected = try SessionBus(events: clients, mayUseLoginBus: mayUseLoginBus)
    // Each notification has the name of its own program.
    guard unsafe notify_init("Notifier") != 0 else {
      throw .noBus(reason: "libnotify could not be initialized")
    }
    bus = connected
    return connected
  }

  /// Returns a prepared notification with a number; the caller has to release it.
  private func notification(
    _ content: NotificationContent, as number: UInt32, by client: DesktopClients.Client,
    on server: NotificationServer
  ) throws(DesktopFailure) -> OpaquePointer {
    guard
      let notification = unsafe notify_notification_new(
        DesktopText.line(content.summary, on: server), DesktopText.body(content.body, on: server),
        content.style.icon.flatMap(LibnotifyDesktop.usable) ?? client.application.icon)
    else { throw .refused(name: "libnotify", message: "it could not create a notification") }
    unsafe setID(Int32(bitPattern: number), of: notification)
    unsafe notify_notification_set_app_name(notification, client.application.name)
    unsafe addHints(content, to: notification, by: client, for: server)
    if server.capabilities.contains("actions") {
      for action in content.actions {
        // Signals report the pressed button; libnotify only needs some callback.
        unsafe notify_notification_add_action(
          notification, action.key, DesktopText.label(of: action, on: server), { _, _, _ in }, nil, nil)
      }
    }
    return unsafe notification
  }

  private func show(_ notification: OpaquePointer) throws(DesktopFailure) {
    let isShown = unsafe try checkingGError(isSent: true) {
      unsafe notify_notification_show(notification, $0)
    }
    guard isShown != 0 else { throw .unknownOutcome }
  }

  private func addHints(
    _ content: NotificationContent, to notification: OpaquePointer, by client: DesktopClients.Client,
    for server: NotificationServer
  ) {
    let style = content.style
    var hints = style.hints.merging(LibnotifyDesktop.hints(of: style)) { own, _ in own }
    hints["desktop-entry"] = hints["desktop-entry"] ?? .string(client.application.desktopEntry)
    if content.isSilent {
      for sound in ["sound-name", "sound-file"] { hints[sound] = nil }
      hints["suppress-sound"] = .bool(true)
    }
    // A server with tags replaces the notification with the same tag, even if its number was forgotten. With a known
    // number no tag is set, because mako 1.7 crashes on both.
    for tag in ["x-dunst-stack-tag", "x-canonical-private-synchronous"]
    where server.capabilities.contains(tag) {
      hints[tag] = content.tag.map { .string($0 + client.tagSuffix) }
    }
    for (name, value) in hints {
      unsafe notify_notification_set_hint(notification, name, LibnotifyDesktop.variant(value))
    }
    // libnotify sends no hint of an expiry; -1 leaves it to the server, and 0 is never.
    let timeout: Int32 =
      switch style.expiry {
      case .byServer: -1
      case .never: 0
      case .after(let time): Int32(clamping: max(1, time.nanoseconds / 1_000_000))
      }
    unsafe notify_notification_set_timeout(notification, timeout)
  }

  /// Returns a sound or a picture, unless it is the path of a pipe or a device, which keeps a server waiting that opens it.
  ///
  /// Any other path is up to the server, which may see other files than this process.
  private static func usable(_ media: String) -> String? {
    isAbsolute(media) && FileKind(of: media) == .special ? nil : media
  }

  private static func hints(of style: NotificationStyle) -> [String: NotificationStyle.HintValue] {
    var hints: [String: NotificationStyle.HintValue] = [:]
    hints["category"] = style.category.map { .string($0) }
    if let sound = style.sound.flatMap(usable) {
      hints[isAbsolute(sound) ? "sound-file" : "sound-name"] = .string(sound)
    }
    hints["image-path"] = style.image.flatMap(usable).map { .string($0) }
    // NaN is no progress at all.
    hints["value"] = style.progress.flatMap { Int32(exactly: (min(max($0, 0), 1) * 100).rounded()) }.map {
      .int($0)
    }
    if style.isTransient { hints["transient"] = .bool(true) }
    if style.isResident { hints["resident"] = .bool(true) }
    // Source: the Desktop Notifications Specification, "Urgency Levels".
    let urgency: UInt8 =
      switch style.urgency {
      case .low: 0
      case .normal: 1
      case .critical: 2
      }
    hints["urgency"] = .byte(urgency)
    return hints
  }

  /// A value as D-Bus has it; owned by the notification that takes it.
  private static func variant(_ value: NotificationStyle.HintValue) -> OpaquePointer? {
    switch value {
    case .string(let text): unsafe g_variant_new_string(text)
    case .int(let number): unsafe g_variant_new_int32(number)
    case .bool(let value): unsafe g_variant_new_boolean(value ? 1 : 0)
    case .double(let number): unsafe g_variant_new_double(number)
    case .byte(let number): unsafe g_variant_new_byte(number)
    }
  }

  private func close(_ id: UInt32) throws(DesktopFailure) {
    guard let notification = unsafe notify_notification_new("", nil, nil) else {
      throw .refused(name: "libnotify", message: "it could not create a notification")
    }
    defer { unsafe g_object_unref(UnsafeMutableRawPointer(notification)) }
    unsafe setID(Int32(bitPattern: id), of: notification)
    do throws(DesktopFailure) {
      _ = unsafe try checkingGError(isSent: true) { unsafe notify_notification_close(notification, $0) }
    } catch  where error.isAlreadyClosed {
      // It is gone, as intended.
    }
  }

  private func setID(_ id: Int32, of notification: OpaquePointer) {
    var value = GValue()
    unsafe g_value_init(&value, LibnotifyDesktop.intType)
    unsafe g_value_set_int(&value, id)
    unsafe g_object_set_property(
      object(notification), "id", &value)
  }

  private func object(_ notification: OpaquePointer) -> UnsafeMutablePointer<GObject> {
    unsafe UnsafeMutablePointer(notification)
  }

  /// `G_TYPE_INT`, a macro that Swift does not import.
  private static let intType = GType(6 << 2)
}

/// Prepares texts from outside so that a server shows them literally.
package enum DesktopText {
  /// A text on one line, where no server looks for markup.
  package static func line(_ text: String, on server: NotificationServer) -> String {
    let text = TextSafety.sanitised(text, keeping: .directions)
    return isWithoutBounds(server) ? shortened(text, to: 200) : text
  }

  /// Returns the label of an action, which is never empty.
  ///
  /// libnotify doesn't send an action without a label, so a server could not report a click either.
  package static func label(of action: NotificationAction, on server: NotificationServer) -> String {
    let title = line(action.title, on: server)
    if !title.isEmpty { return title }
    let key = action.key == NotificationAction.click.key ? "" : line(action.key, on: server)
    return key.isEmpty ? "Open" : key
  }

  package static func body(_ text: String, on server: NotificationServer) -> String {
    var text = TextSafety.sanitised(text, keeping: [.lines, .directions])
    if isWithoutBounds(server) { text = shortened(text, to: 400) }
    return looksForMarkup(in: text, server) ? TextSafety.escapedMarkup(text) : text
  }

  /// Whether the server shows a text of any length instead of shortening it.
  ///
  /// The window of notification-daemon (3.20) becomes taller than the screen, with its buttons out of reach. At 10,000
  /// characters it draws nothing, and at 100,000 it exits.
  private static func isWithoutBounds(_ server: NotificationServer) -> Bool {
    server.name == "Notification Daemon"
  }

  /// Returns the text with an ellipsis in place of its end beyond a limit.
  ///
  /// The limit counts scalars, because a character may consist of any number of them. A line end counts as much as a
  /// short line.
  private static func shortened(_ text: String, to limit: Int) -> String {
    var left = limit
    for index in text.indices {
      left -= text[index] == "\n" ? 30 : text[index].unicodeScalars.count
      if left < 0 { return text[..<index] + "…" }
    }
    return text
  }

  /// Whether the server interprets angle brackets as markup.
  ///
  /// Without `markup` in its configuration dunst (1.9) does so, although it does not list the capability: the text
  /// would be lost. This is indistinguishable from `markup = no`, which shows the escapes, but loses nothing.
  private static func looksForMarkup(in text: String, _ server: NotificationServer) -> Bool {
    server.capabilities.contains("body-markup")
      || server.name == "dunst" && text.unicodeScalars.contains("<")
  }
}
