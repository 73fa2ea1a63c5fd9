import Glibc
import Platform
import SequenceRunner

extension TerminalGuardian {
  /// Starts a shell in a session of its own.
  static func spawn(_ arguments: [String], input: Int32, output: Int32) throws(TerminalError) -> pid_t {
    do throws(SystemError) {
      return try Subprocess.spawn(
        ["/bin/sh"] + arguments.dropFirst(), environment: ["PATH=\(path)"],
        streams: (.descriptor(input), .descriptor(output), .path("/dev/null", flags: O_WRONLY)))
    } catch {
      throw .system(call: error.call, code: error.code)
    }
  }

  /// The usual places behind the user's own: on some systems only that leads to `stty`.
  private static var path: String {
    let own = unsafe getenv("PATH").map { unsafe String(cString: $0) + ":" } ?? ""
    return own + "/usr/bin:/bin"
  }
}
