import Foundation
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
  /// It asks with gdbus, one call for each object.
  ///
  /// - Parameter title: the title of the window; `nil` for all windows.
  func accessibleObjects(inWindowTitled title: String? = nil) throws -> [AccessibleObject] {
    let (roots, address) = try accessibleRoots(titled: title)
    var found: [AccessibleObject] = []
    for root in roots { try collect(root, "", address, into: &found) }
    return found
  }

  /// Waits until an object with a name can be seen in the window with a title.
  func wait(untilVisible name: String, inWindowTitled title: String) throws {
    try wait(for: name, within: .seconds(60)) {
      let (roots, address) = try accessibleRoots(titled: title)
      return try object(named: name, nil, in: roots, address) != nil
    }
  }

  /// The applications, or their windows with a title.
  private func accessibleRoots(titled title: String?) throws -> ([Reference], address: String) {
    let (applications, address) = try accessibleApplications()
    guard let title else { return (applications, address) }
    let windows = try applications.flatMap { try children(of: $0, address) }
    return (try windows.filter { try name(of: $0, address) == title }, address)
  }

  /// The applications on the accessibility bus, and the address of that bus.
  private func accessibleApplications() throws -> ([Reference], address: String) {
    let answer = try run(
      "/usr/bin/gdbus", "call", "--session", "--dest", "org.a11y.Bus", "--object-path", "/org/a11y/bus",
      "--method", "org.a11y.Bus.GetAddress")
    guard let address = answer.text.split(separator: "'").dropFirst().first.map(String.init) else {
      throw TestSupportError("no accessibility bus: \(answer.errors)")
    }
    var applications: [Reference] = []
    // GTK connects to the accessibility bus some time after the window is shown.
    try wait(for: "application on the accessibility bus") {
      applications = try children(
        of: ("org.a11y.atspi.Registry", "/org/a11y/atspi/accessible/root"), address)
      return !applications.isEmpty
    }
    return (applications, address)
  }

  /// Clicks on the middle of the visible object that has a name, in the window with a number.
  ///
  /// - Parameter title: the title of the window; `nil` if the name is unique in all windows.
  func click(
    on name: String, _ role: String? = nil, inWindow window: String, titled title: String? = nil,
    times: Int = 1
  ) throws {
    let area = try area(of: name, role, titled: title)
    for words in [
      [
        "mousemove", "--window", window, String(area.x + area.width / 2), String(area.y + area.height / 2),
      ], ["click", "--repeat", String(times), "--delay", "50", "1"],
    ] {
      let output = try ChildProcess.run("/usr/bin/xdotool", words, environment: environment)
      guard output.status == 0 else { throw TestSupportError(output.errors) }
    }
  }

  /// The place of the visible object that has a name, in its window.
  ///
  /// - Parameter title: the title of the window; `nil` if the name is unique in all windows.
  func area(
    of name: String, _ role: String? = nil, titled title: String? = nil
  ) throws -> (x: Int, y: Int, width: Int, height: Int) {
    let (roots, address) = try accessibleRoots(titled: title)
    guard let object = try object(named: name, role, in: roots, address) else {
      throw TestSupportError("nothing is named \(name)")
    }
    return try area(of: object, address)
  }

  /// Performs an action of an object, as a screen reader does, once there is the object.
  ///
  /// - Parameters:
  ///   - role: the role of the object, such as `button`; `nil` for the first one with the name.
  ///   - container: the name of an object around it.
  func act(_ action: String, on name: String, _ role: String? = nil, in container: String? = nil) throws {
    let (object, address) = try accessibleObject(name, role, container)
    // As in ([('row.up', '', ''), ('row.down', '', '')],)
    let answer = try ask(object, "org.a11y.atspi.Action.GetActions", [], address)
    let names = answer.split(separator: "(").compactMap { $0.split(separator: "'").first.map(String.init) }
      .filter { !$0.hasPrefix("[") }
    guard let index = names.firstIndex(where: { $0.lowercased() == action }) else {
      throw TestSupportError("\(name) has no action \(action): \(answer)")
    }
    _ = try ask(object, "org.a11y.atspi.Action.DoAction", [String(index)], address)
  }

  /// Replaces the text of a field, as a screen reader does, once there is the field.
  func write(_ text: String, into name: String, in container: String? = nil) throws {
    let (object, address) = try accessibleObject(name, "text box", container)
    _ = try ask(object, "org.a11y.atspi.EditableText.SetTextContents", [text], address)
  }

  /// Waits for a visible object.
  private func accessibleObject(
    _ name: String, _ role: String?, _ container: String?
  ) throws -> (Reference, address: String) {
    let (applications, address) = try accessibleApplications()
    var found: Reference?
    try wait(for: "object named \(name)", within: .seconds(60)) {
      var roots = applications
      if let container {
        guard let around = try object(named: container, nil, in: roots, address) else { return false }
        roots = [around]
      }
      found = try object(named: name, role, in: roots, address)
      return found != nil
    }
    guard let found else { throw TestSupportError("nothing is named \(name)") }
    return (found, address)
  }

  /// The first visible object that has a name; each question starts a program, so it asks for no more than that.
  private func object(
    named name: String, _ role: String?, in objects: [Reference], _ address: String
  ) throws -> Reference? {
    for object in objects {
      if try self.name(of: object, address) == name, try area(of: object, address).width > 0,
        try role == nil || self.role(of: object, address) == role
      {
        return object
      }
      let children = try self.children(of: object, address)
      if let found = try self.object(named: name, role, in: children, address) { return found }
    }
    return nil
  }

  private func role(of object: Reference, _ address: String) throws -> String {
    try text(ask(object, "org.a11y.atspi.Accessible.GetRoleName", [], address))
  }

  private typealias Reference = (bus: String, path: String)

  private func name(of object: Reference, _ address: String) throws -> String {
    try text(
      ask(object, "org.freedesktop.DBus.Properties.Get", ["org.a11y.atspi.Accessible", "Name"], address))
  }

  private func collect(
    _ object: Reference, _ path: String, _ address: String, into found: inout [AccessibleObject]
  ) throws {
    let role = try self.role(of: object, address)
    let name = try name(of: object, address)
    found.append(
      AccessibleObject(role: role, name: name, path: path, area: try area(of: object, address)))
    for child in try children(of: object, address) {
      try collect(child, path + "/" + role, address, into: &found)
    }
  }

  /// The place of an object in its window; empty without one.
  private func area(
    of object: Reference, _ address: String
  ) throws -> (x: Int, y: Int, width: Int, height: Int) {
    let answer = try ChildProcess.run(
      "/usr/bin/gdbus",
      [
        "call", "--address", address, "--dest", object.bus, "--object-path", object.path, "--method",
        "org.a11y.atspi.Component.GetExtents", "1",
      ], environment: environment)
    // As in ((12, 34, 56, 78),); windows and the application have no place.
    let numbers = answer.text.split { !$0.isNumber && $0 != "-" }.compactMap { Int($0) }
    guard answer.status == 0, numbers.count == 4 else { return (0, 0, 0, 0) }
    return (numbers[0], numbers[1], numbers[2], numbers[3])
  }

  private func children(of object: Reference, _ address: String) throws -> [Reference] {
    let answer = try ask(object, "org.a11y.atspi.Accessible.GetChildren", [], address)
    // As in ([(':1.2', objectpath '/org/…'), (':1.2', '/org/…')],)
    let strings = answer.split(separator: "'", omittingEmptySubsequences: false).enumerated()
      .filter { $0.offset % 2 == 1 }.map { String($0.element) }
    return stride(from: 0, to: strings.count - 1, by: 2).map { (strings[$0], strings[$0 + 1]) }
  }

  private func ask(
    _ object: Reference, _ method: String, _ arguments: [String], _ address: String
  ) throws -> String {
    let answer = try ChildProcess.run(
      "/usr/bin/gdbus",
      ["call", "--address", address, "--dest", object.bus, "--object-path", object.path, "--method", method]
        + arguments, environment: environment)
    // A message that has gone meanwhile has no name and no parts.
    if answer.errors.contains("UnknownMethod: Object does not exist") { return "" }
    guard answer.status == 0 else { throw TestSupportError("\(object) \(method): \(answer.errors)") }
    return answer.text
  }

  /// The text of an answer such as `('push button',)` or `(<'Back'>,)`.
  private func text(_ answer: String) -> String {
    guard let first = answer.firstIndex(where: { "'\"".contains($0) }),
      let last = answer.lastIndex(of: answer[first]), first < last
    else { return "" }
    return String(answer[answer.index(after: first)..<last])
  }
}
