import SequenceFiles
import SequenceRunner

/// How cues are written in the configuration.
extension Cues {
  init(_ node: YAMLNode) throws(SequenceFileError) {
    let fields = try Fields(
      node, of: "cues", known: ["sound", "speech", "remaining", "when", "sounds", "volume"])
    self.init()
    if let node = fields.optional("sound") { sound = try node.boolean() }
    if let node = fields.optional("speech") { speech = try node.boolean() }
    if let node = fields.optional("when") { condition = try StepCondition(node) }
    if let node = fields.optional("sounds") { sounds = try Cues.sounds(node) }
    if let node = fields.optional("volume") {
      guard case .scalar(let text) = node.content, let percent = Int(text), (0...100).contains(percent) else {
        throw wrong("volume must be a number from 0 to 100, not \(node.kind)", node)
      }
      volume = percent
    }
    if let node = fields.optional("remaining") {
      let time = try node.duration()
      let seconds = Int(time.components.seconds)
      guard .seconds(seconds) == time, seconds <= Cues.mostCounted else {
        throw wrong("remaining must be in whole seconds, 60s at most, not \(node.kind)", node)
      }
      remaining = seconds
    }
  }

  private static func sounds(_ node: YAMLNode) throws(SequenceFileError) -> [CueSound: String] {
    let fields = try Fields(node, of: "sounds", known: CueSound.allCases.map(\.rawValue))
    var sounds: [CueSound: String] = [:]
    for sound in CueSound.allCases {
      guard let node = fields.optional(sound.rawValue) else { continue }
      sounds[sound] = try node.sound()
    }
    return sounds
  }
}
