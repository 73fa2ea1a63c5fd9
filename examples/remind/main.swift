import Glibc
import Notifier

// A medication reminder: a daemon, and a command that lists, adds and removes reminders while the daemon runs.
//
//     remind DIRECTORY run
//     remind DIRECTORY add PERSON DRUG HOUR:MINUTE | every SECONDS
//     remind DIRECTORY list
//     remind DIRECTORY remove PERSON [DRUG]

/// The reminder of a person for a drug.
func reminder(_ person: String, _ drug: String, _ trigger: NotificationTrigger) -> NotificationRequest {
  NotificationRequest(
    NotificationIdentifier("med", person, drug), "\(person): \(drug)",
    actions: [
      NotificationAction(key: "taken", title: "Taken"), NotificationAction(key: "snooze", title: "In 10 min"),
    ],
    style: NotificationStyle(urgency: .critical, sound: "bell"), trigger: trigger,
    latestDelivery: .seconds(2 * 3600))
}

/// The trigger of `8:30` or `every 3600`; `nil` for other words.
func trigger(_ words: [String]) -> NotificationTrigger? {
  if words.count == 2, words[0] == "every", let seconds = Int(words[1]) { return .every(.seconds(seconds)) }
  let parts = words.first?.split(separator: ":").compactMap { Int($0) } ?? []
  return words.count == 1 && parts.count == 2 ? .daily(parts[0], parts[1]) : nil
}

/// Shows the reminders of a store until the process ends, or the scheduler does by an error.
func run(_ store: NotificationStore) async throws {
  let scheduler = try NotificationScheduler(
    store, application: NotifyingApplication(name: "Remind", desktopEntry: "remind", icon: "alarm-symbolic"),
    onFailure: { report($0) })
  try await scheduler.respond(as: "journal") { response in
    if response.choice == .action(key: "snooze") { try store.snooze(response, for: .seconds(600)) }
    log("\(response.request.summary): \(response.choice)")
  }
}

/// Prints an error.
func report(_ error: any Error) {
  let line = "remind: \(error)\n"
  // It fails if the reader of the errors has ended.
  _ = unsafe write(STDERR_FILENO, line, line.utf8.count)
}

/// Prints a line at once, for the journal.
func log(_ line: String) {
  print(line)
  // It fails if the reader of the output has ended.
  _ = fflush(nil)
}

let words = Array(CommandLine.arguments.dropFirst())
guard words.count > 1 else { fatalError("remind DIRECTORY run|add|list|remove") }
do {
  let store = try NotificationStore(StateDirectory(path: words[0], database: "remind.db"))
  switch (words[1], words.count) {
  case ("run", 2):
    try await run(store)
    // The service manager starts the daemon again.
    exit(EXIT_FAILURE)
  case ("add", 5...):
    guard let trigger = trigger(Array(words[4...])) else { fatalError("write 8:30, or every 3600") }
    try store.add(reminder(words[2], words[3], trigger))
  case ("list", 2):
    for entry in try store.pending() { print("\(entry.request.summary), \(entry.request.trigger)") }
  case ("remove", 3):
    if try store.remove(NotificationScope("med", words[2])) == 0 { print("there is no such reminder") }
    print(try await store.waitUntilRemoved() ? "removed" : "the daemon removes the rest")
  case ("remove", 4):
    try store.remove(NotificationScope("med", words[2], words[3]))
  default: fatalError("remind DIRECTORY run|add|list|remove")
  }
} catch {
  report(error)
  exit(EXIT_FAILURE)
}
