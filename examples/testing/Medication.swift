import Notifier

/// Reminders to take a medicine, whose desktop and clock are chosen by the caller.
struct Medication: Sendable {
  static let application = NotifyingApplication(
    name: "Medication", desktopEntry: "medication", icon: "appointment-soon")

  let store: NotificationStore

  func remind(of medicine: String, _ trigger: NotificationTrigger) throws {
    try store.add(
      NotificationRequest(
        NotificationIdentifier("med", medicine), medicine,
        actions: [
          NotificationAction(key: "taken", title: "Taken"),
          NotificationAction(key: "snooze", title: "In 10 minutes"),
        ],
        trigger: trigger))
  }

  func answer(_ responses: AsyncStream<NotificationResponse>) async throws {
    for await response in responses { try answer(response) }
  }

  func answer(_ response: NotificationResponse) throws {
    guard case .action(key: "snooze") = response.choice else { return }
    try store.snooze(response, for: .seconds(600))
  }
}
