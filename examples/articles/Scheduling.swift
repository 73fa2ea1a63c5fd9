import FoundationEssentials
import NotifierLedger
import Notifier
import SequencePlatform
import SequenceRunner
import SequenceStore

/// Notifications of a library: due times, clocks, tags and cleanup.
struct Scheduling {
  let store: NotificationStore
  let scheduler: NotificationScheduler

  init(directory: StateDirectory) throws {
    store = try NotificationStore(directory)
    scheduler = try NotificationScheduler(
      store,
      application: NotifyingApplication(name: "Library", desktopEntry: "library", icon: "appointment-soon"),
      latestDelivery: .seconds(600),
      onFailure: { print("notifications fail: \($0)") })
  }

  func run() async throws {
    try schedule()
    try remove()
    try await cleanUp()
  }

  func schedule() throws {
    let coffee = NotificationIdentifier("break", "coffee")
    let closing = NotificationIdentifier("hours", "closing")
    let dune = NotificationIdentifier("loan", "4711", "due")
    let emma = NotificationIdentifier("loan", "4712", "due")

    let date = Date(timeIntervalSince1970: 1_800_000_000)
    try store.add(
      NotificationRequest(coffee, "The break is over", trigger: .after(.seconds(900))))

    try store.add(
      NotificationRequest(closing, "The library closes", trigger: .daily(18)))

    let triggers: [NotificationTrigger] = [
      .daily(7, 30, in: TimeZone(identifier: "Europe/Berlin")),
      .daily(8, every: 2, from: date, times: 10),  // every second day, ten times
      .weekly(on: [.monday, .thursday], 18),
      .matching(DateComponents(day: 1, hour: 9)),  // the first of each month
      .every(.seconds(45 * 60)),
    ]
    for trigger in triggers { print(trigger.next(after: date).map { "\($0): \(trigger)" } ?? "never") }

    let week = date..<date.addingTimeInterval(7 * 86_400)
    print(NotificationTrigger.daily(8).occurrences(in: week, in: TimeZone(identifier: "Asia/Tokyo")))

    let tooLate = try store.add([
      request(for: dune, title: "Dune", dueIn: .seconds(3600)),
      request(for: emma, title: "Emma", dueIn: .seconds(-60)),
    ])
    for request in tooLate { print("\(request.userInfo["title"] ?? "") was due already") }

    for entry in try store.pending(in: NotificationScope("loan")) { print(entry.request.identifier) }
  }

  func request(
    for loan: NotificationIdentifier, title: String, dueIn time: Duration
  ) -> NotificationRequest {
    NotificationRequest(
      loan, "\(title) is due", actions: [NotificationAction(key: "renew", title: "Renew")],
      style: NotificationStyle(urgency: .critical, sound: "bell"), trigger: .after(time), tag: "loans",
      userInfo: ["title": title])
  }

  func snooze(_ response: NotificationResponse) throws {
    try store.snooze(response, for: .seconds(600))
  }

  func keepADiary() throws {
    let pill = NotificationRequest(
      NotificationIdentifier("pill"), "Take the pill", trigger: .daily(8), missed: .each(atMost: 31))
    try store.add(pill)

    var diary: [Date: String] = [:]
    for occurrence in try store.occurrences(in: NotificationScope("pill"))
    where ![.pending, .cancelled].contains(occurrence.latest.state) {
      diary[occurrence.date] = occurrence.choice.map { "\($0)" } ?? "\(occurrence.latest.state)"
    }
    print(diary)
  }

  func answer() async throws {
    try await scheduler.respond(as: "diary") { response in
      print("\(response.request.summary) of \(response.occurrence): \(response.choice)")
    }
  }

  func remove() throws {
    let other = NotificationIdentifier("loan", "47110", "due")
    print(NotificationScope("loan", "4711").contains(other))

    try store.remove(NotificationScope("loan"))

    for entry in try store.entries(in: NotificationScope("loan")) {
      print("\(entry.request.identifier): \(entry.state), \(entry.reason?.description ?? "")")
    }
  }

  func cleanUp() async throws {
    try store.remove(.everything)
    if try await !store.waitUntilRemoved(within: .seconds(2)) {
      print("the server does not answer; the next process removes the rest")
    }
  }

  func follow() async throws {
    for try await entry in store.changes(in: NotificationScope("loan")) {
      print("\(entry.request.summary) \(entry.state)")
    }
  }

  func sayWhetherNotificationsShow() async throws {
    switch try store.desktop() {
    case .available(let server, let capabilities):
      print("\(server) shows notifications, \(capabilities.contains("actions") ? "with" : "without") buttons")
    case .unavailable(let reason): print("no notifications: \(reason)")
    default: print("not known yet")
    }
    if try await Desktop.session.isDoNotDisturbOn() == true { print("do-not-disturb hides notifications") }
  }
}
