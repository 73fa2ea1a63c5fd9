import Glibc
import SequencePlatform
import SequenceClient
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct BoundedProcessTests {
  @Test func `a program that has answered is collected once it ends`() throws {
    let directory = try TemporaryDirectory()
    let gate = directory.path + "/gate"
    try #require(mkfifo(gate, 0o600) == 0)
    let process = try BoundedProcess(
      ["/bin/sh", "-c", #"echo $$; exec >/dev/null; read -r _ < "$0""#, gate], environment: [:],
      within: .seconds(20), by: SystemClock(), until: { $0.hasSuffix("\n") })
    #expect(process.ending == .answered)
    let identifier = try #require(pid_t(process.output.dropLast()))
    #expect(kill(identifier, 0) == 0)
    // Opening the gate ends the program.
    close(open(gate, O_WRONLY | O_CLOEXEC))
    let limit = SystemClock.sinceBoot() + .seconds(20)
    while kill(identifier, 0) == 0 {
      guard SystemClock.sinceBoot() < limit else { throw TestSupportError("it stays a zombie") }
      _ = poll(nil, 0, 5)
    }
  }
}
