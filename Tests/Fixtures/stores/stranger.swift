import FoundationEssentials
import NotifierLedger
import Notifier
import SequencePlatform
import SequenceRunner
import SequenceStore

// A program without sequences, like one that embeds the library. It shows one notification at once and
// schedules others, one by the wall clock and one with its own kind.
//
//     stranger DIRECTORY

guard let path = CommandLine.arguments.dropFirst().first else { fatalError("name a directory") }
let scheduler = try NotificationScheduler(
  directory: StateDirectory(path: path),
  application: NotifyingApplication(name: "Kettle", desktopEntry: "kettle", icon: "appointment-soon"),
  latestDelivery: .seconds(600),
  willPresent: { $0.context == "quiet" ? .suppress(reason: "quiet, please") : .show },
  onFailure: { print("notifications fail: \($0)") })

func identifier(_ text: String) throws -> NotificationIdentifier {
  guard let identifier = NotificationIdentifier(rawValue: text) else { fatalError(text) }
  return identifier
}

let buttons = [
  NotificationAction(key: "again", title: "Tell me again"), NotificationAction(key: "done", title: "Drunk"),
]
let now = scheduler.now()
try scheduler.add([
  NotificationRequest(
    identifier: identifier("tea.green"), summary: "Tea is ready", body: "<green> & hot", actions: buttons,
    context: "green", due: now.advanced(by: .milliseconds(300))),
  NotificationRequest(
    identifier: identifier("tea.white"), summary: "White tea is ready", context: "quiet",
    due: now.advanced(by: .milliseconds(300))),
  NotificationRequest(
    identifier: identifier("tea.black"), summary: "Black tea is ready", actions: buttons, context: "black",
    due: now.advanced(by: .seconds(36_000))),
  NotificationRequest(
    identifier: identifier("tea.cold"), summary: "Cold tea is ready", due: now.advanced(by: .seconds(36_000))),
  NotificationRequest(
    identifier: identifier("hours.closing"), slot: "hours", summary: "The library closes",
    due: now.at(Moment(Date(timeIntervalSinceReferenceDate: 1_000_000_000))), followsWallClock: true),
  NotificationRequest(
    identifier: identifier("loan.4711.due"), slot: "loans", kind: NotificationKind(rawValue: "overdue"),
    summary: "Dune is due", context: "Dune", due: now.advanced(by: .seconds(72_000))),
])
try scheduler.remove(NotificationScope(identifier("tea.cold")))
print("ready")
for await response in scheduler.responses { print("\(response.request.identifier): \(response.choice)") }
