import SequenceFiles
import SequenceRunner

/// How cues are written in the configuration.
extension Cues {
  init(_ node: YAMLNode) throws(SequenceFileError) {
    let fields = try Fields(node, of: "cues", known: ["sound", "speech", "remaining", "when"])
    self.init()
    if let node = fields.optional("sound") { sound = try node.boolean() }
    if let node = fields.optional("speech") { speech = try node.boolean() }
    if let node = fields.optional("when") { condition = try StepCondition(node) }
    if let node = fields.optional("remaining") {
      let time = try node.duration()
      let seconds = Int(time.components.seconds)
      guard .seconds(seconds) == time, seconds <= Cues.mostCounted else {
        throw wrong("remaining must be in whole seconds, 60s at most, not \(node.kind)", node)
      }
      remaining = seconds
    }
  }
}
