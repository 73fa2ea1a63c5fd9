import CSequenceLinux
import Glibc

/// A file in memory of a fixed size, for the output of a program.
///
/// Unlike a pipe it needs no reader, and a process that the program leaves running may keep writing to it. Once the
/// file is full, writing fails.
package struct BoundedFile: ~Copyable {
  private let file: FileDescriptor
  private let size: Int

  /// - Parameter size: how much it takes, in bytes.
  package init(size: Int) throws(SystemError) {
    let file = FileDescriptor(
      owning: try SystemError.check("memfd_create") { unsafe sequence_memory_file("sequence-output") })
    _ = try SystemError.check("ftruncate") { ftruncate(file.number, size) }
    _ = try SystemError.check("seal") { sequence_forbid_growth(file.number) }
    self.file = file
    self.size = size
  }

  package var descriptor: Int32 { file.number }

  package func text() throws(SystemError) -> String {
    var bytes = [UInt8](repeating: 0, count: size)
    let count = try SystemError.check("read") {
      unsafe bytes.withUnsafeMutableBytes { unsafe pread(file.number, $0.baseAddress, size, 0) }
    }
    // Unwritten bytes are zeros.
    return String(decoding: bytes.prefix(count).prefix { $0 != 0 }, as: UTF8.self)
  }

  /// Returns the last line of the output so far, as it may stand in a message; `nil` without any.
  package func lastLine() throws(SystemError) -> String? {
    try text().split(whereSeparator: \.isNewline).last.map {
      TextSafety.sanitised(String(String.UnicodeScalarView($0.unicodeScalars.prefix(200))))
    }
  }
}
