import CSequenceAdwaita
import Foundation
import SequenceFiles
import SequencePlatform
import SequencePresentation
import SequenceRunner
import SequenceStore
import TestSupport

@testable import SequenceWindow

// Lays the page of a run out in rooms of many sizes, with every state, picture, note and text size, and prints a line
// for each part that is cut off, lies outside of the page or covers another.
//
//     lay-out DIRECTORY PICTURE
//     lay-out DIRECTORY --motions     changes the step of a page, and prints what moves wrongly
//
// It needs a display. The first form shows nothing.

guard CommandLine.arguments.count == 3, gtk_init_check() != 0
else {
  fatalError("name a directory and a picture, and start it on a display")
}
let (directory, image) = (CommandLine.arguments[1], CommandLine.arguments[2])
adw_init()
loadStyle(PackageResources.style_css)

/// A state of a run, and the parts that its page must show in each room.
struct State {
  let name: String
  let view: RunView
  let run: ActiveRunSnapshot
  var hasPicture: Bool { view.position.step.card.image != nil }

  /// The parts that a room must show.
  func wanted(in room: Room) -> [String] {
    guard view.suspendText == nil else {
      return room.isSmall ? ["count"] : ["count", "ring", "suspend_text"]
    }
    guard !room.isSmall else { return ["ring", "title"] }
    let own = [
      ("note", view.note != nil), ("next", view.nextText != nil),
      ("whole", view.position.stepCount != 1), ("picture", hasPicture),
    ]
    return ["ring", "title"] + own.filter(\.1).map(\.0)
  }
}

let note = "Keep your back straight, heels down, knees over your toes."
let clock = ManualClock()

func state(
  _ name: String, _ file: String, _ act: (RunStore) throws -> Void = { _ in }
) throws -> State {
  let store = try RunStore(
    in: StateDirectory(path: "\(directory)/\(name)"), clock: clock, parts: [], observers: [])
  _ = try store.start(try SequenceFile.parse(Array(file.utf8)).timeline)
  try act(store)
  let status = try store.settle()
  guard let view = RunView(status), let run = status.run else { fatalError("\(name) is over") }
  return State(name: name, view: view, run: run)
}

/// A workout with rounds, whose card has more properties.
func workout(_ properties: String, title: String = "Squats", rounds: String = "4") -> String {
  """
  title: Legs and everything else
  cards:
    - rounds: \(rounds)
      cards:
        - { title: \(title), countdown: 40s\(properties) }
        - { title: Rest with a longer title, countdown: 20s }
  """
}

let long = "Bulgarian split squats with the left foot on the bench"
var states: [State] = []
for (name, picture) in [("", ""), ("picture-", ", image: \(image)")] {
  states += [
    try state(name + "plain", "title: Tea\ncards: [{ title: Tea, countdown: 5m\(picture) }]"),
    try state(name + "rounds", workout(picture)),
    try state(name + "note", workout(picture + ", note: \"\(note)\"")),
    try state(name + "paused", workout(picture + ", note: \"\(note)\"")) { _ = try $0.perform(.pause) },
    try state(name + "long", workout(picture + ", note: \"\(note)\"", title: long, rounds: "40")),
    try state(name + "tall", workout(picture + ", note: \"ब्रह्मपुत्र الجزء 👩‍👩‍👧‍👦\"", title: "प्रशिक्षण 🧘 שלום")),
    try state(name + "rest", workout(picture + ", rest: true")),
    try state(
      name + "overtime", "title: T\ncards: [{ title: Egg, countdown: 0.001s, advance: manual\(picture) }]"),
    try state(name + "goal", "title: T\ncards: [{ title: Run, countUp: { goal: 30m }\(picture) }]"),
    try state(name + "question", "onSuspend: ask\n" + workout(picture + ", note: \"\(note)\"")) { store in
      try store.suspend(for: .sleep, at: clock.now())
      clock.advance(by: .seconds(720))
      try store.endSuspend()
    },
  ]
}

/// The rooms of the page: those of windows below a header and above the views and, with several runs, below the strip.
struct Room: CustomStringConvertible {
  let width: Int
  let height: Int
  let isFullScreen: Bool
  let scale: Double

  /// Whether it is so small, for texts of that size, that parts are left out and long texts are cut.
  var isSmall: Bool { Double(width) < 450 * scale || Double(height) < 400 * scale }

  var description: String {
    "\(width)x\(height)\(isFullScreen ? " full screen" : "") at \(Int(scale * 100)) %"
  }
}

let windows = [
  (360, 294), (360, 360), (360, 480), (360, 640), (450, 450), (450, 680), (500, 294), (600, 600), (640, 360),
  (700, 500), (760, 560), (800, 294), (800, 1100), (1000, 640), (1000, 760), (1200, 700), (1280, 900),
  (1920, 400),
  (1920, 1080), (1080, 1920), (3840, 2160),
]
let screens = [
  (1024, 600), (1280, 720), (1280, 800), (1280, 900), (1504, 1003), (1920, 1080), (1080, 1920), (3840, 2160),
  (360, 640), (640, 360),
]
var rooms: [Room] = []
for scale in [1.0, 2.0] {
  let (header, views, strip) = (
    47 + Int(12 * (scale - 1)), 47 + Int(18 * (scale - 1)), 42 + Int(20 * (scale - 1))
  )
  for (width, height) in windows {
    let switcher = width < 600 ? views : 0
    for strip in [0, strip] {
      rooms.append(
        Room(
          width: width, height: height - header - switcher - strip, isFullScreen: false,
          scale: scale))
    }
  }
  for (width, height) in screens {
    rooms.append(
      Room(
        width: width, height: height, isFullScreen: true, scale: scale))
  }
}

func iterate() { while g_main_context_iteration(nil, 0) != 0 {} }

func isA(_ widget: UnsafeMutablePointer<GtkWidget>, _ type: GType) -> Bool {
  UnsafeMutableRawPointer(widget).withMemoryRebound(to: GTypeInstance.self, capacity: 1) {
    g_type_check_instance_is_a($0, type) != 0
  }
}

@MainActor func setScale(_ scale: Double) {
  setSetting("gtk-xft-dpi", GType.number) { g_value_set_int(&$0, gint(scale * 96 * 1024)) }
}

if image == "--motions" {
  let (former, next) = try (
    state("motions", workout("")), state("motions-next", workout("")) { _ = try $0.perform(.next) }
  )
  exit(try checkMotions(of: former.run, from: former.view, to: next.view, at: clock.now().wall) ? 0 : 1)
}

var problems = 0
@MainActor func complain(_ name: String, _ room: Room, _ text: String) {
  problems += 1
  print("\(name) in \(room): \(text)")
}

@MainActor func layOut(_ widget: UnsafeMutablePointer<GtkWidget>, _ room: Room) {
  // The page arranges itself after it has learned its size.
  for _ in 0..<3 {
    iterate()
    var natural = gint(0)
    gtk_widget_measure(widget, GTK_ORIENTATION_HORIZONTAL, -1, nil, &natural, nil, nil)
    gtk_widget_measure(widget, GTK_ORIENTATION_VERTICAL, gint(room.width), nil, &natural, nil, nil)
    gtk_widget_allocate(widget, gint(room.width), gint(room.height), -1, nil)
  }
}

let runButtons = ["stop", "back", "toggle", "leave", "extend"]

/// - Parameter wanted: the parts that the room must show.
@MainActor func check(_ root: Widget, _ state: String, _ room: Room, wanted: [String]) {
  let widget: UnsafeMutablePointer<GtkWidget> = root.typed()
  layOut(widget, room)
  var parts: [(name: String, bounds: (x: Double, y: Double, width: Double, height: Double))] = []
  var names: Set<String> = []
  let all = children(of: widget)
  for part in all {
    let partName = identifier(of: part)
    let isButton = isA(part, gtk_button_get_type())
    let isText = isA(part, gtk_label_get_type())
    let watched = [
      "title", "heading", "note", "next", "suspend_text", "ring", "whole", "hint",
      "picture", "finished_title", "finished_result", "finished_mark", "small_ring", "small_title",
      "small_time",
    ]
    guard isButton || watched.contains(partName) else { continue }
    guard let bounds = Widget(part).bounds(in: root) else { continue }
    if isText, String(cString: gtk_label_get_text(OpaquePointer(part))).isEmpty { continue }
    if bounds.x < -0.5 || bounds.y < -0.5 || bounds.x + bounds.width > Double(room.width) + 0.5
      || bounds.y + bounds.height > Double(room.height) + 0.5
    {
      complain(state, room, "\(partName) is outside: \(bounds)")
    }
    if isButton, min(bounds.width, bounds.height) < (partName == "small_leave" ? 24 : 28) {
      complain(state, room, "\(partName) is small: \(bounds)")
    }
    // The tooltips of these have their whole text.
    let mayBeCut =
      room.isSmall
      && ["heading", "title", "note", "next", "finished_title", "small_title"].contains(partName)
    if isText, !mayBeCut, let layout = gtk_label_get_layout(OpaquePointer(part)),
      pango_layout_is_ellipsized(layout) != 0
    {
      complain(state, room, "\(partName) is cut")
    }
    if partName == "ring" {
      let time = state.hasSuffix("question") ? 0.2 : 0.4
      let least =
        room.isFullScreen
        ? min(time * Double(room.height), bounds.width / 3)
        : room.height < 140 ? 40.0 : room.height < 240 ? 64 : 100
      if min(bounds.width, bounds.height) < least { complain(state, room, "the ring is small: \(bounds)") }
    }
    if partName == "finished_mark", !room.isSmall, bounds.height < 80 {
      complain(state, room, "the mark is small: \(bounds)")
    }
    if partName == "picture", bounds.height < 72 { complain(state, room, "the picture is small: \(bounds)") }
    names.insert(partName)
    // It is in a button.
    if partName == "next" { continue }
    // A full screen has the picture behind it.
    if room.isFullScreen, partName == "picture" { continue }
    parts.append((partName, bounds))
  }
  for wanted in wanted where !names.contains(wanted) { complain(state, room, "\(wanted) is missing") }
  for (index, part) in parts.enumerated() {
    for other in parts[(index + 1)...] {
      let width =
        min(part.bounds.x + part.bounds.width, other.bounds.x + other.bounds.width)
        - max(part.bounds.x, other.bounds.x)
      let height =
        min(part.bounds.y + part.bounds.height, other.bounds.y + other.bounds.height)
        - max(part.bounds.y, other.bounds.y)
      // The buttons on a full screen are over its lowest line while the pointer moves.
      let isAbove = room.isFullScreen && (runButtons.contains(part.name) != runButtons.contains(other.name))
      if isAbove, [part.name, other.name].contains("whole") { continue }
      if width > 1, height > 1 { complain(state, room, "\(part.name) covers \(other.name)") }
    }
  }
}

@MainActor func check(_ page: RunPageView, _ state: State, _ room: Room) throws {
  page.isFullScreen = room.isFullScreen
  page.controls.isVisible = room.isFullScreen
  page.controls.isRevealed = true
  check(page.widget, state.name, room, wanted: state.wanted(in: room))
  if room.isFullScreen, room.width >= 1920, room.height >= 1080, state.view.suspendText == nil,
    let size = page.layout?.textSize
  {
    let least = state.view.note == nil ? 60 : 48
    if size < least { complain(state.name, room, "the texts are small: \(size)") }
  }
  guard state.view.position.stepCount != 1 else { return }
  page.showsPlan = true
  check(page.widget, state.name + "-plan", room, wanted: ["toggle"] + (room.isSmall ? [] : ["plan_back"]))
  page.showsPlan = false
}

var ends: [(name: String, run: EndedRun)] = []
for (name, file, source) in [
  ("end-timer", "title: Tea\ncards: [{ title: Tea, countdown: 5m }]", RunSource.timer),
  (
    "end-long",
    "title: \(long), and then the same with the right foot\ncards: [{ title: A, countdown: 5m }]", .timer
  ),
  ("end-workout", workout(""), .file),
] {
  let store = try RunStore(
    in: StateDirectory(path: "\(directory)/\(name)"), clock: clock, parts: [], observers: [])
  var start = RunStart()
  start.source = source
  _ = try store.start(try SequenceFile.parse(Array(file.utf8)).timeline, options: .unspecified, start)
  clock.advance(by: .seconds(3600))
  guard let run = try store.history().first else { fatalError("\(name) is not over") }
  ends.append((name, run))
}
// Widgets that aren't in a window keep the text size that they were made with.
for scale in [1.0, 2.0] {
  setScale(scale)
  let page = try RunPageView()
  for state in states {
    page.show(state.view, of: state.run, at: clock.now().wall)
    // The picture is read on another thread, and the first arrangement waits for it.
    while state.hasPicture, !page.hasPicture { g_main_context_iteration(nil, 1) }
    for room in rooms where room.scale == scale { try check(page, state, room) }
  }
  let endPage = try EndPage()
  for (name, run) in ends {
    endPage.show(run)
    for room in rooms where room.scale == scale {
      endPage.isFullScreen = room.isFullScreen
      check(
        endPage.widget, name, room,
        wanted: ["finished_title"] + (room.isSmall ? [] : ["finished_result", "finished_mark"]))
    }
  }
}

/// - Parameter show: shows a state on the small page.
@MainActor func checkSmall(_ name: String, _ show: (SmallPage) -> Void) throws {
  for direction in [GTK_TEXT_DIR_LTR, GTK_TEXT_DIR_RTL] {
    gtk_widget_set_default_direction(direction)
    for scale in [1.0, 2.0] {
      setScale(scale)
      let small = try SmallPage()
      show(small)
      iterate()
      let room = Room(
        width: Int(Double(SmallPage.size.width) * scale), height: Int(Double(SmallPage.size.height) * scale),
        isFullScreen: false, scale: scale)
      let widget: UnsafeMutablePointer<GtkWidget> = small.widget.typed()
      for (orientation, wanted) in [
        (GTK_ORIENTATION_HORIZONTAL, room.width), (GTK_ORIENTATION_VERTICAL, room.height),
      ] {
        var natural = gint(0)
        gtk_widget_measure(widget, orientation, -1, nil, &natural, nil, nil)
        if natural != wanted { complain(name + "-small", room, "it is \(natural) instead of \(wanted)") }
      }
      check(
        small.widget, name + "-small", room,
        wanted: ["small_ring", "small_title", "small_time", "small_leave", "small_button"])
      let all = children(of: widget)
      guard
        let ring = all.first(where: { identifier(of: $0) == "small_ring" }).map({ Widget($0) })?.bounds(
          in: small.widget),
        let time = all.first(where: { identifier(of: $0) == "small_time" }).map({ Widget($0) })?.bounds(
          in: small.widget)
      else { fatalError("no parts") }
      if min(ring.width, ring.height) < 64 * scale { complain(name + "-small", room, "the ring is small") }
      if time.width < 90 * scale { complain(name + "-small", room, "the time is narrow: \(time)") }
      if (ring.x < time.x) != (direction == GTK_TEXT_DIR_LTR) {
        complain(name, room, "the ring is not at the start")
      }
    }
  }
  gtk_widget_set_default_direction(GTK_TEXT_DIR_LTR)
}

for state in states { try checkSmall(state.name) { $0.show(state.view) } }
for (name, run) in ends { try checkSmall(name) { $0.show(run) } }
print("\((states.count + ends.count) * (rooms.count + 4)) pages, \(problems) problems")
exit(problems == 0 ? 0 : 1)
