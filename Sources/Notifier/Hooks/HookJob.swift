package import NotificationLedger

/// A hook that is to be run once, for something that happened.
package struct HookJob: Equatable, Sendable {
  package let hook: Hook
  package let words: HookWords

  package init(hook: Hook, words: HookWords) {
    self.hook = hook
    self.words = words
  }
}
