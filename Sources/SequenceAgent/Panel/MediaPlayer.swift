import FoundationEssentials
import Glibc
import NotifierDelivery
import SequencePlatform
import SequencePresentation
import SequenceRunner

/// The current run as a media player, for media keys, headsets, phones and the players of desktops.
///
/// Source: the Media Player Remote Interfacing Specification 2.2 (MPRIS). Its name is owned only while there is a run.
final class MediaPlayer: ExportedContent {
  private static let name = "org.mpris.MediaPlayer2.sequence"
  private static let root = "org.mpris.MediaPlayer2"
  private static let player = "org.mpris.MediaPlayer2.Player"

  private let connection: BusConnection
  private let clock: any ClockSource
  private let onCall: (PanelKey, BusCall) -> Void
  private var name = MediaPlayer.name
  private var object: ExportedObject?
  private var state: PlayerState

  /// - Parameter onCall: receives the requests of users, each with the call that waits for the answer.
  init(
    _ state: PlayerState, on connection: BusConnection, _ clock: any ClockSource,
    onCall: @escaping (PanelKey, BusCall) -> Void
  ) throws(DesktopFailure) {
    self.state = state
    self.clock = clock
    self.connection = connection
    self.onCall = onCall
    object = try ExportedObject(
      on: connection, at: "/org/mpris/MediaPlayer2", interfaces: MediaPlayer.interfaces, self)
    do throws(DesktopFailure) {
      if try !connection.take(name: name) {
        // The specification's way for a second instance.
        name += ".instance\(getpid())"
        try connection.claim(name: name)
      }
    } catch {
      end()
      throw error
    }
  }

  /// Takes the object off the bus, which keeps the player alive; answers that were given arrive before.
  func end() {
    object = nil
    // It fails only without a bus, where there is no name to release.
    do throws(DesktopFailure) { try connection.release(name: name) } catch {}
  }

  func show(_ next: PlayerState) {
    let (before, now) = (state, clock.now().boot)
    let old = properties
    state = next
    object?.announce(properties.filter { old[$0.key] != $0.value }, of: MediaPlayer.player)
    // Programs that count by themselves need to know of jumps.
    let jump = next.position(at: now) - before.position(at: now)
    if before.runID == next.runID, before.step == next.step, max(jump, .zero - jump) > .milliseconds(50) {
      object?.emit("Seeked", of: MediaPlayer.player, [.long(microseconds(next.position(at: now)))])
    }
  }

  // MARK: - What others ask

  func property(_ name: String, of interface: String) -> BusValue? {
    if interface == MediaPlayer.root { return MediaPlayer.rootProperties[name] }
    if name == "Position" { return .long(microseconds(state.position(at: clock.now().boot))) }
    return properties[name] ?? MediaPlayer.fixedProperties[name]
  }

  func call(_ method: String, of interface: String, _ call: BusCall) {
    guard interface == MediaPlayer.player, let key = PanelKey(rawValue: method) else {
      // Raise, Quit, Seek, SetPosition and OpenUri: the properties say that they have no effect.
      return call.finish()
    }
    onCall(key, call)
  }

  private static let rootProperties: [String: BusValue] = [
    "CanQuit": .flag(false), "CanRaise": .flag(false), "HasTrackList": .flag(false),
    "Identity": .text("Sequence"), "DesktopEntry": .text("sequence"), "SupportedUriSchemes": .texts([]),
    "SupportedMimeTypes": .texts([]),
  ]

  private static let fixedProperties: [String: BusValue] = [
    "Rate": .double(1), "MinimumRate": .double(1), "MaximumRate": .double(1), "Volume": .double(1),
    "CanGoNext": .flag(true), "CanGoPrevious": .flag(true), "CanPlay": .flag(true), "CanPause": .flag(true),
    "CanSeek": .flag(false),
    "CanControl": .flag(true),
  ]

  /// The properties that change, except the position, which isn't announced.
  private var properties: [String: BusValue] {
    [
      "PlaybackStatus": .text(state.isPaused ? "Paused" : "Playing"),
      "Metadata": .dictionary(metadata),
    ]
  }

  private var metadata: [String: BusValue] {
    let id = state.runID.uuidString.filter { $0 != "-" }.lowercased()
    var metadata: [String: BusValue] = [
      "mpris:trackid": .path("/org/sequence_timer/run/\(id)/\(state.step + 1)"),
      "xesam:title": .text(state.title), "xesam:album": .text(state.sequence),
      "xesam:artist": .texts([state.line]),
    ]
    if let length = state.length { metadata["mpris:length"] = .long(microseconds(length)) }
    if let art { metadata["mpris:artUrl"] = .text(art) }
    return metadata
  }

  /// The picture of the step or, without one, the icon of the program, as the URL of a file.
  private var art: String? {
    let path = ([state.image].compactMap { $0 } + icons).first { FileKind(of: $0) == .file }
    return path.map { URL(filePath: $0, directoryHint: .notDirectory).absoluteString }
  }

  private let icons: [String] = {
    do throws(SystemError) {
      return try sharedPaths(of: "icons/hicolor/scalable/apps/sequence.svg")
    } catch {
      // The player needs no picture.
      return []
    }
  }()

  private func microseconds(_ duration: Duration) -> Int64 { duration.nanoseconds / 1000 }

  private static let interfaces = """
    <node>
      <interface name="org.mpris.MediaPlayer2">
        <method name="Raise"/>
        <method name="Quit"/>
        <property name="CanQuit" type="b" access="read"/>
        <property name="CanRaise" type="b" access="read"/>
        <property name="HasTrackList" type="b" access="read"/>
        <property name="Identity" type="s" access="read"/>
        <property name="DesktopEntry" type="s" access="read"/>
        <property name="SupportedUriSchemes" type="as" access="read"/>
        <property name="SupportedMimeTypes" type="as" access="read"/>
      </interface>
      <interface name="org.mpris.MediaPlayer2.Player">
        <method name="Next"/>
        <method name="Previous"/>
        <method name="Pause"/>
        <method name="PlayPause"/>
        <method name="Stop"/>
        <method name="Play"/>
        <method name="Seek"><arg name="Offset" type="x" direction="in"/></method>
        <method name="SetPosition">
          <arg name="TrackId" type="o" direction="in"/><arg name="Position" type="x" direction="in"/>
        </method>
        <method name="OpenUri"><arg name="Uri" type="s" direction="in"/></method>
        <signal name="Seeked"><arg name="Position" type="x"/></signal>
        <property name="PlaybackStatus" type="s" access="read"/>
        <property name="Rate" type="d" access="read"/>
        <property name="MinimumRate" type="d" access="read"/>
        <property name="MaximumRate" type="d" access="read"/>
        <property name="Volume" type="d" access="read"/>
        <property name="Position" type="x" access="read">
          <annotation name="org.freedesktop.DBus.Property.EmitsChangedSignal" value="false"/>
        </property>
        <property name="Metadata" type="a{sv}" access="read"/>
        <property name="CanGoNext" type="b" access="read"/>
        <property name="CanGoPrevious" type="b" access="read"/>
        <property name="CanPlay" type="b" access="read"/>
        <property name="CanPause" type="b" access="read"/>
        <property name="CanSeek" type="b" access="read"/>
        <property name="CanControl" type="b" access="read">
          <annotation name="org.freedesktop.DBus.Property.EmitsChangedSignal" value="false"/>
        </property>
      </interface>
    </node>
    """
}

struct PlayerState: Equatable, Sendable {
  /// The run, and the number of steps before the current one: another pair is another track.
  let runID: UUID
  let step: Int
  let title: String
  let sequence: String
  let line: String
  let length: Duration?
  /// The path of the picture of the step.
  let image: String?
  let clock: Clock

  enum Clock: Equatable, Sendable {
    /// It has run since a time on the boot clock, without the pauses.
    case running(since: Duration)
    case stopped(at: Duration)
  }

  init?(_ status: RunStatus) {
    guard let view = RunView(status) else { return nil }
    let position = view.position
    (runID, step) = (view.runID, position.step.index)
    (title, sequence) = (view.title, view.sequence)
    length = position.target
    image = position.step.card.image
    clock =
      view.isPaused
      ? .stopped(at: position.elapsed) : .running(since: status.reading.boot - position.elapsed)
    line = view.outlook
  }

  var isPaused: Bool { if case .stopped = clock { true } else { false } }

  /// The time of the step so far, at most its length.
  func position(at boot: Duration) -> Duration {
    let elapsed =
      switch clock {
      case .running(let start): boot - start
      case .stopped(let elapsed): elapsed
      }
    return min(max(.zero, elapsed), length ?? elapsed)
  }
}
