import SequencePlatform
import SequenceFiles
import SequenceRunner

enum DurationTarget {
  static func run(_ bytes: [UInt8]) throws -> Bool {
    let text = String(decoding: bytes, as: UTF8.self)
    switch Result(catching: { () throws(DurationTextError) in try DurationText.parseWritten(text) }) {
    case .success(let duration):
      try require(duration > .zero && duration <= SequenceLimits.longestDuration, "\(duration) was taken")
      try requireSame(duration)
      let signed = try DurationText.parseSigned("-" + text)
      try require(signed == .zero - duration, "-\(text) is \(signed)")
      try require(DurationText.format(signed) == "-" + DurationText.format(duration), "of \(signed)")
      return true
    case .failure(let error):
      try MessageRule.check(error.problem(with: "\(quoted(text))").text.description)
      // An invalid duration is also invalid with a sign, unless the sign was the problem.
      if let signed = try? DurationText.parseSigned(text) {
        try require(text.first.map { "+-−".contains($0) } == true, "\(text) is \(signed) with a sign only")
      }
      return false
    }
  }

  private static func requireSame(_ duration: Duration) throws {
    let text = DurationText.format(duration)
    let again = try DurationText.parseWritten(text)
    try require(again == duration, "\(duration) is written \(text), which is read as \(again)")
    try require(DurationText.format(again) == text, "\(text) is written otherwise the second time")
  }
}
