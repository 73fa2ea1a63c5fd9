import CSequenceLinux
import Glibc

/// A pipe on which a program reports to the process that started it that it has begun its work.
///
/// The writing end is the program's standard input until then, so its end without a report is noticed too.
package struct StartReport: ~Copyable {
  private let reader: FileDescriptor
  private var writer: FileDescriptor?

  package init() throws(SystemError) {
    var ends: [Int32] = [-1, -1]
    _ = try SystemError.check("pipe") { unsafe pipe(&ends) }
    reader = FileDescriptor(owning: ends[0])
    writer = FileDescriptor(owning: ends[1])
  }

  /// Returns the process of the program.
  ///
  /// - Parameter output: its standard output and error.
  package mutating func spawn(
    _ words: [String], environment: [String], output: Subprocess.Stream, in directory: String
  ) throws(SystemError) -> Int32 {
    let number: Int32
    switch writer {
    case .some(let writer): number = writer.number
    case .none: throw SystemError(call: "start \(words.first ?? "")", code: EBADF)
    }
    let process = try Subprocess.spawn(
      words, environment: environment, streams: (.descriptor(number), output, output), in: directory)
    // The program has the only one now.
    writer = nil
    return process
  }

  /// Returns whether the program reported, or may still do so later; otherwise it is ending.
  package func wait(within limit: Duration) throws(SystemError) -> Bool {
    var entry = pollfd(fd: reader.number, events: Int16(POLLIN), revents: 0)
    let milliseconds = Int32(clamping: limit.nanoseconds / 1_000_000)
    guard try SystemError.check("poll", { unsafe poll(&entry, 1, milliseconds) }) > 0 else { return true }
    return try reader.read(atMost: 1)?.isEmpty == false
  }

  package static var isAwaited: Bool {
    var status = stat()
    return unsafe fstat(STDIN_FILENO, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
      && fcntl(STDIN_FILENO, F_GETFL) & O_ACCMODE == O_WRONLY
  }

  /// Reports that this program has begun its work, if the process that started it waits for that; once.
  package static func send() throws(SystemError) {
    guard isAwaited else { return }
    let handler = signal(SIGPIPE, SIG_IGN)
    var report: UInt8 = 1
    // The process that started this one may be gone.
    _ = unsafe write(STDIN_FILENO, &report, 1)
    _ = signal(SIGPIPE, handler)
    let null = try FileDescriptor(opening: "/dev/null", O_RDONLY)
    _ = try SystemError.check("dup2") { dup2(null.number, STDIN_FILENO) }
  }
}
