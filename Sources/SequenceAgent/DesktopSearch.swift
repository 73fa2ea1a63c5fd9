package import NotifierDelivery
import SequenceClient
import SequenceFiles
package import SequencePlatform
import SequencePresentation
import SequenceRunner
import SequenceStore

/// Timers and sequences as results of the desktop's search.
///
/// The bus starts a process for it, which ends soon after the last search. Sources: `SearchProvider2` of GNOME Shell
/// (`data/dbus-interfaces/org.gnome.ShellSearchProvider2.xml`), and `krunner1` of KDE (`src/data/org.kde.krunner1.xml`).
package final class DesktopSearch: ExportedContent {
  private static let name = "org.sequence_timer.sequence.search"
  private static let path = "/org/sequence_timer/sequence/search"
  /// As many results as GNOME Shell shows of one program.
  private static let mostResults = 5
  /// How long the process waits for another search.
  private static let idleSeconds: UInt32 = 10

  private let context: ClientContext
  /// The options of a window to open; `nil` for none.
  private var window: [String]?

  private init(_ context: ClientContext) { self.context = context }

  /// Answers searches until none has come for a time; becomes the window if that is asked for.
  package static func serve(
    _ environment: EnvironmentVariables, onFailure: @escaping (Problem) -> Void
  ) throws {
    let search = DesktopSearch(
      ClientContext(environment: environment, clock: try SystemClock(), warn: onFailure))
    let connection = try BusConnection.session(mayUseLoginBus: false)
    let object = try ExportedObject(on: connection, at: path, interfaces: interfaces, search)
    try withExtendedLifetime(object) {
      try connection.serve(as: name, idleFor: idleSeconds) { search.window != nil }
    }
    guard let options = search.window else { return }
    guard let program = try installedProgram("sequence-window") else {
      throw Problem("the window is not installed", remedy: "install sequence-timer-window")
    }
    try replaceThisProcess(by: program, [program] + options)
  }

  // MARK: - Results

  private struct Result {
    let target: Target
    let title: String
    let facts: String
  }

  /// The meaning of a result, which its id names.
  private enum Target {
    case timer(String)
    /// The name of a sequence in the library.
    case sequence(String)

    init?(id: String) {
      guard let colon = id.firstIndex(of: ":") else { return nil }
      let text = String(id[id.index(after: colon)...])
      switch id[..<colon] {
      case "timer": self = .timer(text)
      case "sequence": self = .sequence(text)
      default: return nil
      }
    }

    var id: String {
      switch self {
      case .timer(let text): "timer:" + text
      case .sequence(let name): "sequence:" + name
      }
    }
  }

  private func results(_ text: String) -> [Result] {
    guard text.contains(where: { !$0.isWhitespace }), !SequenceLimits.isTooLong(text) else { return [] }
    var results = [timer(text)].compactMap { $0 }
    do {
      results += try ListedSequence.all(of: context.library()).matching(text).compactMap(DesktopSearch.result)
    } catch {
      context.warn(explained(error))
    }
    return Array(results.prefix(DesktopSearch.mostResults))
  }

  private func result(_ target: Target) -> Result? {
    switch target {
    case .timer(let text): return timer(text)
    case .sequence(let name):
      // An id that no search has answered.
      guard SequenceName.defect(of: name) == nil else { return nil }
      do {
        return try context.library().entry(SequenceName(name)).flatMap {
          DesktopSearch.result(ListedSequence($0))
        }
      } catch {
        context.warn(explained(error))
        return nil
      }
    }
  }

  private func timer(_ text: String) -> Result? {
    do throws(Problem) {
      let card = try timeline(text).card(at: 0)
      let length = card.timing.duration ?? .zero
      return Result(
        target: .timer(text),
        title: TextSafety.sanitised(
          translated("{title} for {time}", ["title": card.title, "time": LengthText.format(length)])),
        facts: translated(
          "Start a timer until {}", EndText.clock(context.clock.now().wall, after: length)))
    } catch {
      // Most searches are for something else.
      return nil
    }
  }

  private static func result(_ sequence: ListedSequence) -> Result? {
    guard SequenceName.defect(of: sequence.name) == nil else { return nil }
    let facts = sequence.length.map { "\($0.stepsText) · \($0.timeText(LengthText.format))" }
    return Result(
      target: .sequence(sequence.name), title: TextSafety.sanitised(sequence.content?.title ?? sequence.name),
      facts: facts ?? sequence.mistakeText ?? "")
  }

  private func timeline(_ text: String) throws(Problem) -> Timeline {
    try CardSpec.timer(text) { LocalDays.duration(until: $0, after: context.clock.now().wall) }
  }

  // MARK: - Effects

  /// Starts a timer or a sequence; the window shows the reason if that can't be done.
  private func start(_ target: Target) {
    var options: [String] = []
    do {
      guard let directory = StateDirectory(environment: context.environment) else {
        throw StoreError.noHome
      }
      let client = try Client(in: directory, context)
      switch target {
      case .timer(let text):
        _ = try client.start(timeline(text), RunChoices(ofDesktop: RunStart(source: .timer)))
      case .sequence(let name):
        guard let path = try context.library().path(of: name) else {
          throw ClientError.unknownSequence(name, near: [])
        }
        options = [path]
        let source = try SequenceSource(inLibrary: path, context)
        _ = try client.start(source.timeline, RunChoices(ofDesktop: RunStart()))
      }
    } catch {
      context.warn(explained(error))
      window = options
    }
  }

  // MARK: - Calls

  package func property(_ name: String, of interface: String) -> BusValue? { nil }

  package func call(_ method: String, of interface: String, _ call: BusCall) {
    /// The words of a search by GNOME Shell.
    func text(_ argument: Answer?) -> String { argument?.strings.joined(separator: " ") ?? "" }
    let arguments = call.arguments.children
    switch method {
    case "GetInitialResultSet": call.finish([.texts(results(text(arguments.first)).map(\.target.id))])
    case "GetSubsearchResultSet": call.finish([.texts(results(text(arguments.last)).map(\.target.id))])
    case "GetResultMetas":
      let ids = call.arguments.firstStrings
      guard ids.count <= DesktopSearch.mostResults else {
        return call.refuse("a search has at most \(DesktopSearch.mostResults) results")
      }
      call.finish([
        .array(of: "a{sv}", ids.compactMap { Target(id: $0).flatMap(result) }.map(DesktopSearch.metadata))
      ])
    case "ActivateResult", "Run":
      guard let target = Target(id: call.arguments.firstString) else { return call.refuse("no such result") }
      start(target)
      call.finish()
    case "LaunchSearch":
      window = ["--search", text(arguments.first)]
      call.finish()
    case "Match":
      call.finish([.array(of: "(sssida{sv})", results(call.arguments.firstString).map(DesktopSearch.match))])
    case "Actions": call.finish([.array(of: "(sss)", [])])
    default: call.refuse("no such method")
    }
  }

  private static let icon = "sequence"

  private static func metadata(_ result: Result) -> BusValue {
    .dictionary([
      "id": .text(result.target.id), "name": .text(result.title), "gicon": .text(icon),
      "description": .text(result.facts),
    ])
  }

  /// A result of KRunner, with one of its ranks: 100 for a text that means nothing else, and 30 for a part of a title.
  private static func match(_ result: Result) -> BusValue {
    let isTimer = if case .timer = result.target { true } else { false }
    return .structure([
      .text(result.target.id), .text(result.title), .text(icon), .int(isTimer ? 100 : 30), .double(0.8),
      .dictionary(["subtext": .text(result.facts)]),
    ])
  }

  private static let interfaces = """
    <node>
      <interface name="org.gnome.Shell.SearchProvider2">
        <method name="GetInitialResultSet">
          <arg type="as" direction="in"/><arg type="as" direction="out"/>
        </method>
        <method name="GetSubsearchResultSet">
          <arg type="as" direction="in"/><arg type="as" direction="in"/><arg type="as" direction="out"/>
        </method>
        <method name="GetResultMetas">
          <arg type="as" direction="in"/><arg type="aa{sv}" direction="out"/>
        </method>
        <method name="ActivateResult">
          <arg type="s" direction="in"/><arg type="as" direction="in"/><arg type="u" direction="in"/>
        </method>
        <method name="LaunchSearch"><arg type="as" direction="in"/><arg type="u" direction="in"/></method>
      </interface>
      <interface name="org.kde.krunner1">
        <method name="Actions"><arg type="a(sss)" direction="out"/></method>
        <method name="Match"><arg type="s" direction="in"/><arg type="a(sssida{sv})" direction="out"/></method>
        <method name="Run"><arg type="s" direction="in"/><arg type="s" direction="in"/></method>
      </interface>
    </node>
    """
}
