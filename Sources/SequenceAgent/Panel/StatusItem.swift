import Glibc
import NotifierDelivery

/// The current run as an icon of the panel.
///
/// Source: StatusNotifierItem of freedesktop.org, as KDE extended it. It is there as long as there is a run.
final class StatusItem: ExportedContent {
  /// The name of panels that show icons.
  static let watcher = "org.kde.StatusNotifierWatcher"
  private static let watcherPath = "/StatusNotifierWatcher"
  private static let interface = "org.kde.StatusNotifierItem"

  private let connection: BusConnection
  private let onRequest: (PanelRequest) -> Bool
  private let name = "org.kde.StatusNotifierItem-\(getpid())-1"
  private var object: ExportedObject?
  private let menu: PanelMenu
  private var watch: BusSubscription?
  private var icon: PanelIcon
  private var pixmaps: BusValue

  /// - Parameter onRequest: receives the requests of users, and returns whether it will be carried out.
  init(
    _ icon: PanelIcon, on connection: BusConnection, onRequest: @escaping (PanelRequest) -> Bool
  ) throws(DesktopFailure) {
    self.icon = icon
    pixmaps = StatusItem.pixmaps(of: icon.face)
    self.connection = connection
    self.onRequest = onRequest
    menu = try PanelMenu(icon.menu, on: connection, onRequest: onRequest)
    object = try ExportedObject(
      on: connection, at: "/StatusNotifierItem", interfaces: StatusItem.interfaces, self)
    do throws(DesktopFailure) {
      try connection.claim(name: name)
      // A panel that comes later, or again, gets the icon, too.
      watch = connection.watchOwner(of: StatusItem.watcher) { [unowned self] owner in
        if owner != nil { register() }
      }
      if try connection.owner(of: StatusItem.watcher) != nil { register() }
    } catch {
      end()
      throw error
    }
  }

  private func register() {
    connection.send(
      StatusItem.watcher, StatusItem.watcherPath, StatusItem.watcher, "RegisterStatusNotifierItem",
      [.text(name)])
  }

  /// Whether a panel would show an icon; KDE's list of icons is there without a panel, too.
  static func isShown(on connection: BusConnection) throws(DesktopFailure) -> Bool {
    do throws(DesktopFailure) {
      let answer = try connection.call(
        watcher, watcherPath, "org.freedesktop.DBus.Properties", "Get",
        [.text(watcher), .text("IsStatusNotifierHostRegistered")])
      return answer.firstBoolean ?? true
    } catch .noServer {
      return false
    } catch .refused {
      // A list that doesn't say so.
      return true
    }
  }

  /// Takes the icon off the bus, which keeps it alive.
  func end() {
    menu.end()
    (object, watch) = (nil, nil)
    // It fails only without a bus, where there is no name to release.
    do throws(DesktopFailure) { try connection.release(name: name) } catch {}
  }

  func show(_ next: PanelIcon) {
    let before = icon
    icon = next
    if before.face != next.face {
      pixmaps = StatusItem.pixmaps(of: next.face)
      object?.emit("NewIcon", of: StatusItem.interface, [])
    }
    if before.title != next.title || before.line != next.line {
      object?.emit("NewToolTip", of: StatusItem.interface, [])
    }
    menu.show(next.menu)
  }

  // MARK: - What others ask

  func property(_ name: String, of interface: String) -> BusValue? {
    switch name {
    case "IconPixmap": pixmaps
    // Some panels interpret markup in both texts, others in one, so that no escaping suits all.
    case "ToolTip":
      .structure(
        [.text(""), .array(of: "(iiay)", [])]
          + [icon.title, icon.line].map { .text(StatusItem.plain($0)) })
    default: StatusItem.properties[name]
    }
  }

  func call(_ method: String, of interface: String, _ call: BusCall) {
    let isAccepted =
      switch method {
      case "Activate": onRequest(.open)
      case "SecondaryActivate": onRequest(.key(.playPause))
      // The panel shows the menu. Scrolling has no effect.
      default: true
      }
    if isAccepted { call.finish() } else { call.refuseAsOneOfMany() }
  }

  private static func pixmaps(of face: PanelIcon.Face) -> BusValue {
    .array(
      of: "(iiay)",
      IconDrawing.sizes.map { size in
        .structure([
          .int(Int32(size)), .int(Int32(size)), .bytes(IconDrawing.pixels(of: face, size: size)),
        ])
      })
  }

  /// A text without the characters of markup, which others of the same look replace.
  private static func plain(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { scalar in
          ["<": "\u{2039}", ">": "\u{203A}", "&": "\u{FF06}"][scalar] ?? scalar
        }))
  }

  private static let properties: [String: BusValue] = [
    "Category": .text("ApplicationStatus"), "Id": .text("sequence"), "Title": .text("Sequence"),
    "Status": .text("Active"), "WindowId": .int(0), "IconName": .text(""), "IconThemePath": .text(""),
    "ItemIsMenu": .flag(false), "Menu": .path(PanelMenu.path),
  ]

  private static let interfaces = """
    <node>
      <interface name="org.kde.StatusNotifierItem">
        <property name="Category" type="s" access="read"/>
        <property name="Id" type="s" access="read"/>
        <property name="Title" type="s" access="read"/>
        <property name="Status" type="s" access="read"/>
        <property name="WindowId" type="i" access="read"/>
        <property name="IconName" type="s" access="read"/>
        <property name="IconThemePath" type="s" access="read"/>
        <property name="IconPixmap" type="a(iiay)" access="read"/>
        <property name="ToolTip" type="(sa(iiay)ss)" access="read"/>
        <property name="ItemIsMenu" type="b" access="read"/>
        <property name="Menu" type="o" access="read"/>
        <method name="Activate"><arg type="i" direction="in"/><arg type="i" direction="in"/></method>
        <method name="SecondaryActivate"><arg type="i" direction="in"/><arg type="i" direction="in"/></method>
        <method name="ContextMenu"><arg type="i" direction="in"/><arg type="i" direction="in"/></method>
        <method name="Scroll"><arg type="i" direction="in"/><arg type="s" direction="in"/></method>
        <signal name="NewTitle"/>
        <signal name="NewIcon"/>
        <signal name="NewToolTip"/>
        <signal name="NewStatus"><arg type="s"/></signal>
      </interface>
    </node>
    """
}
