import Glibc
import SequencePlatform
import SequenceStore

/// The size of the window in a file of the state directory, such as `450x680`.
struct WindowSize {
  private let path: String

  init(_ directory: StateDirectory) { path = directory.path + "/window" }

  /// The stored size; `nil` if none is stored that can be used.
  ///
  /// - Throws: `SystemError` if the file can't be read.
  func stored() throws(SystemError) -> (width: Int, height: Int)? {
    guard FileKind(of: path) == .file else { return nil }
    let text = try FileDescriptor(opening: path, O_RDONLY | O_NONBLOCK).read(atMost: 32) ?? []
    let line = String(decoding: text, as: UTF8.self).split(separator: "\n").first ?? ""
    let numbers = line.split(separator: "x").compactMap { Int($0) }
    guard numbers.count == 2, numbers.allSatisfy((1...32_767).contains) else { return nil }
    return (numbers[0], numbers[1])
  }

  /// - Throws: `SystemError`, such as if the directory is missing.
  func store(width: Int, height: Int) throws(SystemError) {
    guard width > 0, height > 0 else { return }
    try AtomicFile.write("\(width)x\(height)\n", to: path, mode: 0o600, replacing: true)
  }
}
