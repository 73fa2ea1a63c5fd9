import SequencePlatform
import SequenceRunner
import SequenceClient

extension RunSide {
  func startQuickTimer(_ text: String) {
    leaveEnd()
    guard shown != nil else { return idlePage.start(text) }
    let now = control.client.context.clock.now().wall
    frame.attempt { start(try QuickTimer.timeline(text, at: now), RunStart(source: .timer)) }
  }

  /// Lets the user write a quick timer; the full screen and the small window have no place for it.
  func openQuickTimer() {
    guard !fullScreen.isOn else { return }
    small.isOn = false
    leaveEnd()
    frame.leaflet.page = "main"
    frame.show(view: "timer")
    if isRunShown { newTimer.popUp() } else { focusTimer() }
  }

  func showRun(named name: String) {
    frame.attempt {
      guard let run = runs.active.first(where: { $0.name == name }) else {
        return frame.show(Message(translated("No run is named “{}”", TextSafety.sanitised(name))))
      }
      frame.leaflet.page = "main"
      frame.show(view: "timer")
      choose(run.runID)
    }
  }

  /// - Parameter word: the path of its file, or its name in the library.
  func startSequence(_ word: String) {
    frame.attempt {
      start(try SequenceSource(inLibrary: word, control.client.context).timeline, RunStart())
    }
  }

  func toggleFullScreen() { fullScreen.toggle() }

  func enterFullScreen() { fullScreen.isOn = true }

  /// Leaves the full screen or the small window.
  func leaveFullScreen() {
    // The window manager may not have filled the screen yet.
    if small.isShown { small.isOn = false } else { fullScreen.isOn = false }
  }

  func toggleSmallWindow() {
    guard !small.isShown else { return small.isOn = false }
    frame.show(view: "timer")
    runPage.showsPlan = false
    small.isOn = true
    fullScreen.isOn = false
    focusTimer()
  }

  func applyConfiguration() {
    onScreen = (nil, false)
    if let shown { showSound(control.playsSounds(shown)) }
    updateForeground()
  }
}
