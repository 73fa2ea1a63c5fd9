import NotifierDelivery

/// The menu of the icon of the panel.
///
/// Source: the interface `com.canonical.dbusmenu`, version 3. Each change is announced as a new layout.
final class PanelMenu: ExportedContent {
  static let path = "/StatusNotifierItem/Menu"
  private static let interface = "com.canonical.dbusmenu"

  private let onRequest: (PanelRequest) -> Bool
  private var object: ExportedObject?
  private var entries: [PanelEntry]
  private var revision: UInt32 = 1
  /// The numbers of the entries: a click on a menu that has changed meanwhile means the entry that was there.
  private var numbers: [Int32: PanelEntry] = [:]
  /// The items of the layout, by their numbers; 0 is the menu itself.
  private var items: [Int32: Item] = [:]
  private var lastNumber: Int32 = 0

  /// How many entries of former layouts are known.
  private static let mostNumbers = 1000

  private struct Item {
    var properties: [String: BusValue]
    var children: [Int32] = []
  }

  init(
    _ entries: [PanelEntry], on connection: BusConnection, onRequest: @escaping (PanelRequest) -> Bool
  ) throws(DesktopFailure) {
    self.entries = entries
    self.onRequest = onRequest
    setItems(entries)
    object = try ExportedObject(on: connection, at: PanelMenu.path, interfaces: PanelMenu.interfaces, self)
  }

  /// Takes the menu off the bus, which keeps it alive.
  func end() { object = nil }

  func show(_ next: [PanelEntry]) {
    guard next != entries else { return }
    entries = next
    revision &+= 1
    setItems(next)
    object?.emit("LayoutUpdated", of: PanelMenu.interface, [.number(revision), .int(0)])
  }

  private func setItems(_ entries: [PanelEntry]) {
    if numbers.count > PanelMenu.mostNumbers { numbers = numbers.filter { items[$0.key] != nil } }
    // An entry that stays keeps its number, so that a menu that is open stays as it is.
    var kept: [PanelEntry: [Int32]] = [:]
    for number in items.keys.sorted(by: >) {
      if let entry = numbers[number] { kept[entry, default: []].append(number) }
    }
    items = [:]
    func add(_ entry: PanelEntry) -> Int32 {
      let number = kept[entry]?.popLast() ?? nextNumber()
      numbers[number] = entry
      items[number] = Item(
        properties: PanelMenu.properties(of: entry), children: entry.entries.map(add))
      return number
    }
    items[0] = Item(properties: ["children-display": .text("submenu")], children: entries.map(add))
  }

  private func nextNumber() -> Int32 {
    lastNumber &+= 1
    return lastNumber
  }

  private static func properties(of entry: PanelEntry) -> [String: BusValue] {
    guard entry != .separator else { return ["type": .text("separator")] }
    // A single underscore would be the mark of a key.
    var properties: [String: BusValue] = ["label": .text(entry.title.replacing("_", with: "__"))]
    if !entry.entries.isEmpty {
      properties["children-display"] = .text("submenu")
    } else if entry.request == nil {
      properties["enabled"] = .flag(false)
    }
    return properties
  }

  // MARK: - What others ask

  func property(_ name: String, of interface: String) -> BusValue? {
    switch name {
    case "Version": .number(3)
    case "TextDirection": .text("ltr")
    case "Status": .text("normal")
    case "IconThemePath": .texts([])
    default: nil
    }
  }

  func call(_ method: String, of interface: String, _ call: BusCall) {
    let arguments = call.arguments.children
    let number = arguments.first?.int
    switch method {
    case "GetLayout":
      guard let number, let layout = layout(of: number) else { return call.refuse("no such entry") }
      call.finish([.number(revision), layout])
    case "GetGroupProperties":
      let wanted = arguments.first?.children.compactMap(\.int) ?? []
      call.finish([
        .array(
          of: "(ia{sv})",
          (wanted.isEmpty ? items.keys.sorted() : wanted).compactMap { number in
            items[number].map { .structure([.int(number), .dictionary($0.properties)]) }
          })
      ])
    case "GetProperty":
      guard let number, let name = call.arguments.strings.first,
        let value = items[number]?.properties[name]
      else { return call.refuse("no such property") }
      call.finish([.variant(value)])
    case "Event":
      if click(call.arguments) { call.finish() } else { call.refuseAsOneOfMany() }
    case "EventGroup":
      // A person clicks one entry; the other events are those of a menu that opens and closes.
      let click = arguments.first?.children.first { PanelMenu.isClick($0) }
      if click.map({ self.click($0) }) ?? true {
        call.finish([.array(of: "i", [])])
      } else {
        call.refuseAsOneOfMany()
      }
    case "AboutToShow": call.finish([.flag(false)])
    case "AboutToShowGroup": call.finish([.array(of: "i", []), .array(of: "i", [])])
    default: call.refuse("no such method")
    }
  }

  private static func isClick(_ event: Answer) -> Bool { event.strings.first == "clicked" }

  /// Acts on an event of an entry, if it is a click; returns whether it was not refused.
  private func click(_ event: Answer) -> Bool {
    guard PanelMenu.isClick(event), let number = event.children.first?.int,
      let request = numbers[number]?.request
    else { return true }
    return onRequest(request)
  }

  private func layout(of number: Int32) -> BusValue? {
    guard let item = items[number] else { return nil }
    return .structure([
      .int(number), .dictionary(item.properties),
      .array(of: "v", item.children.compactMap { layout(of: $0).map { .variant($0) } }),
    ])
  }

  private static let interfaces = """
    <node>
      <interface name="com.canonical.dbusmenu">
        <property name="Version" type="u" access="read"/>
        <property name="TextDirection" type="s" access="read"/>
        <property name="Status" type="s" access="read"/>
        <property name="IconThemePath" type="as" access="read"/>
        <method name="GetLayout">
          <arg type="i" direction="in"/><arg type="i" direction="in"/><arg type="as" direction="in"/>
          <arg type="u" direction="out"/><arg type="(ia{sv}av)" direction="out"/>
        </method>
        <method name="GetGroupProperties">
          <arg type="ai" direction="in"/><arg type="as" direction="in"/><arg type="a(ia{sv})" direction="out"/>
        </method>
        <method name="GetProperty">
          <arg type="i" direction="in"/><arg type="s" direction="in"/><arg type="v" direction="out"/>
        </method>
        <method name="Event">
          <arg type="i" direction="in"/><arg type="s" direction="in"/><arg type="v" direction="in"/>
          <arg type="u" direction="in"/>
        </method>
        <method name="EventGroup">
          <arg type="a(isvu)" direction="in"/><arg type="ai" direction="out"/>
        </method>
        <method name="AboutToShow"><arg type="i" direction="in"/><arg type="b" direction="out"/></method>
        <method name="AboutToShowGroup">
          <arg type="ai" direction="in"/><arg type="ai" direction="out"/><arg type="ai" direction="out"/>
        </method>
        <signal name="LayoutUpdated"><arg type="u"/><arg type="i"/></signal>
        <signal name="ItemsPropertiesUpdated"><arg type="a(ia{sv})"/><arg type="a(ias)"/></signal>
      </interface>
    </node>
    """
}
