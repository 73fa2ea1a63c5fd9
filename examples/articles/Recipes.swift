import Notifier

/// Short answers to common tasks.
struct Recipes {
  let store: NotificationStore

  func remindDaily() throws {
    try store.add(
      NotificationRequest(
        NotificationIdentifier("water"), "Water the plants", trigger: .daily(8, 30)))
  }

  func confirm(_ entry: LedgerEntry) throws {
    try store.respond(to: entry, with: .action(key: "taken"))
  }

  func copied(_ done: Int, of count: Int) throws {
    let progress = Double(done) / Double(count)
    let text = done == count ? "Copied \(count) files" : "Copying \(count) files"
    try store.add(
      NotificationRequest(
        NotificationIdentifier("copy"), text, style: NotificationStyle(progress: progress)))
  }

  func cancelMeeting(_ id: String) throws {
    // The reminders of a meeting are `meeting.ID.hour`, `meeting.ID.minute` and so on.
    try store.remove(NotificationScope("meeting", id))
  }

  func explain(_ identifier: NotificationIdentifier) throws {
    for entry in try store.entries(in: NotificationScope(identifier)) {
      print("\(entry.request.summary): \(entry.state), \(entry.reason?.description ?? "no reason")")
    }
  }
}
