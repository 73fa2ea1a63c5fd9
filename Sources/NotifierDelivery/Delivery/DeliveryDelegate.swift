package import NotifierLedger
package import SequencePlatform
package import SequenceStore
import Synchronization

/// Other work in the delivery loop, which must never wait.
package protocol DeliveryDelegate {
  var descriptors: [Int32] { get }
  /// When to look again, on the boot clock, if nothing happens before; `nil` for never.
  var nextWake: Duration? { get }

  /// Updates the program's own data, before notifications are decided on.
  func beginTurn() throws -> Turn
}

extension DeliveryDelegate {
  package var descriptors: [Int32] { [] }
  package var nextWake: Duration? { nil }
}

/// A turn of the delivery loop: one reading for all of its decisions, and the data that the program has read at it.
package struct Turn {
  package let reading: ClockReading
  let presenter: any NotificationPresenter
  /// Whether the program waits for nothing but its notifications.
  let hasNothingToWaitFor: () throws -> Bool
  /// Does the rest of the program's work with that data; receives the descriptors that were readable when the last wait
  /// ended.
  let finish: (_ ready: [Int32]) throws -> Void

  package init(
    reading: ClockReading, presenter: any NotificationPresenter,
    hasNothingToWaitFor: @escaping () throws -> Bool = { true },
    finish: @escaping (_ ready: [Int32]) throws -> Void = { _ in }
  ) {
    self.reading = reading
    self.presenter = presenter
    self.hasNothingToWaitFor = hasNothingToWaitFor
    self.finish = finish
  }
}

package protocol NotificationPresenter {
  /// - Parameter lateness: how long ago it was due; zero before its time, and if it is shown again.
  func presentation(of entry: LedgerEntry, lateness: Duration) throws -> Presentation

  /// Whether a notification still applies, so that another server should show it again.
  func isStillNews(_ entry: LedgerEntry) -> Bool

  /// Whether a notification that is later than its limit is shown all the same, because it is still true.
  func isShownLate(_ entry: LedgerEntry) -> Bool

  /// Whether a notification is counted for the text of a newer one that is shown in its place.
  func isCounted(_ entry: LedgerEntry) -> Bool

  /// Returns the text of a notification that is late, stands for others, or is shown again.
  ///
  /// - Parameters:
  ///   - earlier: how many earlier ones that are counted it stands for.
  ///   - isLate: whether it is later than its limit.
  func lateText(
    for entry: LedgerEntry, text: (summary: String, body: String), after earlier: Int, isLate: Bool,
    at reading: ClockReading
  ) -> (summary: String, body: String)

  func style(of kind: String) -> NotificationStyle
}

extension NotificationPresenter {
  package func isShownLate(_ entry: LedgerEntry) -> Bool { false }
  package func isCounted(_ entry: LedgerEntry) -> Bool { false }
  package func lateText(
    for entry: LedgerEntry, text: (summary: String, body: String), after earlier: Int, isLate: Bool,
    at reading: ClockReading
  ) -> (summary: String, body: String) { text }
  package func style(of kind: String) -> NotificationStyle { NotificationStyle() }

  package func style(of request: NotificationRequest) -> NotificationStyle {
    guard let kind = request.kind else { return request.style }
    var style = style(of: kind)
    style.image = request.style.image ?? style.image
    return style
  }
}

package protocol NotificationResponder {
  /// Performs the action of a button if it is still possible.
  ///
  /// - Parameters:
  ///   - ledger: the ledger in the transaction that records the response, so that the action is performed once.
  ///   - reading: the reading in that transaction.
  /// - Returns: the reason to keep in the ledger.
  func respond(
    to action: NotificationAction, of entry: LedgerEntry, in ledger: Ledger, at reading: ClockReading
  ) throws(StoreError) -> NotificationReason

  /// Records that the user closed a notification without pressing a button; not that it expired or was removed.
  func wasDismissed(_ entry: LedgerEntry, in ledger: Ledger, at reading: ClockReading) throws(StoreError)

  /// Whether the user's responses are recorded.
  var readsResponses: Bool { get }
}

package protocol NotificationPlanner {
  /// When to plan more notifications, on the boot clock; `nil` if all of them have entries.
  func nextPlanning(at reading: ClockReading) throws(StoreError) -> Duration?

  /// Whether some notifications have no entry yet; within a transaction or outside of one.
  func hasMore() throws(StoreError) -> Bool

  /// Adds notifications to the ledger if few of the planned ones are left.
  func planMore(in ledger: Ledger, at reading: ClockReading) throws(StoreError)
}

package protocol PatternCalendar: Sendable {
  func moment(matching pattern: CalendarPattern, after moment: Moment) -> Moment?

  /// Returns the local time minus UTC at a moment, in seconds, in the time zone of a pattern; `nil` if that is unknown.
  func offset(of pattern: CalendarPattern, at moment: Moment) -> Int?

  /// Returns the moment with the same local time in the time zone of a pattern, as a moment had with another offset.
  ///
  /// - Parameter offset: the local time minus UTC, in seconds.
  func moment(withLocalTimeOf moment: Moment, offset: Int, in pattern: CalendarPattern) -> Moment?

  /// Returns why no moments of a pattern can be found; `nil` if they can, or all have passed.
  func obstacle(to pattern: CalendarPattern) -> NotificationReason?
}

package enum Presentation {
  /// Its own request, or one with another text or style and the same action keys.
  case show(NotificationRequest)
  case suppress(NotificationReason)
}

/// Whether a notification whose time has come is shown.
public enum NotificationPresentation: Hashable, Sendable {
  /// It is shown.
  case show
  /// It is shown with the summary, the body, the style and the titles of the buttons of another request.
  ///
  /// Buttons with keys that its own request doesn't have are left out.
  case change(NotificationRequest)
  /// It is not, for a reason that the ledger keeps.
  case suppress(reason: String)
}

final class DeliveryEnd: Sendable {
  private struct State {
    var isOver = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())

  /// Resumes all waiting callers: the threads have released everything.
  func complete() {
    let waiting = state.withLock { state in
      state.isOver = true
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }

  func wait() async {
    await withCheckedContinuation { continuation in
      let isOver = state.withLock { state in
        if !state.isOver { state.waiting.append(continuation) }
        return state.isOver
      }
      if isOver { continuation.resume() }
    }
  }
}
