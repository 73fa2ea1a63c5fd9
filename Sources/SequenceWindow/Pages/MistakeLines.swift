import SequencePlatform
import SequenceFiles
import SequenceRunner

/// The lines of a file around its mistake, with their numbers.
enum MistakeLines {
  /// The lines around a mistake; `nil` if it is in no line.
  ///
  /// Two lines before it, because a bracket or a quote that isn't closed is noticed below it.
  static func text(around error: SequenceFileError, of bytes: [UInt8]) -> String? {
    guard let line = error.position?.line else { return nil }
    let lines = String(decoding: bytes, as: UTF8.self).split(
      omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    return (max(1, line - 2)...line + 1).filter { $0 <= lines.count }.map { number in
      "\(number)  \(TextSafety.sanitised(String(lines[number - 1])))"
    }.joined(separator: "\n")
  }

  /// The same of the first mistake of a file; `nil` if there is none, or the file can't be read.
  static func text(ofFileAt path: String) -> String? {
    guard FileKind(of: path) != .special,
      let bytes = try? readAll(fromFileAt: path, upTo: SequenceLimits.largestFile)
    else { return nil }
    do throws(SequenceFileError) {
      _ = try SequenceFile.parse(bytes)
      return nil
    } catch {
      return text(around: error, of: bytes)
    }
  }
}
