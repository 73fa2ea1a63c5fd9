import CLibnotify
import TestSupport

struct Misuse: Error { let text: String }

extension Server {
  func obey(_ line: String) {
    var done = event("told")
    do {
      try carryOut(line.split(separator: " ").map(String.init))
    } catch {
      done.text = "\(line): \(error.text)"
      complain(done.text)
    }
    write(done)
  }

  func complain(_ text: String?) {
    var event = event("error")
    event.text = text
    write(event)
  }

  private func carryOut(_ words: [String]) throws(Misuse) {
    guard let command = words.first else { return }
    let argument = words.count > 1 ? words[1] : ""
    switch command {
    case "list":
      var event = event("screen")
      event.screen = screen.map(\.id)
      event.texts = screen.map(\.summary)
      write(event)
    case "dismiss": if let shown = try shown(argument) { takeAway(shown.id, reason: 2) }
    case "expire": if let shown = try shown(argument) { takeAway(shown.id, reason: 1) }
    case "invoke":
      guard words.count > 2 else { throw Misuse(text: "no key") }
      if let shown = try shown(argument) { invoke(words[2...].joined(separator: " "), of: shown) }
    case "token":
      guard words.count > 2 else { throw Misuse(text: "no token") }
      if let shown = try shown(argument) {
        let values: [OpaquePointer?] = [g_variant_new_uint32(shown.id), g_variant_new_string(words[2])]
        signal("ActivationToken", values, about: shown)
      }
    case "next-id": nextID = try number(argument)
    case "hang": try hang(argument)
    case "name": behavior.name = argument
    case "inhibited": behavior.isInhibited = argument == "on"
    case "capabilities": behavior.capabilities = argument.split(separator: ",").map(String.init)
    case "hang-after":
      guard Server.methods.contains(argument) else { throw Misuse(text: "no such method") }
      behavior.lastAnswered = argument
    case "refuse": behavior.refusal = try refusal(words)
    case "refuse-close": behavior.closeRefusal = try refusal(words)
    case "refuse-same": behavior.sameTime = try limit(argument).map { Int64($0) * 1_000_000 }
    case "keep": behavior.kept = try limit(argument)
    case "limit": behavior.limit = try limit(argument)
    case "strict-close": behavior.isStrict = try choice(argument, "on", "off")
    case "only-sender": behavior.isOnlySender = try choice(argument, "on", "off")
    case "resident": behavior.isResident = try choice(argument, "on", "off")
    case "unknown-replace": behavior.keepsUnknownID = try choice(argument, "keep", "new")
    case "signals": behavior.signalsSenderOnly = try choice(argument, "sender", "all")
    default: throw Misuse(text: "no such command")
    }
  }

  /// Holds calls, or answers the held calls in order, either permanently or once.
  private func hang(_ argument: String) throws(Misuse) {
    switch argument {
    case "on", "all": behavior.hanging = Set(Server.methods)
    case "off", "later":
      let hanging = behavior.hanging
      behavior.hanging = []
      let calls = held
      held = []
      for call in calls { take(call) }
      if argument != "off" { behavior.hanging = hanging }
    default:
      guard Server.methods.contains(argument) else { throw Misuse(text: "no such method") }
      behavior.hanging.insert(argument)
    }
  }

  /// Returns the visible notification with an id; reports an error if there is none.
  private func shown(_ argument: String) throws(Misuse) -> Shown? {
    let id = try number(argument)
    let shown = screen.first { $0.id == id }
    if shown == nil { complain("\(id) is not on screen") }
    return shown
  }

  private func number(_ argument: String) throws(Misuse) -> UInt32 {
    guard let number = UInt32(argument) else { throw Misuse(text: "no number") }
    return number
  }

  private func limit(_ argument: String) throws(Misuse) -> Int? {
    argument == "off" ? nil : Int(try number(argument))
  }

  private func choice(_ argument: String, _ first: String, _ second: String) throws(Misuse) -> Bool {
    guard argument == first || argument == second else {
      throw Misuse(text: "neither \(first) nor \(second)")
    }
    return argument == first
  }

  private func refusal(_ words: [String]) throws(Misuse) -> Refusal? {
    guard words.count > 1, words[1] != "off" else { return nil }
    guard g_dbus_is_interface_name(words[1]) != 0 else { throw Misuse(text: "no name of an error") }
    return Refusal(name: words[1], left: words.count > 2 ? max(1, Int(try number(words[2]))) : nil)
  }
}
