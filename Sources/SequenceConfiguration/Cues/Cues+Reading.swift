import SequenceFiles
import SequenceRunner

/// How cues are written in the configuration.
extension Cues {
  init(_ node: YAMLNode) throws(SequenceFileError) {
    let fields = try Fields(node, of: "cues", known: ["sound", "speech", "remaining"])
    self.init()
    if let node = fields.optional("sound") { sound = try Cues.boolean(node) }
    if let node = fields.optional("speech") { speech = try Cues.boolean(node) }
    if let node = fields.optional("remaining") {
      let time = try node.duration()
      let seconds = Int(time.components.seconds)
      guard .seconds(seconds) == time, seconds <= Cues.mostCounted else {
        throw wrong("remaining must be in whole seconds, 60s at most, not \(node.kind)", node)
      }
      remaining = seconds
    }
  }

  private static func boolean(_ node: YAMLNode) throws(SequenceFileError) -> Bool {
    switch node.content {
    case .scalar("true"): true
    case .scalar("false"): false
    case .scalar, .list, .mapping: throw wrong("the value must be true or false, not \(node.kind)", node)
    }
  }
}
