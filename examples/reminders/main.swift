import Notifier

// Schedules notifications without a sequence: tea that is ready in a moment, with two buttons. Scheduled notifications
// outlive the program. If it exits while one is pending, a notification that became due in between is shown when it
// runs again.
//
//     reminders DIRECTORY

guard let path = CommandLine.arguments.dropFirst().first else { fatalError("name a directory") }
let green = NotificationIdentifier("tea", "green")
let black = NotificationIdentifier("tea", "black")
let tea = NotificationScope("tea")

let store = try NotificationStore(StateDirectory(path: path, database: "kettle.db"))
let scheduler = try NotificationScheduler(
  store,
  application: NotifyingApplication(name: "Kettle", desktopEntry: "kettle", icon: "appointment-soon"),
  latestDelivery: .seconds(600),
  willPresent: { entry, _ in
    entry.request.userInfo["volume"] == "quiet" ? .suppress(reason: "the user asked for quiet") : .show
  },
  onFailure: { print("notifications fail: \($0)") })

func remind(of identifier: NotificationIdentifier, after duration: Duration, volume: String? = nil) throws {
  let isScheduled = try store.add(
    NotificationRequest(
      identifier, "Tea is ready", "<green> & hot",
      actions: [
        NotificationAction(key: "again", title: "Tell me again"),
        NotificationAction(key: "done", title: "Drunk"),
      ],
      style: NotificationStyle(category: "x-kettle.ready", sound: "bell"), trigger: .after(duration),
      userInfo: volume.map { ["volume": $0] } ?? [:]))
  if !isScheduled { print("\(identifier) is past due") }
}

// Removes everything that an earlier process scheduled or left on screen: `tea` and all below it.
try store.remove(tea)
try remind(of: green, after: .milliseconds(300))
try remind(of: black, after: .seconds(3600), volume: "quiet")
try remind(of: black, after: .seconds(-60))
print("pending: \(try store.pending().map(\.request.identifier.rawValue).joined(separator: ", "))")

responses: for await response in scheduler.responses() {
  print("\(response.request.identifier): \(response.choice)")
  switch response.choice {
  case .action(key: "again"): try remind(of: green, after: .milliseconds(300))
  default: break responses
  }
}

try store.remove(tea)
if try await !store.waitUntilRemoved() { print("the next process removes the rest") }
for entry in try store.entries() where entry.deliveredAt == nil {
  print("\(entry.request.identifier) \(entry.state): \(entry.reason?.description ?? "")")
}
