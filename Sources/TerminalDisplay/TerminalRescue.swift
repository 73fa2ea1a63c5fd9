import CSequenceLinux
import Glibc
import Synchronization

/// Gives the terminal back when the program is about to die of a fatal signal.
///
/// The handler does only what signal-safety(7) allows: it reads memory that was laid out before, writes,
/// sets the terminal's modes and lets the signal take its former course.
enum TerminalRescue {
  /// The signals by which a program dies of itself, and that of the quit key.
  private static let signals = [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGSYS, SIGQUIT]

  /// What the handler needs, at a fixed place.
  @safe private struct Plan {
    let input: Int32
    let output: Int32
    var modes: termios
    /// The text that leaves the screen.
    let text: UnsafeMutableBufferPointer<UInt8>
    /// What was done on each signal before, at the signal's number.
    let former: UnsafeMutablePointer<sigaction>
  }

  /// The address of the plan; 0 while there is none.
  private static let plan = Atomic<UInt>(0)

  /// Whether a terminal is in the handlers' care.
  static var isArmed: Bool { plan.load(ordering: .acquiring) != 0 }

  /// Takes a terminal into the handlers' care.
  ///
  /// - Throws: `TerminalError.inUse` if there is one already.
  static func arm(input: Int32, output: Int32, modes: TerminalModes) throws(TerminalError) {
    let text = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: ScreenSequences.leave.utf8.count)
    _ = unsafe text.initialize(from: ScreenSequences.leave.utf8)
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
      throw .inUse
    }
    unsafe install(former)
  }

  private static func install(_ former: UnsafeMutablePointer<sigaction>) {
    var action = sigaction()
    unsafe action.__sigaction_handler.sa_handler = rescue
    // Where there is another stack for signals, the end of the usual one can be survived long enough.
    action.sa_flags = SA_ONSTACK
    for signal in signals {
      set(signal, status: unsafe sigaction(signal, &action, &former[Int(signal)]))
    }
  }

  /// Lets the terminal go; the signals take their former course again.
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

  /// The plan, which nobody else can take after that.
  private static func takePlan() -> UnsafeMutablePointer<Plan>? {
    unsafe UnsafeMutablePointer(bitPattern: plan.exchange(0, ordering: .acquiringAndReleasing))
  }

  /// What a signal calls.
  ///
  /// What fails here cannot be told to anybody: the program is dying.
  private static let rescue: @convention(c) (Int32) -> Void = { signal in
    if let place = unsafe takePlan() {
      _ = unsafe write(place.pointee.output, place.pointee.text.baseAddress, place.pointee.text.count)
      _ = unsafe tcsetattr(place.pointee.input, TCSANOW, &place.pointee.modes)
      _ = unsafe sigaction(signal, &place.pointee.former[Int(signal)], nil)
    }
    // It is blocked while the handler runs, and takes its former course right after.
    _ = raise(signal)
  }
}
