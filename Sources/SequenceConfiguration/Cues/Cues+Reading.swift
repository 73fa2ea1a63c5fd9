import SequenceFiles
import SequenceRunner

/// How cues are written in the configuration.
extension Cues {
  init(_ node: YAMLNode) throws(SequenceFileError) {
    let fields = try Fields(node, of: "cues", known: ["sound", "speech", "last"])
    self.init()
    if let node = fields.optional("sound") { sound = try Cues.boolean(node) }
    if let node = fields.optional("speech") { speech = try Cues.boolean(node) }
    if let node = fields.optional("last") {
      let time = try node.duration()
      let seconds = Int(time.components.seconds)
      guard .seconds(seconds) == time, seconds <= Cues.mostCounted else {
        throw wrong("\(node.kind) is no time to count", remedy: "write whole seconds, 60s at most", node)
      }
      last = seconds
    }
  }

  private static func boolean(_ node: YAMLNode) throws(SequenceFileError) -> Bool {
    switch node.content {
    case .scalar("true"): true
    case .scalar("false"): false
    case .scalar, .list, .mapping: throw wrong("\(node.kind) is neither true nor false", node)
    }
  }
}
