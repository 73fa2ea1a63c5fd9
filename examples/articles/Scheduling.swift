import FoundationEssentials
import NotificationLedger
import Notifier
import Platform
import SequenceRunner
import Store

/// Notifications of a library: due times, clocks, tags and cleanup.
struct Scheduling {
  let scheduler: NotificationScheduler

  init(directory: StateDirectory) throws {
    scheduler = try NotificationScheduler(
      directory: directory,
      application: NotifyingApplication(name: "Library", desktopEntry: "library", icon: "appointment-soon"),
      latestDelivery: .seconds(600),
      styles: [.overdue: NotificationStyle(urgency: .critical, sound: "bell")],
      onFailure: { print("notifications fail: \($0)") })
  }

  func run() throws {
    try schedule()
    try remove()
    try cleanUp()
  }

  func schedule() throws {
    guard let coffee = NotificationIdentifier(rawValue: "break.coffee"),
      let closing = NotificationIdentifier(rawValue: "hours.closing"),
      let dune = NotificationIdentifier(rawValue: "loan.4711.due"),
      let emma = NotificationIdentifier(rawValue: "loan.4712.due"),
      let loans = NotificationIdentifier(rawValue: "loan")
    else { return }

    let date = Date(timeIntervalSince1970: 1_800_000_000)
    try scheduler.add(
      NotificationRequest(
        identifier: coffee, summary: "The break is over", trigger: .after(.seconds(900))))

    try scheduler.add(
      NotificationRequest(identifier: closing, summary: "The library closes", trigger: .daily(18)))

    let triggers: [NotificationTrigger] = [
      .daily(7, 30, in: TimeZone(identifier: "Europe/Berlin")),
      .matching(DateComponents(hour: 8, weekday: 2)),  // each Monday
      .matching(DateComponents(day: 1, hour: 9)),  // the first of each month
      .every(.seconds(45 * 60)),
    ]
    for trigger in triggers { print(trigger.next(after: date).map { "\($0): \(trigger)" } ?? "never") }

    let tooLate = try scheduler.add([
      request(for: dune, title: "Dune", dueIn: .seconds(3600)),
      request(for: emma, title: "Emma", dueIn: .seconds(-60)),
    ])
    for request in tooLate { print("\(request.userInfo ?? "") was due already") }

    for request in try scheduler.pending(in: NotificationScope(loans)) { print(request.identifier) }
  }

  func request(
    for loan: NotificationIdentifier, title: String, dueIn time: Duration
  ) -> NotificationRequest {
    NotificationRequest(
      identifier: loan, tag: "loans", kind: .overdue, summary: "\(title) is due",
      actions: [NotificationAction(key: "renew", title: "Renew")], userInfo: title,
      trigger: .after(time))
  }

  func remove() throws {
    guard let book = NotificationIdentifier(rawValue: "loan.4711"),
      let loans = NotificationIdentifier(rawValue: "loan"),
      let other = NotificationIdentifier(rawValue: "loan.47110.due")
    else { return }
    print(NotificationScope(book).contains(other))

    try scheduler.remove(NotificationScope(loans))

    for entry in try scheduler.entries(in: NotificationScope(loans)) {
      print("\(entry.request.identifier): \(entry.state), \(entry.reason?.description ?? "")")
    }
  }

  func cleanUp() throws {
    try scheduler.remove(.everything)
    if try !scheduler.waitUntilRemoved(within: .seconds(2)) {
      print("the server does not answer; the next process removes the rest")
    }
  }

  func sayWhetherNotificationsShow() throws {
    switch try scheduler.desktop() {
    case .unknown: print("not known yet")
    case .available(let server): print("\(server) shows notifications")
    case .unavailable(let reason): print("no notifications: \(reason)")
    }
  }
}

extension NotificationKind {
  /// A loan has to come back.
  static let overdue = NotificationKind(rawValue: "overdue")
}
