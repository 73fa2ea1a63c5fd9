import CSequenceAdwaita
import SequencePlatform

/// The objects of a description in GtkBuilder's XML, by their ids.
struct Interface {
  private let builder: ToolkitObject

  /// Builds the objects.
  ///
  /// - Throws: `ToolkitError` if the description is wrong.
  init(_ xml: [UInt8]) throws(ToolkitError) {
    let pointer = unsafe gtk_builder_new()
    guard let pointer = unsafe pointer else { throw ToolkitError("no builder") }
    builder = unsafe ToolkitObject(opaque: pointer)
    // The reference of its maker, which the object has no use for.
    unsafe g_object_unref(UnsafeMutableRawPointer(pointer))
    var error: UnsafeMutablePointer<GError>?
    let text = String(decoding: xml, as: UTF8.self)
    guard unsafe gtk_builder_add_from_string(pointer, text, -1, &error) != 0 else {
      throw unsafe ToolkitError(taking: error)
    }
  }

  /// The object of an id.
  ///
  /// - Throws: `ToolkitError` if there is none, or it has another class.
  func object<Object: ToolkitObject>(_ id: String) throws(ToolkitError) -> Object {
    let found = unsafe try pointer(id)
    return unsafe try Object.checked(found)
  }

  /// The widget of an id; `nil` if there is none.
  func widget(_ id: String) -> Widget? {
    unsafe gtk_builder_get_object(builder.opaque, id).flatMap {
      unsafe ToolkitObject(UnsafeMutableRawPointer($0)).cast()
    }
  }

  private func pointer(_ id: String) throws(ToolkitError) -> UnsafeMutableRawPointer {
    guard let object = unsafe gtk_builder_get_object(builder.opaque, id) else {
      throw ToolkitError("the interface has no \(id)")
    }
    return UnsafeMutableRawPointer(object)
  }
}

/// Adds a style sheet to that of the theme, for all windows.
func loadStyle(_ css: [UInt8]) {
  guard let provider = unsafe gtk_css_provider_new(), let display = unsafe gdk_display_get_default() else {
    return
  }
  unsafe gtk_css_provider_load_from_data(provider, String(decoding: css, as: UTF8.self), -1)
  unsafe gtk_style_context_add_provider_for_display(
    display, OpaquePointer(provider), guint(GTK_STYLE_PROVIDER_PRIORITY_APPLICATION))
  unsafe g_object_unref(provider)
}

/// Something that GTK refuses.
struct ToolkitError: ExplainedError, Equatable {
  let problem: String
  var remedy: String?
  /// The problem in a few words; `nil` if there are none that say more.
  var heading: String?

  init(_ problem: String, remedy: String? = nil) {
    self.problem = problem
    self.remedy = remedy
  }

  /// Takes the text of an error of GLib, and frees it.
  init(taking error: UnsafeMutablePointer<GError>?) {
    guard let error = unsafe error else {
      problem = "an unknown error of the toolkit"
      return
    }
    problem = unsafe String(cString: error.pointee.message)
    unsafe g_error_free(error)
  }
}
