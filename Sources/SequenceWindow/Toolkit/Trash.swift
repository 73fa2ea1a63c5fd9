import CSequenceAdwaita

/// The trash of the desktop.
enum Trash {
  /// Moves a file into it.
  ///
  /// - Throws: `ToolkitError` if the file system has no trash.
  static func move(_ path: String) throws(ToolkitError) {
    guard let file = unsafe g_file_new_for_path(path) else { throw ToolkitError("no memory for a file") }
    defer { unsafe g_object_unref(UnsafeMutableRawPointer(file)) }
    var error: UnsafeMutablePointer<GError>?
    guard unsafe g_file_trash(file, nil, &error) != 0 else {
      var failure = unsafe ToolkitError(taking: error)
      failure.heading = translated("The File Can’t Be Moved to the Trash")
      failure.remedy = "remove it yourself: \(path)"
      throw failure
    }
  }
}
