import TestSupport
import Testing

@testable import SequenceWindow

/// The arrangement of the run's page in rooms of different sizes.
@Suite struct RunLayoutTests {
  private func best(
    _ width: Int, _ height: Int, isFullScreen: Bool = false, hasPicture: Bool = false
  ) throws -> RunLayout {
    let room = RunLayout.Room(
      width: width, height: height, isFullScreen: isFullScreen, hasPicture: hasPicture)
    return try #require(RunLayout.candidates(room).first)
  }

  @Test(.timeLimit(.minutes(5)))
  func `every button and every text has its place in windows of every size`() throws {
    let screen = try VirtualScreen()
    screen.allowLeaks()
    let picture = BuiltProducts.repository + "docs/window/run.png"
    let output = try ChildProcess.run(
      BuiltProducts.path(of: "lay-out"), [screen.directory.path, picture], environment: screen.environment,
      within: .seconds(280))
    #expect(output.status == 0, "\(output.text.suffix(4000))")
    #expect(output.text.hasSuffix(", 0 problems"))
  }

  @Test func `a step changes at once with reduced animations, and nothing ticks after it`() throws {
    let screen = try VirtualScreen()
    screen.allowLeaks()
    let output = try ChildProcess.run(
      BuiltProducts.path(of: "lay-out"), [screen.directory.path, "--motions"],
      environment: screen.environment,
      within: .seconds(60))
    #expect(output.status == 0, "\(output.text) \(output.errors)")
  }

  @Test func `a low window has the words beside the ring`() throws {
    let layout = try best(360, 247)
    #expect(layout.isWide)
    #expect(layout.isSmall)
    #expect(!layout.shows(.hint))
  }

  @Test func `a high window has the words above and below the ring`() throws {
    let layout = try best(400, 590)
    #expect(!layout.isWide)
    #expect(layout.shows(.hint))
  }

  @Test func `a picture is beside the ring, or between the words where there is room for two columns`() throws
  {
    #expect(try !best(450, 590, hasPicture: true).isWide)
    #expect(try !best(1280, 900).isWide)
    #expect(try best(1280, 900, hasPicture: true).isWide)
  }

  @Test func `parts are left out in one order`() {
    for (hasPicture, isAsking) in [(false, false), (true, false), (false, true)] {
      let room = RunLayout.Room(
        width: 450, height: 590, textScale: 2, hasPicture: hasPicture, isAsking: isAsking)
      let candidates = RunLayout.candidates(room)
      for layout in candidates {
        // A part is never shown if one that is left out after it is missing.
        let shown = RunLayout.Part.allCases
          .filter { $0 != .hint && ($0 != .picture || hasPicture) && ($0 != .ring || isAsking) }
          .map(layout.shows)
        #expect(shown == shown.sorted { !$0 && $1 })
      }
      #expect(candidates.last?.shows(.whole) == false)
    }
  }

  @Test func `large texts are tried before smaller ones`() {
    let sizes = RunLayout.candidates(RunLayout.Room(width: 450, height: 590, textScale: 2)).map(\.textSize)
    #expect(sizes.first == 28)
    #expect(sizes == sizes.sorted(by: >))
  }

  @Test func `texts grow with the screen`() throws {
    let sizes = try [(400, 590), (1920, 1080), (3840, 2160)].map { try best($0.0, $0.1) }
    #expect(sizes[0].titleSize < sizes[1].titleSize)
    #expect(sizes[1].titleSize < sizes[2].titleSize)
    #expect(sizes[1].textSize < sizes[2].textSize)
    #expect(sizes[0].spacing < sizes[1].spacing)
    #expect(sizes[0].buttonSize < sizes[1].buttonSize)
    #expect(sizes[1].buttonSize < sizes[2].buttonSize)
  }

  @Test func `the full screen has no line about closing`() throws {
    let layout = try best(1080, 1920, isFullScreen: true)
    #expect(!layout.shows(.hint))
    #expect(!layout.isWide)
  }

  @Test func `the texts of a full screen can be read from a distance`() throws {
    let room = RunLayout.Room(width: 1920, height: 1080, isFullScreen: true, hasNotes: false)
    let layout = try #require(RunLayout.candidates(room).first)
    #expect(layout.textSize == 60)
    #expect(layout.titleSize == 90)
    // A title of one line, two lines of the next step, and the heading.
    let headings = layout.smallTextSize * 4 / 3 + 4 + layout.titleHeight
    #expect(layout.fits(headings: headings, details: (0, layout.detailsHeight), hint: 0))
  }

  @Test func `the digits of a full screen have 40 % of its height`() throws {
    for (width, height) in [(1280, 720), (1920, 1080), (1504, 1003), (3840, 2160)] {
      #expect(try best(width, height, isFullScreen: true).digitsHeight == height * 2 / 5)
    }
  }

  @Test func `two lines of a long title take the height that is kept for it`() throws {
    let layout = try best(450, 626)
    #expect(layout.smallTitleSize * 2 * 4 / 3 <= layout.titleHeight)
    #expect(layout.titleSize * 4 / 3 <= layout.titleHeight)
  }

  @Test(arguments: [640, 960, 1280, 1366, 1920, 2560, 3840, 7680])
  func `the buttons on a wide full screen are below the ring and the words`(width: Int) throws {
    for height in stride(from: 300, to: width * 2 / 3, by: 10) {
      let room = RunLayout.Room(width: width, height: height, isFullScreen: true)
      for layout in RunLayout.candidates(room) {
        let box = layout.buttonSize * 5 / 4 + 2 * layout.controlsPadding
        #expect(layout.controlsBottom + box <= layout.heightBelowBody, "\(width)x\(height)")
      }
    }
  }

  @Test(arguments: [(1, 1), (360, 1), (1, 294), (100_000, 100_000)])
  func `every room has an arrangement`(width: Int, height: Int) throws {
    let layout = try best(width, height)
    #expect(layout.titleSize >= 20)
    #expect(layout.textSize >= 13)
  }
}
