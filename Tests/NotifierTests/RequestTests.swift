import Foundation
import NotifierDelivery
import NotifierLedger
import Notifier
import SequencePlatform
import SequenceStore
import TestSupport
import Testing

struct RequestTests {
  private var request: NotificationRequest {
    var style = NotificationStyle(
      urgency: .low, category: "x", sound: "/a.oga", icon: "b", image: "/c.png", progress: 0.25)
    style.expiry = .after(.seconds(3))
    (style.isTransient, style.isResident) = (true, true)
    style.hints = [
      "x-vendor": .string("s"), "b": .byte(7), "d": .double(0.5), "i": .int(-1), "t": .bool(true),
    ]
    return NotificationRequest(
      NotificationIdentifier("med", "2.5 mg"), "Pills", "Two", actions: [.click], style: style,
      trigger: .daily(8, 30, in: TimeZone(identifier: "Europe/Berlin")), tag: "med", userInfo: ["a": "u"],
      latestDelivery: .seconds(60))
  }

  @Test func `a request comes back from JSON as it was`() throws {
    let data = try JSONEncoder().encode(request)
    #expect(try JSONDecoder().decode(NotificationRequest.self, from: data) == request)
  }

  @Test func `a request comes back from the store as it was`() throws {
    let directory = try TemporaryDirectory()
    let clock = ManualClock()
    let store = try OpenStore(
      in: StateDirectory(path: directory.path), clock: clock, parts: [NotificationTables()])
    var plain = request
    (plain.identifier, plain.style, plain.tag) = (NotificationIdentifier("plain"), NotificationStyle(), nil)
    let due = clock.now().advanced(by: .seconds(5))
    try store.changeLedger { ledger throws(StoreError) in
      try ledger.add(
        [ScheduledRequest(request, due: due), ScheduledRequest(plain, due: due)], at: clock.now())
    }
    #expect(try store.ledger.entries(in: .everything).map(\.request) == [request, plain])
  }

  @Test(arguments: [
    StoreError.busy(path: "/a") as any Error, SystemError(call: "open", code: 2), SchedulerError.otherClock,
    RequestError.unusableTrigger(.daily(25), identifier: NotificationIdentifier("a")),
    SystemClock.unreadable("/a", "b"),
  ])
  func `the sentence of an error is its localized description`(error: any Error) {
    #expect(error.localizedDescription == "\(error)")
  }

  @Test func `a snooze is a changed copy`() {
    var snoozed = request
    snoozed.trigger = .after(.seconds(600))
    #expect(snoozed != request)
    #expect(snoozed.id == request.id)
  }

  @Test(arguments: [
    (["med", "Anna"], "med.Anna"), (["med", "2.5 mg"], "med.2%2E5 mg"), (["", ""], "%.%"), (["."], "%2E"),
    (["100 %", "%2E"], "100 %25.%252E"), (["a", ""], "a.%"),
  ])
  func `any text is a component`(components: [String], rawValue: String) throws {
    let identifier =
      switch components.count {
      case 1: NotificationIdentifier(components[0])
      default: NotificationIdentifier(components[0], components[1])
      }
    #expect(identifier.rawValue == rawValue)
    #expect(identifier.components == components)
    #expect(NotificationIdentifier(rawValue: rawValue) == identifier)
    #expect(NotificationScope(components[0]).contains(identifier))
    #expect(!NotificationScope("m").contains(identifier))
    #expect(NotificationScope().contains(identifier))
  }

  @Test(arguments: ["50%", "%2", "100%2E5", "%"])
  func `a component is appended to any identifier`(rawValue: String) throws {
    let identifier = try #require(NotificationIdentifier(rawValue: rawValue))
    let snoozed = identifier.appending("2.5 %")
    #expect(snoozed.rawValue == rawValue + ".2%2E5 %25")
    #expect(snoozed.components == identifier.components + ["2.5 %"])
    #expect(NotificationScope(identifier).contains(snoozed))
  }

  /// In Swift a dot or a percent sign with an accent is another character.
  @Test func `components are separated by bytes, as in the store`() throws {
    let accent = "\u{301}"
    let identifier = NotificationIdentifier("a.\(accent)b", "50%\(accent)", "\(accent)c")
    #expect(
      Array(identifier.rawValue.unicodeScalars)
        == Array("a%2E\(accent)b.50%25\(accent).\(accent)c".unicodeScalars))
    #expect(
      identifier.components.map { Array($0.utf8) }
        == ["a.\(accent)b", "50%\(accent)", "\(accent)c"].map { Array($0.utf8) })
    #expect(NotificationScope("a.\(accent)b", "50%\(accent)").contains(identifier))
    #expect(NotificationIdentifier(rawValue: "a..\(accent)") == nil)
    let directory = try TemporaryDirectory()
    let store = try NotificationStore(StateDirectory(path: directory.path), clock: ManualClock())
    _ = try store.add(NotificationRequest(identifier, "A", trigger: .after(.seconds(60))))
    #expect(try store.remove(NotificationScope("a.\(accent)b", "50%\(accent)")) == 1)
  }

  @Test func `a tag and an identifier with the same name are two places`() throws {
    let directory = try TemporaryDirectory()
    let store = try NotificationStore(StateDirectory(path: directory.path), clock: ManualClock())
    let names: [(identifier: String, tag: String?)] = [
      ("loans", nil), ("a", "loans"), ("b", "b"), ("c", ".loans"), ("d", "."), ("e", ""), ("f", "..\u{301}"),
    ]
    let requests = names.map { name in
      NotificationRequest(
        NotificationIdentifier(name.identifier), "A", trigger: .after(.seconds(60)), tag: name.tag)
    }
    #expect(Set(requests.map(\.place)).count == requests.count)
    _ = try store.add(requests)
    #expect(try store.entries().map(\.request) == requests)
  }

  @Test func `an identifier without a component is none`() {
    #expect(NotificationIdentifier(rawValue: "") == nil)
    #expect(NotificationIdentifier(rawValue: "a..b") == nil)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([NotificationIdentifier].self, from: Data("[\"\"]".utf8))
    }
  }
}
