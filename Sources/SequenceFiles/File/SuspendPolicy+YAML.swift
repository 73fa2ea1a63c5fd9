import SequenceRunner

extension SuspendPolicy {
  /// Parses a policy.
  package init(_ node: YAMLNode) throws(SequenceFileError) {
    guard case .scalar(let text) = node.content, let policy = SuspendPolicy(rawValue: text) else {
      throw wrong("onSuspend must be continue, pause or ask, not \(node.kind)", node)
    }
    self = policy
  }
}
