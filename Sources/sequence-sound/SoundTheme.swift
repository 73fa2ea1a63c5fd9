import CSequenceCanberra
import CSequenceLinux
import Glibc
import SequencePlatform

/// The sounds of the sound theme, played through libcanberra.
///
/// One instance exists until the process ends. Its context is never destroyed, because that would unload the
/// ALSA driver while a thread of the driver may still be running.
@safe final class SoundTheme {
  private let context: OpaquePointer
  private let ends: FileDescriptor
  private(set) var playing = 0
  private var next: UInt32 = 0

  /// Connects to the sound server now, so that the first sound is on time.
  init() throws {
    ends = FileDescriptor(
      owning: try SystemError.check("eventfd") { eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC)) })
    var created: OpaquePointer?
    try SoundTheme.check(unsafe ca_context_create(&created))
    guard let context = unsafe created else { throw SoundError(code: Int32(CA_ERROR_OOM)) }
    unsafe self.context = context
    let properties = try unsafe SoundTheme.properties([
      CA_PROP_APPLICATION_NAME: "Sequence", CA_PROP_APPLICATION_ID: "sequence",
    ])
    defer { _ = unsafe ca_proplist_destroy(properties) }
    try SoundTheme.check(unsafe ca_context_change_props_full(context, properties))
    try SoundTheme.check(unsafe ca_context_open(context))
  }

  /// A descriptor that is readable after a sound has ended.
  var descriptor: Int32 { ends.number }

  /// Counts the sounds that have ended.
  func collectEnds() throws(SystemError) {
    guard let bytes = try ends.read(atMost: 8), bytes.count == 8 else { return }
    playing -= Int(unsafe bytes.withUnsafeBytes { unsafe $0.load(as: UInt64.self) })
  }

  /// Loads a sound in advance; without support by the sound server it is loaded when it is played.
  func prepare(_ event: String) throws {
    let properties = try unsafe SoundTheme.properties(of: event)
    defer { _ = unsafe ca_proplist_destroy(properties) }
    let status = unsafe ca_context_cache_full(context, properties)
    guard status != Int32(CA_ERROR_NOTSUPPORTED) else { return }
    try SoundTheme.check(status)
  }

  /// Starts to play a sound.
  func play(_ event: String) throws {
    let properties = try unsafe SoundTheme.properties(of: event)
    defer { _ = unsafe ca_proplist_destroy(properties) }
    next += 1
    // Called in a thread of libcanberra.
    let ended: ca_finish_callback_t = { _, _, _, descriptor in
      _ = eventfd_write(Int32(Int(bitPattern: descriptor)), 1)
    }
    try SoundTheme.check(
      unsafe ca_context_play_full(
        context, next, properties, ended, UnsafeMutableRawPointer(bitPattern: Int(ends.number))))
    playing += 1
  }

  private static func properties(of event: String) throws -> OpaquePointer {
    try unsafe properties([
      CA_PROP_EVENT_ID: event, CA_PROP_CANBERRA_CACHE_CONTROL: "volatile",
      CA_PROP_MEDIA_ROLE: "event",
    ])
  }

  private static func properties(_ values: [String: String]) throws -> OpaquePointer {
    var created: OpaquePointer?
    try check(unsafe ca_proplist_create(&created))
    guard let properties = unsafe created else { throw SoundError(code: Int32(CA_ERROR_OOM)) }
    for (key, value) in values { try check(unsafe ca_proplist_sets(properties, key, value)) }
    return unsafe properties
  }

  private static func check(_ status: Int32) throws(SoundError) {
    guard status == CA_SUCCESS else { throw SoundError(code: status) }
  }
}

/// The reason why a sound cannot be played.
struct SoundError: Error, CustomStringConvertible {
  let code: Int32
  var description: String {
    unsafe ca_strerror(code).map { unsafe String(cString: $0) } ?? "error \(code) of libcanberra"
  }
}
