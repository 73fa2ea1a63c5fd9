import Foundation
import TestSupport

extension ServerEvent {
  init(now name: String) {
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    self.init(name, at: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }

  func write() {
    guard let data = try? JSONEncoder().encode(self) else { exit(1) }
    FileHandle.standardOutput.write(data + Data("\n".utf8))
  }
}

struct CommandLines {
  private var input: [UInt8] = []

  /// Returns the commands that can be read now; exits at the end of the input, so that the server never
  /// outlives its test.
  mutating func next() -> [String] {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = read(STDIN_FILENO, &bytes, bytes.count)
    guard count > 0 else { exit(0) }
    input += bytes.prefix(count)
    let ends = input.indices.filter { input[$0] == UInt8(ascii: "\n") }
    guard let last = ends.last else { return [] }
    defer { input.removeFirst(last + 1) }
    return input[..<last].split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
  }
}
