import Testing

@testable import SequenceWindow

/// The arrangement of the run's page in rooms of different sizes.
@Suite struct RunLayoutTests {
  @Test func `a low window has the words beside the ring`() {
    let layout = RunLayout(width: 360, height: 247)
    #expect(layout.isWide)
    #expect(layout.isSmall)
    #expect(!layout.showsHint)
  }

  @Test func `a high window has the words above and below the ring`() {
    let layout = RunLayout(width: 400, height: 590)
    #expect(!layout.isWide)
    #expect(layout.showsHint)
  }

  @Test func `texts grow with the screen`() {
    let sizes = [(400, 590), (1920, 1080), (3840, 2160)].map { RunLayout(width: $0, height: $1) }
    #expect(sizes[0].titleSize < sizes[1].titleSize)
    #expect(sizes[1].titleSize < sizes[2].titleSize)
    #expect(sizes[1].textSize < sizes[2].textSize)
    #expect(sizes[0].spacing < sizes[1].spacing)
    #expect(sizes[0].buttonSize < sizes[1].buttonSize)
    #expect(sizes[1].buttonSize < sizes[2].buttonSize)
  }

  @Test func `the full screen has no line about closing`() {
    let layout = RunLayout(width: 1080, height: 1920, isFullScreen: true)
    #expect(!layout.showsHint)
    #expect(!layout.isWide)
  }

  @Test(arguments: [360, 450, 800, 1920], [1.25, 1.5, 2.0, 3.0])
  func `large texts grow as far as there is room for them`(width: Int, scale: Double) {
    for height in stride(from: 200, through: 2160, by: 20) {
      for isFullScreen in [false, true] {
        let usual = RunLayout(width: width, height: height, isFullScreen: isFullScreen)
        let large = RunLayout(width: width, height: height, isFullScreen: isFullScreen, textScale: scale)
        #expect(large.fits(height: height), "\(width)x\(height)")
        #expect(large.textSize >= usual.textSize)
      }
    }
    #expect(RunLayout(width: 450, height: 1200, textScale: 2).textSize == 28)
  }

  @Test func `two lines of a long title take the height that is kept for it`() {
    let layout = RunLayout(width: 450, height: 626)
    #expect(layout.smallTitleSize * 2 * 4 / 3 <= layout.titleHeight)
    #expect(layout.titleSize * 4 / 3 <= layout.titleHeight)
  }

  @Test(arguments: [360, 450, 600, 800, 1000, 1280, 1920, 3840], [false, true])
  func `the longest texts leave room for the buttons`(width: Int, isFullScreen: Bool) {
    for height in stride(from: 200, through: 2160, by: 10) {
      let layout = RunLayout(width: width, height: height, isFullScreen: isFullScreen)
      #expect(layout.fits(height: height), "\(width)x\(height)")
    }
  }

  @Test(arguments: [960, 1280, 1366, 1920, 2560, 3840, 7680])
  func `the buttons on a wide full screen are below the ring and the words`(width: Int) {
    for height in stride(from: 600, to: width * 2 / 3, by: 10) {
      let layout = RunLayout(width: width, height: height, isFullScreen: true)
      #expect(layout.controlsBottom < layout.heightBelowBody - layout.buttonSize, "\(width)x\(height)")
    }
  }

  @Test(arguments: [(1, 1), (360, 1), (1, 294), (100_000, 100_000)])
  func `every room has an arrangement`(width: Int, height: Int) {
    let layout = RunLayout(width: width, height: height)
    #expect(layout.titleSize >= 20)
    #expect(layout.textSize >= 13)
  }
}
