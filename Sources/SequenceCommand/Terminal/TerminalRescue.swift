import CSequenceLinux
import Glibc
import SequencePlatform
import Synchronization

/// The signal handlers that restore the terminal when the program dies of a fatal signal.
///
/// They do only what signal-safety(7) allows: they read prepared memory, write, set the terminal's modes, and
/// restore the previous action of the signal.
enum TerminalRescue {
  /// The signals of program errors, and SIGQUIT for the quit key.
  private static let signals = [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGSYS, SIGQUIT]

  /// The data for the handler, at a fixed address.
  @safe private struct Plan {
    let input: Int32
    let output: Int32
    var modes: termios
    let text: UnsafeMutableBufferPointer<UInt8>
    /// The previous action of each signal, indexed by its number.
    let former: UnsafeMutablePointer<sigaction>
  }

  /// The address of the plan; 0 while there is none.
  private static let plan = Atomic<UInt>(0)

  static var isArmed: Bool { plan.load(ordering: .acquiring) != 0 }

  /// Installs the handlers for a terminal, which write a text that ends the display.
  ///
  /// - Throws: `Problem` if they are installed for another.
  static func arm(
    input: Int32, output: Int32, modes: TerminalModes, text ending: String
  ) throws(Problem) {
    let text = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: ending.utf8.count)
    _ = unsafe text.initialize(from: ending.utf8)
    let count = Int((signals.max() ?? 0) + 1)
    let former = UnsafeMutablePointer<sigaction>.allocate(capacity: count)
    unsafe former.initialize(repeating: sigaction(), count: count)
    let place = UnsafeMutablePointer<Plan>.allocate(capacity: 1)
    unsafe place.initialize(
      to: Plan(
        input: input, output: output, modes: modes.settings, text: text, former: former))
    let (exchanged, _) = plan.compareExchange(
      expected: 0, desired: UInt(bitPattern: place), ordering: .acquiringAndReleasing)
    guard exchanged else {
      unsafe release(place)
      throw Terminal.problem("another display of this process uses it")
    }
    unsafe install(former)
  }

  private static func install(_ former: UnsafeMutablePointer<sigaction>) {
    var action = sigaction()
    unsafe action.__sigaction_handler.sa_handler = rescue
    // On a separate signal stack, if there is one, the handler works even after a stack overflow.
    action.sa_flags = SA_ONSTACK
    for signal in signals {
      set(signal, status: unsafe sigaction(signal, &action, &former[Int(signal)]))
    }
  }

  static func disarm() {
    guard let place = unsafe takePlan() else { return }
    for signal in signals {
      set(signal, status: unsafe sigaction(signal, &place.pointee.former[Int(signal)], nil))
    }
    unsafe release(place)
  }

  private static func set(_ signal: Int32, status: Int32) {
    precondition(status == 0, "sigaction fails for signals that do not exist only")
  }

  private static func release(_ place: UnsafeMutablePointer<Plan>) {
    unsafe place.pointee.text.deallocate()
    unsafe place.pointee.former.deallocate()
    unsafe place.deallocate()
  }

  /// Returns the plan, at most once.
  private static func takePlan() -> UnsafeMutablePointer<Plan>? {
    unsafe UnsafeMutablePointer(bitPattern: plan.exchange(0, ordering: .acquiringAndReleasing))
  }

  /// Failures are ignored, because the program is about to end.
  private static let rescue: @convention(c) (Int32) -> Void = { signal in
    if let place = unsafe takePlan() {
      _ = unsafe write(place.pointee.output, place.pointee.text.baseAddress, place.pointee.text.count)
      _ = unsafe tcsetattr(place.pointee.input, TCSANOW, &place.pointee.modes)
      _ = unsafe sigaction(signal, &place.pointee.former[Int(signal)], nil)
    }
    // The signal is blocked while the handler runs; its previous action follows right after.
    _ = raise(signal)
  }
}
