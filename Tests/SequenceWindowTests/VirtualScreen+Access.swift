import NotifierDelivery
import TestSupport

/// An object of the accessibility bus, as a screen reader sees it.
struct AccessibleObject {
  let role: String
  let name: String
  /// The roles of the objects around it, from the window inwards.
  let path: String
  /// The place in the window, in pixels.
  let area: (x: Int, y: Int, width: Int, height: Int)
}

/// What screen readers see of the window.
extension VirtualScreen {
  /// The objects of all pages of the window, those that are hidden now included.
  ///
  /// - Parameter title: the title of the window; `nil` for all windows.
  func accessibleObjects(inWindowTitled title: String? = nil) throws -> [AccessibleObject] {
    var found: [AccessibleObject] = []
    for root in try accessibleRoots(titled: title) { try collect(root, "", into: &found) }
    return found
  }

  /// Waits until an object with a name can be seen in the window with a title.
  func wait(untilVisible name: String, inWindowTitled title: String) throws {
    try wait(for: name, within: .seconds(60)) {
      try object(named: name, nil, in: accessibleRoots(titled: title)) != nil
    }
  }

  /// The applications, or their windows with a title.
  private func accessibleRoots(titled title: String?) throws -> [Reference] {
    var applications: [Reference] = []
    // GTK connects to the accessibility bus some time after the window is shown.
    try wait(for: "application on the accessibility bus") {
      applications = try children(of: ("org.a11y.atspi.Registry", "/org/a11y/atspi/accessible/root"))
      return !applications.isEmpty
    }
    guard let title else { return applications }
    return try applications.flatMap(children(of:)).filter { try name(of: $0) == title }
  }

  /// Clicks on the middle of the visible object that has a name, in the window with a number.
  ///
  /// - Parameter title: the title of the window; `nil` if the name is unique in all windows.
  func click(
    on name: String, _ role: String? = nil, inWindow window: String, titled title: String? = nil,
    times: Int = 1
  ) throws {
    func xdotool(_ words: String...) throws {
      let output = try run("/usr/bin/xdotool", words)
      guard output.status == 0 else { throw TestSupportError(output.errors) }
    }
    var middle = (x: -1, y: -1)
    // A page that scrolls to the focus moves what it shows.
    try wait(for: "rest of \(name)") {
      let area = try area(of: name, role, titled: title)
      let former = middle
      middle = (area.x + area.width / 2, area.y + area.height / 2)
      try xdotool("mousemove", "--window", window, String(middle.x), String(middle.y))
      return middle == former
    }
    try xdotool("click", "--repeat", String(times), "--delay", "50", "1")
  }

  /// The place of the visible object that has a name, in its window.
  ///
  /// - Parameter title: the title of the window; `nil` if the name is unique in all windows.
  func area(
    of name: String, _ role: String? = nil, titled title: String? = nil
  ) throws -> (x: Int, y: Int, width: Int, height: Int) {
    guard let object = try object(named: name, role, in: accessibleRoots(titled: title)) else {
      throw TestSupportError("nothing is named \(name)")
    }
    return try area(of: object)
  }

  /// Performs an action of an object, as a screen reader does, once there is the object.
  ///
  /// - Parameters:
  ///   - role: the role of the object, such as `button`; `nil` for the first one with the name.
  ///   - container: the name of an object around it.
  func act(_ action: String, on name: String, _ role: String? = nil, in container: String? = nil) throws {
    let object = try accessibleObject(name, role, container, action)
    guard let number = try number(of: action, of: object) else {
      throw TestSupportError("\(name) has no action \(action)")
    }
    _ = try ask(object, "org.a11y.atspi.Action", "DoAction", [.int(Int32(number))])
  }

  /// Replaces the text of a field, as a screen reader does, once there is the field.
  func write(_ text: String, into name: String, in container: String? = nil) throws {
    let object = try accessibleObject(name, "text box", container)
    _ = try ask(object, "org.a11y.atspi.EditableText", "SetTextContents", [.text(text)])
  }

  private func number(of action: String, of object: Reference) throws -> Int? {
    let answer = try ask(object, "org.a11y.atspi.Action", "GetActions")
    let names = answer?.children.first?.children.map(\.firstString) ?? []
    return names.firstIndex { $0.lowercased() == action }
  }

  /// Waits for a visible object, and for its action: a label in it may have the same name, and be visible first.
  private func accessibleObject(
    _ name: String, _ role: String?, _ container: String?, _ action: String? = nil
  ) throws -> Reference {
    let applications = try accessibleRoots(titled: nil)
    var found: Reference?
    try wait(for: "object named \(name)", within: .seconds(60)) {
      var roots = applications
      if let container {
        guard let around = try object(named: container, nil, in: roots) else { return false }
        roots = [around]
      }
      found = try object(named: name, role, in: roots, action)
      return found != nil
    }
    guard let found else { throw TestSupportError("nothing is named \(name)") }
    return found
  }

  /// The first visible object that has a name.
  private func object(
    named name: String, _ role: String?, in objects: [Reference], _ action: String? = nil
  ) throws -> Reference? {
    for object in objects {
      if try self.name(of: object) == name, try area(of: object).width > 0,
        try role == nil || self.role(of: object) == role,
        try action.map({ try number(of: $0, of: object) != nil }) ?? true
      {
        return object
      }
      if let found = try self.object(named: name, role, in: children(of: object), action) { return found }
    }
    return nil
  }

  private typealias Reference = (bus: String, path: String)

  private static let accessible = "org.a11y.atspi.Accessible"

  private func role(of object: Reference) throws -> String {
    try ask(object, VirtualScreen.accessible, "GetRoleName")?.firstString ?? ""
  }

  private func name(of object: Reference) throws -> String {
    let name = try ask(
      object, "org.freedesktop.DBus.Properties", "Get", [.text(VirtualScreen.accessible), .text("Name")])
    return name?.children.first?.firstString ?? ""
  }

  private func collect(
    _ object: Reference, _ path: String, into found: inout [AccessibleObject]
  ) throws {
    let role = try role(of: object)
    try found.append(AccessibleObject(role: role, name: name(of: object), path: path, area: area(of: object)))
    for child in try children(of: object) { try collect(child, path + "/" + role, into: &found) }
  }

  /// The place of an object in its window; empty without one, as for windows and the application.
  private func area(of object: Reference) throws -> (x: Int, y: Int, width: Int, height: Int) {
    let numbers =
      try ask(object, "org.a11y.atspi.Component", "GetExtents", [.number(1)])?
      .children.first?.children.compactMap(\.int).map(Int.init) ?? []
    return numbers.count == 4 ? (numbers[0], numbers[1], numbers[2], numbers[3]) : (0, 0, 0, 0)
  }

  private func children(of object: Reference) throws -> [Reference] {
    let children = try ask(object, VirtualScreen.accessible, "GetChildren")?.children.first?.children ?? []
    return children.map(\.strings).filter { $0.count == 2 }.map { ($0[0], $0[1]) }
  }

  /// Returns `nil` if an object doesn't have what is asked for: a message that has gone meanwhile has no name and no
  /// parts, a window no place, and the registry, which the window starts, is not there yet.
  private func ask(
    _ object: Reference, _ interface: String, _ method: String, _ arguments: [BusValue] = []
  ) throws -> Answer? {
    do {
      return try accessBus().call(
        object.bus, object.path, interface, method, arguments, limit: VirtualScreen.answerLimit)
    } catch DesktopFailure.noServer {
      return nil
    } catch DesktopFailure.refused(let name, _)
      where name.hasPrefix("org.freedesktop.DBus.Error.Unknown")
    {
      return nil
    }
  }
}
