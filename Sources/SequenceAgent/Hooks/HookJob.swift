package import FoundationEssentials
import NotifierLedger
package import SequenceConfiguration

/// A single execution of a hook for an event.
package struct HookJob: Equatable, Sendable {
  package let hook: Hook
  /// The run of the event.
  package let run: UUID
  package let words: HookWords
  /// One more argument, which is handed over as it is; `nil` for none.
  package let text: String?
  /// How long it may take, at most.
  package let limit: Duration
  /// How long it takes as a rule; `nil` if that is unknown.
  package let usualTime: Duration?

  /// - Parameters:
  ///   - limit: how long it may take, at most; `nil` for the limit of the hook.
  ///   - usualTime: how long it takes as a rule: if it takes longer, a later job may take its place.
  package init(
    hook: Hook, run: UUID, words: HookWords, text: String? = nil, limit: Duration? = nil,
    usualTime: Duration? = nil
  ) {
    self.hook = hook
    self.run = run
    self.words = words
    self.text = text
    self.limit = limit ?? hook.timeout
    self.usualTime = usualTime
  }

  var arguments: [String] { hook.arguments.map { words.filled($0) } + (text.map { [$0] } ?? []) }
}
