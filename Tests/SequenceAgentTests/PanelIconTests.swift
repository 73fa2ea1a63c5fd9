import Foundation
import SequenceAgent
import SequenceConfiguration
import SequenceNotifications
import SequencePlatform
import SequencePresentation
import SequenceRunner
import TestSupport
import Testing

/// What the icon of the panel shows, and when that changes.
struct PanelIconTests {
  private let clock = ManualClock()
  private let directory: TemporaryDirectory
  private let store: RunStore

  init() throws {
    directory = try TemporaryDirectory()
    store = try CompleteStore.open(in: StateDirectory(path: directory.path), clock: clock)
  }

  private func start(_ timing: Timing, isRest: Bool = false) throws {
    let card = Card(id: UUID(), title: "A", timing: timing, isRest: isRest)
    _ = try store.start(
      try Timeline(
        SequenceDefinition(id: UUID(), title: "Test", elements: [.card(card)], onSuspend: nil, onLock: nil)))
  }

  private func face() throws -> PanelIcon.Face { try #require(PanelIcon(store.peek())).face }

  @Test(arguments: [
    (60, "1"), (61, "2"), (1500, "25"), (5940, "99"), (5941, "2h"), (7200, "2h"), (7201, "3h"),
    (356_400, "99h"),
    (356_401, "5d"), (30 * 86_400, "30d"),
  ])
  func `the time left is rounded up, to larger units from 100 on`(seconds: Int, text: String) throws {
    try start(.countdown(.seconds(seconds), advance: .automatic))
    #expect(try face() == .time(text, isRest: false))
  }

  @Test func `the icon changes each minute of a countdown, and in no pause`() throws {
    try start(.countdown(.seconds(150), advance: .manual), isRest: true)
    var faces: [PanelIcon.Face] = []
    var times: [Duration] = []
    let begin = clock.now().boot
    while let wake = try VisibleClocks.nextMinute(of: store.peek()) {
      faces.append(try face())
      times.append(wake - begin)
      clock.advance(by: wake - clock.now().boot)
    }
    #expect(faces == ["3", "2", "1"].map { .time($0, isRest: true) })
    #expect(times == [30, 90, 150].map { Duration.seconds($0) })
    #expect(try face() == .overtime)
    _ = try store.perform(.extend(.seconds(100)))
    _ = try store.perform(.pause)
    #expect(try face() == .paused)
    #expect(try VisibleClocks.nextMinute(of: store.peek()) == nil)
  }

  @Test func `a count-up shows the minutes that are full`() throws {
    try start(.countUp(goal: nil))
    let begin = clock.now().boot
    #expect(try face() == .time("0", isRest: false))
    clock.advance(by: .seconds(59))
    #expect(try face() == .time("0", isRest: false))
    #expect(try VisibleClocks.nextMinute(of: store.peek()) == begin + .seconds(60))
    clock.advance(by: .seconds(1))
    #expect(try face() == .time("1", isRest: false))
    clock.advance(by: .seconds(119 * 60))
    #expect(try face() == .time("2h", isRest: false))
  }

  @Test(arguments: IconDrawing.sizes)
  func `each icon is another picture of its size, with transparent corners`(size: Int) throws {
    let texts =
      (0...9).map(String.init) + ["10", "25", "52", "69", "96", "99", "2h", "36h", "98h", "5d", "30d"]
    let faces =
      texts.map { PanelIcon.Face.time($0, isRest: false) } + [.time("25", isRest: true), .paused, .overtime]
    let pictures = faces.map { IconDrawing.pixels(of: $0, size: size) }
    #expect(Set(pictures).count == faces.count)
    for (face, picture) in zip(faces, pictures) {
      #expect(picture.count == size * size * 4)
      for corner in [0, size - 1, size * (size - 1), size * size - 1] { #expect(picture[corner * 4] < 128) }
      let middle = (size / 2 * size + 1) * 4
      #expect(picture[middle] == 255, "\(face)")
      // The text touches neither side.
      for row in 0..<size {
        for column in [0, size - 1] {
          let pixel = (row * size + column) * 4
          #expect(Set(picture[pixel + 1..<pixel + 4]) != [255], "\(face)")
        }
      }
    }
  }
}
