import NotifierLedger
package import SequenceConfiguration

/// A single execution of a hook for an event.
package struct HookJob: Equatable, Sendable {
  package let hook: Hook
  package let words: HookWords
  /// One more argument, which is handed over as it is; `nil` for none.
  package let text: String?

  package init(hook: Hook, words: HookWords, text: String? = nil) {
    self.hook = hook
    self.words = words
    self.text = text
  }

  var arguments: [String] { hook.arguments.map { words.filled($0) } + (text.map { [$0] } ?? []) }
}
