import SequenceRunner

extension SuspendPolicy {
  /// Parses a policy.
  ///
  /// - Parameter key: the key of the node, for messages.
  package init(_ node: YAMLNode, _ key: String) throws(SequenceFileError) {
    guard case .scalar(let text) = node.content, let policy = SuspendPolicy(rawValue: text) else {
      throw wrong("\(key) must be continue, pause or ask, not \(node.kind)", node)
    }
    self = policy
  }
}
