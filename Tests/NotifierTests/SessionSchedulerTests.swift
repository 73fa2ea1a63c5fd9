import Foundation
import Glibc
@testable import NotifierDelivery
import NotifierLedger
import Notifier
import SequencePlatform
import SequenceStore
import Synchronization
import TestSupport
import Testing

/// The scheduler on the desktop of the session, with a notification server on a bus of its own.
///
/// All of a process are on one bus, so the tests are serialized.
@Suite(.timeLimit(.minutes(1)), .serialized)
struct SessionSchedulerTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func scheduler(
    in path: String? = nil, _ application: NotifyingApplication = .test
  ) throws -> NotificationScheduler {
    try NotificationScheduler(
      NotificationStore(StateDirectory(path: path ?? directory.path)), application: application,
      onFailure: { Issue.record($0) })
  }

  /// Starts a server on its own bus, which becomes the session bus of this process.
  private func server() throws -> (bus: PrivateBus, server: RecordingServer) {
    let bus = try PrivateBus()
    // setenv fails only for invalid names or without memory.
    setenv("DBUS_SESSION_BUS_ADDRESS", bus.address, 1)
    return (bus, try RecordingServer(on: bus))
  }

  /// Waits until the scheduler has recorded the reply of the server.
  private func waitUntilDelivered(by scheduler: NotificationScheduler) throws {
    let store = try OpenStore(
      in: StateDirectory(path: directory.path), clock: try SystemClock(), parts: [NotificationTables()]
    )
    let waiter = try StoreWaiter(store)
    let limit = SystemClock.sinceBoot() + .seconds(10)
    while try scheduler.store.delivered().isEmpty, SystemClock.sinceBoot() < limit {
      try waiter.wait(until: limit)
    }
  }

  private func question(_ name: String) throws -> NotificationRequest {
    NotificationRequest(
      try #require(NotificationIdentifier(rawValue: name)), name,
      actions: [NotificationAction(key: "yes", title: "Yes")], style: NotificationStyle(sound: "bell"))
  }

  @Test func `schedulers of one process have names, stores and responses of their own`() async throws {
    let (bus, server) = try server()
    let directories = [try TemporaryDirectory(), try TemporaryDirectory()]
    let first = try scheduler(in: directories[0].path)
    _ = try first.store.add(question("a"))
    let a = try server.next("notify")
    #expect(a.app == "Test")
    // One that comes later knows the bus, and the numbers of its entries begin anew.
    let second = try scheduler(
      in: directories[1].path, NotifyingApplication(name: "Other", desktopEntry: "other", icon: "go-next"))
    _ = try second.store.add(question("b"))
    let b = try server.next("notify")
    #expect(b.app == "Other")
    #expect(b.icon == "go-next")
    #expect(b.hints?["desktop-entry"] == "'other'")
    var responses = (first.responses().makeAsyncIterator(), second.responses().makeAsyncIterator())
    try server.tell("invoke \(b.id ?? 0) yes")
    #expect(await responses.1.next()?.request.identifier.rawValue == "b")
    try server.tell("invoke \(a.id ?? 0) yes")
    #expect(await responses.0.next()?.request.identifier.rawValue == "a")
    #expect(try first.store.responses().map(\.request.identifier.rawValue) == ["a"])

    // Each ends for itself.
    _ = try (first.store.add(question("c")), second.store.add(question("d")))
    let names = Set([try server.next("notify").summary, try server.next("notify").summary])
    #expect(names == ["c", "d"])
    await first.shutdown()
    #expect(await responses.0.next() == nil)
    _ = try second.store.add(question("e"))
    let e = try server.next("notify")
    #expect(e.summary == "e")
    try server.tell("invoke \(e.id ?? 0) yes")
    #expect(await responses.1.next()?.request.identifier.rawValue == "e")
    await second.shutdown()
    // The next one begins with libnotify anew.
    try await scheduler(in: directories[0].path).deliver { scheduler throws in
      #expect(try server.next("notify").summary == "c")
    }
    withExtendedLifetime(bus) {}
  }

  @Test func `a notification has the look and the sound of its request`() async throws {
    let (bus, server) = try server()
    try await scheduler().deliver { scheduler throws in
      var style = NotificationStyle(
        urgency: .low, category: "x-test", sound: "/a.oga", icon: "b", image: "/c.png", progress: 0.256)
      style.expiry = .after(.milliseconds(2500))
      (style.isTransient, style.isResident) = (true, true)
      style.hints = ["x-own": .byte(7), "category": .string("y-test"), "x-half": .double(0.5)]
      _ = try scheduler.store.add(NotificationRequest(NotificationIdentifier("a"), "a", style: style))
      let shown = try server.next("notify")
      #expect(shown.icon == "b")
      #expect(shown.timeout == 2500)
      var hints = try #require(shown.hints)
      hints["sender-pid"] = nil
      #expect(
        hints == [
          "urgency": "0x00", "category": "'y-test'", "sound-file": "'/a.oga'", "image-path": "'/c.png'",
          "value": "26", "transient": "true", "resident": "true", "x-own": "0x07", "x-half": "0.5",
          "desktop-entry": "'test'",
        ])
    }
    withExtendedLifetime(bus) {}
  }

  @Test func `a response has the token that the server gave for it`() async throws {
    let (bus, server) = try server()
    try await scheduler().deliver { scheduler async throws in
      var responses = scheduler.responses().makeAsyncIterator()
      _ = try scheduler.store.add([question("tea"), question("bread")])
      let ids = [try server.next("notify").id ?? 0, try server.next("notify").id ?? 0]
      try server.tell("token \(ids[0]) abc")
      try server.tell("invoke \(ids[0]) yes")
      #expect(await responses.next()?.activationToken == "abc")
      try server.tell("token \(ids[0] + 7) abc")
      try server.tell("invoke \(ids[1]) yes")
      #expect(await responses.next()?.activationToken == nil)
      let state = try scheduler.store.desktop()
      #expect(state == .available(server: "recording-server 1", capabilities: ["actions", "body"]))
    }
    withExtendedLifetime(bus) {}
  }

  @Test func `a click on a notification reaches the program`() async throws {
    let (bus, server) = try server()
    try await scheduler().deliver { scheduler async throws in
      var responses = scheduler.responses().makeAsyncIterator()
      _ = try scheduler.store.add(
        NotificationRequest(NotificationIdentifier("tea"), "Tea", actions: [.click]))
      let shown = try server.next("notify")
      #expect(shown.actions == ["default", "Open"])
      try server.tell("invoke \(shown.id ?? 0) default")
      #expect(await responses.next()?.choice == .action(key: NotificationAction.click.key))
    }
    withExtendedLifetime(bus) {}
  }

  @Test func `a resident notification stays when its button is pressed`() async throws {
    let (bus, server) = try server()
    try server.tell("resident on")
    try await scheduler().deliver { scheduler async throws in
      var request = try question("tea")
      request.style.isResident = true
      var responses = scheduler.responses().makeAsyncIterator()
      _ = try scheduler.store.add(request)
      let id = try server.next("notify").id ?? 0
      for _ in 0..<2 {
        try server.tell("invoke \(id) yes")
        #expect(await responses.next()?.choice == .action(key: "yes"))
      }
      #expect(try server.screen().ids == [id])
      #expect(try scheduler.store.entries().map(\.response) == [.action(key: "yes")])
    }
    withExtendedLifetime(bus) {}
  }

  @Test func `a scheduler silently repeats notifications that its predecessor showed`() async throws {
    let (bus, server) = try server()
    try await scheduler().deliver { scheduler throws in
      _ = try scheduler.store.add(question("tea"))
      let shown = try server.next("notify")
      #expect(shown.hints?["sound-name"] == "'bell'")
      #expect(shown.hints?["suppress-sound"] == nil)
      try waitUntilDelivered(by: scheduler)
    }
    try await scheduler().deliver { _ throws in
      let again = try server.next("notify")
      #expect(again.summary == "tea")
      #expect(again.hints?["suppress-sound"] == "true")
      #expect(again.hints?["sound-name"] == nil)
    }
    withExtendedLifetime(bus) {}
  }

  @Test func `the end of the bus is reported even if an order notices it first`() throws {
    let (bus, server) = try server()
    let clients = DesktopClients()
    let (events, ended) = (try MessageQueue<DesktopEvent>(), try MessageQueue<Void>())
    _ = clients.add(
      DesktopClients.Client(
        application: .test, tagSuffix: "", events: events, showTime: try ShowTime(of: SystemClock())))
    let worker = try BusWorker<pid_t>()
    try worker.start { context in
      let desktop = LibnotifyDesktop(clients, in: context, mayUseLoginBus: false)
      return { process in
        desktop.carryOut(.probe)
        // The context isn't served within an order, so the signal stays pending.
        kill(process, SIGKILL)
        for _ in 0..<2 { desktop.carryOut(.probe) }
      }
    } onEnd: {
      ended.put(())
    }
    worker.send(bus.process)
    worker.end()
    _ = try waitUntilReadable([ended.descriptor])
    #expect(try events.takeAll().count { $0 == .busClosed } == 1)
    withExtendedLifetime(server) {}
  }

  @Test func `notifications are not sent to the portal of a sandbox`() async throws {
    unsetenv("NOTIFY_IGNORE_PORTAL")
    try await scheduler().deliver { _ throws in
      #expect(getenv("NOTIFY_IGNORE_PORTAL").map { String(cString: $0) } == "1")
    }
  }
}
