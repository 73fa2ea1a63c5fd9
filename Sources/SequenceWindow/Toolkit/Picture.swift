import CSequenceAdwaita

/// A picture of a file.
final class Picture: Widget {
  override class var type: GType { gtk_picture_get_type() }

  /// The path of the file that is shown or loaded.
  private var path: String?

  /// The largest size of a picture in memory, in pixels; larger ones are made smaller when they are read.
  private static let largest: (width: gint, height: gint) = (1920, 1080)

  /// Shows the picture of a file, or none for `nil`.
  ///
  /// The file is read on another thread.
  ///
  /// - Parameter loaded: called with whether the file could be read, unless another one is shown by then.
  func show(_ path: String?, loaded: @escaping (Bool) -> Void) {
    guard path != self.path else { return }
    self.path = path
    unsafe gtk_picture_set_paintable(opaque, nil)
    guard let path else { return }
    Background.run("picture") { () -> UInt in
      var (width, height) = (gint(0), gint(0))
      guard unsafe gdk_pixbuf_get_file_info(path, &width, &height) != nil else { return 0 }
      let isLarge = width > Picture.largest.width || height > Picture.largest.height
      let read =
        isLarge
        ? unsafe gdk_pixbuf_new_from_file_at_size(path, Picture.largest.width, Picture.largest.height, nil)
        : unsafe gdk_pixbuf_new_from_file(path, nil)
      guard let pixels = unsafe read else { return 0 }
      defer { unsafe g_object_unref(UnsafeMutableRawPointer(pixels)) }
      return UInt(bitPattern: unsafe gdk_texture_new_for_pixbuf(pixels))
    } then: { [weak self] address in
      let texture = unsafe OpaquePointer(bitPattern: address)
      defer { if let texture = unsafe texture { unsafe g_object_unref(UnsafeMutableRawPointer(texture)) } }
      guard let self, self.path == path else { return }
      unsafe gtk_picture_set_paintable(opaque, texture)
      loaded(unsafe texture != nil)
    }
  }
}
