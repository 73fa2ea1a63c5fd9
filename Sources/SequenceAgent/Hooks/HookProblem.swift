import NotifierLedger
package import SequenceConfiguration

/// What went wrong with a hook once.
package struct HookProblem: Equatable, Sendable {
  package let kind: HookFailure.Kind
  package let detail: String

  package init(_ kind: HookFailure.Kind, _ detail: String) {
    self.kind = kind
    self.detail = detail
  }
}
