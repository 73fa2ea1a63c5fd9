import SequencePlanning

/// What a user asks for with a key of a media player or in the menu of the panel.
enum PanelRequest: Hashable, Sendable {
  /// A key, which acts on the current run.
  case key(PanelKey)
  /// A button for a run in one of its steps.
  case button(RunButton, RunContext)
  /// Open the window, or the live display in a terminal.
  case open
  /// Ask whether to stop the run.
  case askStop
}
