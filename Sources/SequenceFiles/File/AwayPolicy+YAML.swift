import SequenceRunner

extension AwayPolicy {
  /// The policy that a node names.
  package init(_ node: YAMLNode) throws(SequenceFileError) {
    guard case .scalar(let text) = node.content, let policy = AwayPolicy(rawValue: text) else {
      throw wrong("\(node.kind) is no way to treat an absence", remedy: "write continue, pause or ask", node)
    }
    self = policy
  }
}
