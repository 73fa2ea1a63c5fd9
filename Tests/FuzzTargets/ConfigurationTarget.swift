import NotifierLedger
import SequenceConfiguration
import SequenceFiles
import SequenceRunner

enum ConfigurationTarget {
  static func run(_ bytes: [UInt8]) throws -> Bool {
    let configuration: Configuration
    do throws(SequenceFileError) {
      configuration = try Configuration.parse(bytes)
    } catch {
      try MessageRule.check(error, of: bytes)
      return false
    }
    try require(try Configuration.parse(bytes) == configuration, "it is read otherwise the second time")
    try require(
      Set(configuration.styles.keys) == Set(Configuration().styles.keys), "a kind has appeared or is gone")
    return true
  }
}
