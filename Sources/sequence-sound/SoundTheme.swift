import CSequenceCanberra
import CSequenceLinux
import Glibc
import SequencePlatform

/// The sounds of the sound theme and of files, played through libcanberra.
///
/// One instance exists until the process ends. Its context is never destroyed, because that would unload the
/// ALSA driver while a thread of the driver may still be running.
@safe final class SoundTheme {
  private let context: OpaquePointer
  private let ends: FileDescriptor
  private(set) var playing = 0
  /// How loud sounds are, in percent.
  var volume = 100
  /// Why a sound could not be played, which keeps none of the others from it; `nil` if all could.
  private(set) var failure: SoundError?
  /// Whether a sound server plays the sounds, which plays any number of them at once.
  private(set) var hasServer = false
  private let silence: BoundedFile
  static let silenceLength = Duration.seconds(4)

  private var next: UInt32 = 0

  /// Connects to the sound server now, so that the first sound is on time.
  init() throws {
    ends = FileDescriptor(
      owning: try SystemError.check("eventfd") { eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC)) })
    silence = try SoundTheme.makeSilence()
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

  func collectEnds() throws(SystemError) {
    guard let bytes = try ends.read(atMost: 8), bytes.count == 8 else { return }
    playing -= Int(unsafe bytes.withUnsafeBytes { unsafe $0.load(as: UInt64.self) })
  }

  /// Loads a sound in advance; without support by the sound server it is loaded when it is played.
  func prepare(_ sound: String) {
    do {
      let properties = try unsafe properties(of: sound)
      defer { _ = unsafe ca_proplist_destroy(properties) }
      let status = unsafe ca_context_cache_full(context, properties)
      guard status != Int32(CA_ERROR_NOTSUPPORTED) else { return }
      hasServer = true
      try SoundTheme.check(status, of: sound)
    } catch {
      // It is reported when it is to be played.
    }
  }

  /// Returns whether the sound could be played; else `failure` says why not.
  func play(_ sound: String) throws -> Bool {
    do throws(SoundError) {
      try start(sound)
      playing += 1
      return true
    } catch {
      guard error.isOfSound else { throw error }
      failure = error
      return false
    }
  }

  /// Plays silence, which wakes a device that sleeps while nothing plays.
  ///
  /// - Returns: whether it is played; its end is not waited for. A sound without silence before it is better than none.
  func playSilence() -> Bool {
    let path = "/proc/self/fd/\(silence.descriptor)"
    do throws(SoundError) {
      let properties = try unsafe SoundTheme.properties([
        CA_PROP_CANBERRA_CACHE_CONTROL: "never", CA_PROP_MEDIA_ROLE: "event", CA_PROP_MEDIA_FILENAME: path,
      ])
      defer { _ = unsafe ca_proplist_destroy(properties) }
      next += 1
      try SoundTheme.check(unsafe ca_context_play_full(context, next, properties, nil, nil))
      return true
    } catch {
      return false
    }
  }

  private static func makeSilence() throws(SystemError) -> BoundedFile {
    func bytes(_ number: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
    let (rate, width) = (8000, 2)
    let size = Int(silenceLength.components.seconds) * rate * width
    var header = Array("RIFF".utf8) + bytes(36 + size, 4) + Array("WAVEfmt ".utf8) + bytes(16, 4)
    // Uncompressed, with one channel.
    header += bytes(1, 2) + bytes(1, 2) + bytes(rate, 4) + bytes(rate * width, 4) + bytes(width, 2)
    header += bytes(8 * width, 2) + Array("data".utf8) + bytes(size, 4)
    let file = try BoundedFile(size: header.count + size)
    try writeAll(header, to: file.descriptor)
    return file
  }

  private func start(_ sound: String) throws(SoundError) {
    let properties = try unsafe properties(of: sound)
    defer { _ = unsafe ca_proplist_destroy(properties) }
    next += 1
    // Called in a thread of libcanberra.
    let ended: ca_finish_callback_t = { _, _, _, descriptor in
      _ = eventfd_write(Int32(Int(bitPattern: descriptor)), 1)
    }
    try SoundTheme.check(
      unsafe ca_context_play_full(
        context, next, properties, ended, UnsafeMutableRawPointer(bitPattern: Int(ends.number))), of: sound)
  }

  private func properties(of sound: String) throws(SoundError) -> OpaquePointer {
    var values = [CA_PROP_CANBERRA_CACHE_CONTROL: "volatile", CA_PROP_MEDIA_ROLE: "event"]
    if isAbsolute(sound) {
      var status = stat()
      guard unsafe stat(sound, &status) == 0 else {
        throw SoundError(code: Int32(CA_ERROR_NOTFOUND), of: sound)
      }
      guard status.st_mode & S_IFMT == S_IFREG else {
        throw SoundError(code: Int32(CA_ERROR_INVALID), of: sound)
      }
      guard status.st_size <= MediaFile.largest else {
        throw SoundError(code: Int32(CA_ERROR_TOOBIG), of: sound)
      }
      values[CA_PROP_MEDIA_FILENAME] = sound
    } else {
      values[CA_PROP_EVENT_ID] = sound
    }
    if volume < 100 {
      // In decibels; libcanberra takes the volume as an amplitude.
      values[CA_PROP_CANBERRA_VOLUME] = String(volume > 0 ? 20 * log10(Double(volume) / 100) : -100)
    }
    return try unsafe SoundTheme.properties(values)
  }

  private static func properties(_ values: [String: String]) throws(SoundError) -> OpaquePointer {
    var created: OpaquePointer?
    try check(unsafe ca_proplist_create(&created))
    guard let properties = unsafe created else { throw SoundError(code: Int32(CA_ERROR_OOM)) }
    for (key, value) in values { try check(unsafe ca_proplist_sets(properties, key, value)) }
    return unsafe properties
  }

  private static func check(_ status: Int32, of sound: String? = nil) throws(SoundError) {
    guard status == CA_SUCCESS else { throw SoundError(code: status, of: sound) }
  }
}

struct SoundError: Error, CustomStringConvertible {
  let code: Int32
  let sound: String?

  init(code: Int32, of sound: String? = nil) {
    (self.code, self.sound) = (code, sound)
  }

  /// Whether the sound is to blame, and others can be played.
  var isOfSound: Bool {
    let codes = [CA_ERROR_NOTFOUND, CA_ERROR_CORRUPT, CA_ERROR_TOOBIG, CA_ERROR_INVALID, CA_ERROR_ACCESS]
    return sound != nil && codes.contains { Int32($0) == code }
  }

  var description: String {
    let reason = unsafe ca_strerror(code).map { unsafe String(cString: $0) } ?? "error \(code) of libcanberra"
    return (sound.map { "\(TextSafety.sanitised($0)): " } ?? "") + reason
  }
}
