import SequencePlatform
import SequencePresentation
import SequenceFiles
import SequenceRunner
import SequenceStore
import TestSupport
import Testing

@testable import SequenceWindow

/// The view of a run, and its layout on the page, in every state of a run.
@Suite struct RunPageTests {
  private let directory: TemporaryDirectory
  private let clock = ManualClock()
  private let store: RunStore

  init() throws {
    directory = try TemporaryDirectory()
    store = try RunStore(in: StateDirectory(path: directory.path), clock: clock, parts: [], observers: [])
  }

  private func start(_ text: String) throws {
    _ = try store.start(try SequenceFile.parse(Array(text.utf8)).timeline)
  }

  private func page() throws -> RunView {
    let look = try store.settle()
    return try #require(RunView(look))
  }

  private func steps() throws -> StepArcs? {
    StepArcs(try #require(try store.settle().run))
  }

  private static let tabata = """
    title: Tabata
    cards:
      - rounds: 8
        cards:
          - { title: Work, countdown: 20s, note: All out }
          - { title: Rest, countdown: 10s, skipLast: true }
    """

  @Test func `the title of the window has the clock time at which the step ends by itself`() throws {
    try start(
      """
      title: T
      cards:
        - { title: A, countdown: 10m }
        - { title: B, countdown: 10m, advance: manual }
        - { title: C, countUp: { goal: 10m } }
      """)
    let end = LocalTime.clock(of: clock.now().advanced(by: .seconds(600)).wall, now: clock.now().wall)
    #expect(try page().windowTitle == "A until \(end) – T")
    _ = try store.perform(.pause)
    #expect(try page().windowTitle == "A – T")
    _ = try store.perform(.next)
    _ = try store.perform(.resume())
    #expect(try page().windowTitle == "B – T")
    _ = try store.perform(.next)
    #expect(try page().windowTitle == "C – T")
  }

  @Test func `the sign of overtime stays before it, also beside a title from right to left`() throws {
    try start(
      "title: تمرين\ncards: [{ title: A, countdown: 1s, advance: manual }, { title: شاي, countdown: 30s }]")
    clock.advance(by: .seconds(3))
    #expect(try page().directedTime == "\u{200E}+0:02")
    #expect(try page().time == "+0:02")
    #expect(try page().windowTitle == "A – \u{200E}\u{2068}تمرين\u{2069}")
    #expect(try page().nextText == "Next: \u{200E}\u{2068}شاي\u{2069}  0:30")
  }

  @Test func `a countdown has the clock time of its end below its time, until it is paused`() throws {
    try start("title: Tea\ncards: [{ title: Tea, countdown: 5m }]")
    let end = LocalTime.clock(of: clock.now().advanced(by: .seconds(300)).wall, now: clock.now().wall)
    #expect(try page().caption == "until \(end)")
    _ = try store.perform(.pause)
    #expect(try page().caption == "Paused")
  }

  @Test func `skipped steps are done in the progress of the whole run`() throws {
    try start(RunPageTests.tabata)
    for _ in 0..<7 { _ = try store.perform(.skip) }
    clock.advance(by: .seconds(5))
    // 110 of 230 s are planned before the eighth step.
    #expect(try page().wholeTexts == ["Round 4 of 8", "1:55 left"])
    #expect(try page().progress == 0.5)
  }

  @Test func `endless rounds show the round, and no time left`() throws {
    try start(RunPageTests.tabata.replacing("rounds: 8", with: "rounds: forever"))
    clock.advance(by: .seconds(65))
    let page = try page()
    #expect(page.heading == "Step 5 · Tabata")
    #expect(page.next?.title == "Rest")
    #expect(page.wholeTexts == ["Round 3", "1:05 so far"])
    #expect(page.progress == nil)
  }

  @Test func `a countdown shows its time, its rounds and the next step`() throws {
    try start(RunPageTests.tabata)
    clock.advance(by: .milliseconds(5500))
    let page = try page()
    #expect(page.sequence == "Tabata")
    #expect(page.heading == "Step 1 of 15 · Tabata")
    #expect(page.title == "Work")
    #expect(page.note == "All out")
    #expect(page.time == "0:15")
    #expect(page.activity == .countdown)
    #expect(page.stepProgress == 0.25)
    #expect(page.next?.title == "Rest" && page.next?.length == "0:10")
    #expect(page.wholeTexts == ["Round 1 of 8", "3:45 left"])
    #expect(page.endsByItself)
    #expect(page.position.target != nil)
    #expect(!page.isRest)
    #expect(!page.isInLastSeconds)
  }

  @Test func `the place comes before the title of the sequence, which may be cut off`() throws {
    try start(RunPageTests.tabata)
    #expect(try page().heading == "Step 1 of 15 · Tabata")
    #expect(try page().nextText == "Next: Rest  0:10")
    for _ in 0..<14 { _ = try store.perform(.next) }
    #expect(try page().nextText == "Last step")
  }

  @Test func `the only step has no place, and its title isn't repeated`() throws {
    try start("title: Tea\ncards: [{ title: Tea, countdown: 5m }]")
    #expect(try page().heading == nil)
    #expect(try page().nextText == nil)
    _ = try store.perform(.stop)
    try start("title: Tea\ncards: [{ title: Green tea, countdown: 5m }]")
    #expect(try page().heading == "Tea")
  }

  @Test func `a rest is known by skipLast`() throws {
    try start(RunPageTests.tabata)
    _ = try store.perform(.next)
    #expect(try page().isRest)
  }

  @Test(arguments: ["Rest", "Short break", "active RECOVERY", "Pause"])
  func `a rest is known by its title`(title: String) throws {
    try start("title: A\ncards: [{ title: \(title), countdown: 1m }]")
    #expect(try page().isRest)
  }

  @Test func `a title that only contains the word isn't a rest`() throws {
    try start("title: A\ncards: [{ title: Wrestling breakdance, countdown: 1m }]")
    #expect(try !page().isRest)
  }

  @Test func `the last three seconds of a countdown are its end, unless it is paused`() throws {
    try start(RunPageTests.tabata)
    clock.advance(by: .milliseconds(16_900))
    #expect(try !page().isInLastSeconds)
    clock.advance(by: .milliseconds(100))
    #expect(try page().isInLastSeconds)
    _ = try store.perform(.pause)
    let paused = try page()
    #expect(!paused.isInLastSeconds)
    #expect(paused.isPaused)
    #expect(paused.caption == "Paused")
    #expect(paused.time == "0:03")
  }

  @Test func `a manual countdown shows its overtime and waits to be done`() throws {
    try start("title: Tea\ncards: [{ title: Steep, countdown: 5m, advance: manual }]")
    clock.advance(by: .seconds(312))
    let page = try page()
    #expect(page.activity == .overtime)
    #expect(page.time == "+0:12")
    #expect(page.caption == "Time is up")
    #expect(page.stepProgress == 1)
    #expect(!page.endsByItself)
    #expect(page.next == nil)
  }

  @Test func `a count-up without a goal has no progress and cannot be extended`() throws {
    try start("title: Run\ncards: [{ title: Run, countUp: {} }, { title: Walk, countdown: 1m }]")
    clock.advance(by: .seconds(3723))
    let page = try page()
    #expect(page.activity == .countUp)
    #expect(page.time == "1:02:03")
    #expect(page.stepProgress == nil)
    #expect(page.caption == nil)
    #expect(page.position.target == nil)
    #expect(!page.endsByItself)
    #expect(page.wholeTexts == ["1:02:03 so far"])
    #expect(page.progress == 0)
  }

  @Test func `the progress of the run and the time left measure the plan`() throws {
    try start(
      "title: A\ncards: [{ title: W, countdown: 10m, advance: manual }, { title: X, countdown: 10m }]")
    clock.advance(by: .seconds(900))
    // Overtime isn't planned.
    #expect(try page().wholeTexts == ["10:00 left"])
    #expect(try page().progress == 0.5)
    _ = try store.perform(.next)
    _ = try store.perform(.back)
    #expect(try page().wholeTexts == ["20:00 left"])
    #expect(try page().progress == 0)
  }

  @Test func `a single step without a fixed length shows the time so far`() throws {
    try start("title: A\ncards: [{ title: W, countUp: {} }]")
    clock.advance(by: .seconds(65))
    #expect(try page().wholeTexts == ["1:05 so far"])
    #expect(try page().progress == nil)
  }

  @Test func `the run waits for the user in overtime and in a count-up, but not in a pause`() throws {
    try start("title: A\ncards: [{ title: W, countdown: 1m, advance: manual }, { title: X, countUp: {} }]")
    #expect(try !page().waitsForUser)
    clock.advance(by: .seconds(60))
    #expect(try page().waitsForUser)
    _ = try store.perform(.next)
    #expect(try page().waitsForUser)
    _ = try store.perform(.pause)
    #expect(try !page().waitsForUser)
  }

  @Test func `only an effort that runs has a full disc`() throws {
    try start(RunPageTests.tabata)
    #expect(try page().isFull)
    _ = try store.perform(.pause)
    #expect(try !page().isFull)
    _ = try store.perform(.resume())
    _ = try store.perform(.next)
    #expect(try !page().isFull)
  }

  @Test func `a count-up shows its goal, and that it is reached`() throws {
    try start("title: Run\ncards: [{ title: Run, countUp: { goal: 30m } }]")
    clock.advance(by: .seconds(900))
    #expect(try page().caption == "Goal 30:00")
    #expect(try page().stepProgress == 0.5)
    clock.advance(by: .seconds(960))
    let page = try page()
    #expect(page.activity == .goalReached)
    #expect(page.caption == "Goal reached")
    #expect(page.time == "31:00")
    #expect(page.stepProgress == 1)
  }

  @Test func `outer rounds come before inner ones`() throws {
    try start(
      "title: A\ncards: [{ rounds: 3, cards: [{ rounds: 4, cards: [{ title: W, countdown: 1m }] }] }]")
    #expect(try page().roundsText == "Round 1 of 3 · 1 of 4")
  }

  @Test func `a group of one round shows no rounds`() throws {
    try start("title: A\ncards: [{ rounds: 1, cards: [{ title: W, countdown: 1m }] }]")
    #expect(try page().roundsText == nil)
  }

  @Test func `the steps of a run are arcs as long as they are, and rests are known`() throws {
    try start(
      """
      title: A
      cards:
        - { title: Get ready, countdown: 10s }
        - rounds: 2
          cards:
            - { title: Work, countdown: 40s }
            - { title: Rest, countdown: 20s, skipLast: true }
        - { title: Stretch, countdown: 50s }
      """)
    _ = try store.perform(.next)
    let steps = try #require(try steps())
    #expect(steps.current == 1)
    #expect(steps.arcs.map { ($0.end * 160).rounded() } == [10, 50, 70, 110, 160])
    #expect(steps.arcs.map { ($0.start * 160).rounded() } == [0, 10, 50, 70, 110])
    #expect(steps.arcs.map(\.isRest) == [false, false, true, false, false])
    #expect(steps.arcs.map(\.beginsRound) == [false, true, false, true, true])
    _ = try store.perform(.extend(.seconds(40)))
    #expect(try self.steps()?.arcs.map { ($0.end * 200).rounded() } == [10, 90, 110, 150, 200])
  }

  @Test func `of too many steps, the outermost round that has few enough is shown`() throws {
    let round = "{ rounds: 5, cards: [{ title: Work, countdown: 1m }, { title: Rest, countdown: 1m }] }"
    try start(
      """
      title: A
      cards:
        - { title: Get ready, countdown: 10s }
        - { rounds: 4, cards: [{ title: Bell, countdown: 1m }, \(round)] }
      """)
    #expect(try steps() == nil)
    for _ in 0..<15 { _ = try store.perform(.skip) }
    #expect(try page().wholeTexts == ["Round 2 of 4 · 2 of 5", "30:00 left"])
    let steps = try #require(try steps())
    #expect(steps.arcs.count == 11)
    #expect(steps.current == 3)
  }

  @Test func `the ring of an endless run shows one round, and that of a single step none`() throws {
    try start(RunPageTests.tabata.replacing("rounds: 8", with: "rounds: forever"))
    for _ in 0..<3 { _ = try store.perform(.skip) }
    #expect(try steps()?.arcs.count == 2)
    #expect(try steps()?.current == 1)
    _ = try store.perform(.stop)
    try start("title: Tea\ncards: [{ title: Tea, countdown: 5m }]")
    #expect(try steps() == nil)
  }

  @Test func `a step without a length is as long as the others are on average, and a short one can be seen`()
    throws
  {
    try start(
      """
      title: A
      cards:
        - { title: A, countdown: 1s }
        - { title: B, countUp: {} }
        - { title: C, countdown: 99s }
      """)
    #expect(try steps()?.arcs.map { ($0.end * 159).rounded() } == [10, 60, 159])
  }

  @Test func `the steps of a run that starts later begin there`() throws {
    let file =
      "title: A\ncards: [{ title: A, countdown: 1m }, { title: B, countdown: 1m }, { title: C, countdown: 1m }]"
    let timeline = try SequenceFile.parse(Array(file.utf8)).timeline
    _ = try store.start(timeline, options: .unspecified, RunStart(firstStep: 1))
    #expect(try steps()?.arcs.count == 2)
    #expect(try steps()?.current == 0)
  }

  @Test func `after a suspend the page offers to count the time`() throws {
    try start("title: A\nonSuspend: ask\ncards: [{ title: W, countdown: 1h }]")
    clock.advance(by: .seconds(60))
    try store.suspend(for: .sleep, at: clock.now())
    clock.advance(by: .seconds(720))
    #expect(try page().suspendText == nil)
    try store.endSuspend()
    let page = try page()
    #expect(page.suspendText == "The computer slept for 12\u{A0}min")
    #expect(page.isPaused)
  }

  @Test func `a short suspend is no question, but can be counted`() throws {
    try start("title: A\nonSuspend: ask\ncards: [{ title: W, countdown: 1h }]")
    try store.suspend(for: .sleep, at: clock.now())
    clock.advance(by: .milliseconds(9999))
    try store.endSuspend()
    #expect(try page().suspendText == nil)
    #expect(try page().canCountSuspend)
  }

  @Test func `control characters of titles are not shown`() throws {
    try start(#"title: "A\u001b[31m"\#ncards: [{ title: "W\u0007\u202e", countdown: 1h }]"#)
    let page = try page()
    #expect(!page.sequence.unicodeScalars.contains("\u{1b}"))
    #expect(!page.title.unicodeScalars.contains("\u{7}"))
  }

  @Test func `the page of a run of 100,000 steps is made in less than 20 ms`() throws {
    try start(
      "title: A\ncards: [{ rounds: 50000, cards: [{ title: W, countdown: 1s }, { title: R, countdown: 1s }] }]"
    )
    clock.advance(by: .seconds(60_000))
    let look = try store.settle()
    // The least of a few, because another process may take the caches.
    let durations = (1...5).map { _ in processorTime { _ = RunView(look)?.details } }
    #expect(try #require(durations.min()) < .milliseconds(20))
  }
}
