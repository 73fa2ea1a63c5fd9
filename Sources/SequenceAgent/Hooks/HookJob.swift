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

  package init(hook: Hook, run: UUID, words: HookWords, text: String? = nil) {
    self.hook = hook
    self.run = run
    self.words = words
    self.text = text
  }

  var arguments: [String] { hook.arguments.map { words.filled($0) } + (text.map { [$0] } ?? []) }
}
