import FoundationEssentials
import SequencePlatform
import SequencePresentation
import SequenceClient
import SequenceFiles
import SequenceRunner

/// The page without a run: the quick timer, the last sequences, and the result of the run that has just ended.
final class IdlePage {
  let widget: StatusPage
  private let quick: QuickTimer
  private let recent: ListBox
  private let recentTitle: Label
  private let findings: ListBox
  private var recentRuns: [ActiveRunSnapshot] = []
  /// Starts a sequence, from its source.
  var onStart: (Timeline, RunSource) -> Void = { _, _ in }

  /// The lengths of the timers that have a button, in minutes.
  private static let lengths = [1, 5, 10, 25]
  /// The most sequences that are offered again.
  static let mostRecent = 3
  /// The most runs that are searched for them.
  private static let mostSearched = 50

  init(_ clock: any ClockSource) throws {
    quick = try QuickTimer(clock)
    let interface = try Interface(PackageResources.idle_ui)
    widget = try interface.object("idle")
    recent = try interface.object("recent")
    recentTitle = try interface.object("recent_title")
    findings = try interface.object("findings")
    let lengths: Box = try interface.object("lengths")
    // Two rows of two, if one row has no room.
    let halves = [try Box.make(spacing: 6), try Box.make(spacing: 6)]
    for half in halves {
      half.setChildrenEqual()
      lengths.append(half)
    }
    lengths.setVertical(lengths.hasLargeText)
    lengths.onTextScale { [weak lengths] in lengths?.setVertical((lengths?.textScale ?? 1) >= 1.5) }
    for (place, minutes) in IdlePage.lengths.enumerated() {
      let button = try Button.make(label: LengthText.format(.seconds(minutes * 60)))
      button.setAccessibleName(
        translated("Start a timer of 1 minute", "Start a timer of {} minutes", count: minutes))
      button.setAction("app.start-timer", "\(minutes)m")
      button.set(class: "length", true)
      halves[place * 2 / IdlePage.lengths.count].append(button)
    }
    try (interface.object("quick_place") as Bin).setChild(quick.widget)
    quick.onStart = { [unowned self] in onStart($0, .timer) }
    recent.onRow { [unowned self] index in
      guard recentRuns.indices.contains(index) else { return }
      onStart(recentRuns[index].timeline, recentRuns[index].source)
    }
  }

  /// Shows the result of a run, or the usual title without one.
  func show(_ ended: EndedRun?) {
    // A mistake of before the run has been seen.
    quick.showLine()
    // The result takes the place of the hint, so that the field stays where it is.
    widget.set(
      "description", to: ended.map { markup(IdlePage.result(EndedRunSummary($0))) } ?? IdlePage.hint)
  }

  private static let hint = "Write a duration, or a title and a duration."

  /// The result of a run in a sentence.
  static func result(_ run: EndedRunSummary) -> String {
    let title = "“\(TextSafety.sanitised(run.title))”"
    let time = LengthText.elapsed(run.active)
    let steps = run.steps == 1 ? "" : " · \(StepText.completed(run))"
    return switch run.outcome {
    case .finished: "\(title) is finished after \(time)\(steps)"
    case .stopped: "\(title) was stopped after \(time)\(steps)"
    case .lost: "\(title) was lost after \(time)"
    }
  }

  /// Reads the last sequences of the history.
  func refreshRecent(_ client: Client) throws {
    recentRuns = []
    recent.removeRows()
    var seen: Set<String> = []
    for summary in try client.store.historySummaries().prefix(IdlePage.mostSearched)
    where summary.outcome != .lost && seen.insert(summary.sequenceID).inserted {
      guard let id = UUID(uuidString: summary.runID), let run = try client.store.endedRun(id: id) else {
        continue
      }
      recentRuns.append(run.snapshot)
      let length = SequenceLength(run.snapshot.timeline)
      let row = try ActionRow.make(
        TextSafety.sanitised(summary.title), "\(length.stepsText) · \(length.timeText(LengthText.format))",
        isActivatable: true)
      row.addPrefix(try Image.make(icon: "media-playback-start-symbolic"))
      if run.snapshot.source != .file {
        let save = try Button.make(
          icon: "document-save-symbolic",
          translated("Save “{}” as a Sequence", TextSafety.sanitised(summary.title)))
        save.setAction("app.save-run", summary.runID)
        row.addSuffix(save)
      }
      recent.append(row)
      if recentRuns.count == IdlePage.mostRecent { break }
    }
    recent.isVisible = !recentRuns.isEmpty
    recentTitle.isVisible = !recentRuns.isEmpty
  }

  /// Shows the problems that `sequence doctor` finds, with their remedies.
  func show(_ found: [Finding]) throws {
    findings.removeRows()
    for finding in found {
      let row = try ActionRow.make(
        TextSafety.sanitised(finding.summary),
        finding.advice.map { TextSafety.sanitised($0).capitalizedFirst })
      // A remedy is of no use without the whole problem.
      row.setTitleLines(0)
      row.addPrefix(
        try Image.make(icon: finding.state == .error ? "dialog-error-symbolic" : "dialog-warning-symbolic"))
      findings.append(row)
    }
    findings.isVisible = !found.isEmpty
  }

  /// Starts a quick timer, as if the user had written it into the field.
  func start(_ text: String) { quick.start(text) }

  func focusField() { quick.focus() }
}

extension Finding {
  /// The subject and the result in a sentence.
  fileprivate var summary: String {
    check.title.capitalizedFirst + ": " + text
  }
}
