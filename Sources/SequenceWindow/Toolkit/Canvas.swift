import CSequenceAdwaita

@safe struct Canvas {
  private let context: OpaquePointer
  private let widget: Widget
  let width: Double
  let height: Double

  static func draw(_ area: Widget, by draw: @escaping (Canvas) -> Void) {
    // The area would keep itself alive if its own function held it.
    let call: GtkDrawingAreaDrawFunc = { area, context, width, height, data in
      guard let area = unsafe area, let context = unsafe context else { return }
      let canvas = unsafe Canvas(
        context: context, widget: Widget(UnsafeMutableRawPointer(area)), width: Double(width),
        height: Double(height))
      unsafe Handler<(Canvas) -> Void>.of(data)?.body(canvas)
    }
    unsafe gtk_drawing_area_set_draw_func(
      area.typed(), call, Handler(draw).retained, { unsafe releaseHandler($0) })
  }

  enum Color {
    case text(opacity: Double)
    case named(String, opacity: Double = 1)
  }

  func use(_ color: Color) {
    let style = unsafe gtk_widget_get_style_context(widget.typed())
    var value = GdkRGBA()
    unsafe gtk_style_context_get_color(style, &value)
    let opacity: Double
    switch color {
    case .text(let wanted): opacity = wanted
    case .named(let name, let wanted):
      _ = unsafe gtk_style_context_lookup_color(style, name, &value)
      opacity = wanted
    }
    unsafe cairo_set_source_rgba(
      context, Double(value.red), Double(value.green), Double(value.blue), Double(value.alpha) * opacity)
  }

  /// A circle, or a rectangle with round corners.
  struct Outline {
    fileprivate var x: Double
    fileprivate var y: Double
    fileprivate var width: Double
    fileprivate var height: Double
    fileprivate var corner: Double

    var size: Double { min(width, height) }

    var length: Double { 2 * (width + height) - (8 - 2 * Double.pi) * corner }

    func inset(by distance: Double) -> Outline {
      Outline(
        x: x + distance, y: y + distance, width: width - 2 * distance, height: height - 2 * distance,
        corner: max(0, corner - distance))
    }
  }

  /// The largest circle that has room.
  var circle: Outline {
    let size = min(width, height)
    return Outline(
      x: (width - size) / 2, y: (height - size) / 2, width: size, height: size, corner: size / 2)
  }

  func rectangle(corner: Double) -> Outline {
    rectangle(x: 0, y: 0, width: width, height: height, corner: corner)
  }

  func rectangle(x: Double, y: Double, width: Double, height: Double, corner: Double) -> Outline {
    Outline(x: x, y: y, width: width, height: height, corner: corner)
  }

  /// Draws a part of an outline, clockwise from the middle of its top.
  ///
  /// - Parameters:
  ///   - start: the beginning of the part, as a fraction of the outline.
  ///   - end: its end.
  ///   - dash: the approximate length of dashes and of the gaps between them, which fill the whole outline evenly; 0 for a
  ///     solid line.
  ///   - isRound: whether the ends of a solid line are round.
  func stroke(
    _ outline: Outline, from start: Double = 0, to end: Double = 1, thickness: Double, dash: Double = 0,
    isRound: Bool = true
  ) {
    guard outline.size > 0, end > start else { return }
    unsafe cairo_set_line_width(context, thickness)
    unsafe cairo_set_line_cap(context, dash > 0 || !isRound ? CAIRO_LINE_CAP_BUTT : CAIRO_LINE_CAP_ROUND)
    let length = outline.length
    if dash > 0 {
      let fitting = length / (2 * max(1, (length / (2 * dash)).rounded()))
      unsafe cairo_set_dash(context, [fitting, fitting], 2, 0)
    } else if end - start < 1 {
      // A part is one dash.
      let part = length * (end - start)
      unsafe cairo_set_dash(context, [part, length - part], 2, -start * length)
    } else {
      unsafe cairo_set_dash(context, [], 0, 0)
    }
    trace(outline)
    unsafe cairo_stroke(context)
  }

  func fill(_ outline: Outline) {
    guard outline.size > 0 else { return }
    trace(outline)
    unsafe cairo_fill(context)
  }

  private func trace(_ outline: Outline) {
    let (x, y, width, height) = (outline.x, outline.y, outline.width, outline.height)
    let corner = min(outline.corner, outline.size / 2)
    unsafe cairo_new_path(context)
    unsafe cairo_move_to(context, x + width / 2, y)
    let centers = [
      (x + width - corner, y + corner), (x + width - corner, y + height - corner),
      (x + corner, y + height - corner), (x + corner, y + corner),
    ]
    for (quarter, center) in zip([-1.0, 0, 1, 2], centers) {
      unsafe cairo_arc(
        context, center.0, center.1, corner, quarter * Double.pi / 2, (quarter + 1) * Double.pi / 2)
    }
    unsafe cairo_close_path(context)
  }

  /// Fills a rectangle with round upper corners.
  func bar(x: Double, y: Double, width: Double, height: Double, corner: Double) {
    let radius = min(corner, width / 2, height)
    unsafe cairo_new_path(context)
    unsafe cairo_arc(context, x + radius, y + radius, radius, Double.pi, 1.5 * Double.pi)
    unsafe cairo_arc(context, x + width - radius, y + radius, radius, 1.5 * Double.pi, 2 * Double.pi)
    unsafe cairo_line_to(context, x + width, y + height)
    unsafe cairo_line_to(context, x, y + height)
    unsafe cairo_close_path(context)
    unsafe cairo_fill(context)
  }

  var isRightToLeft: Bool { widget.isRightToLeft }
  var textScale: Double { widget.textScale }

  /// Draws a level line with round ends.
  func line(from start: Double, to end: Double, y: Double, thickness: Double) {
    lines([(start, y), (end, y)], thickness: thickness)
  }

  /// Draws lines from point to point, with round ends and corners.
  func lines(_ points: [(x: Double, y: Double)], thickness: Double) {
    unsafe cairo_new_path(context)
    unsafe cairo_set_line_width(context, thickness)
    unsafe cairo_set_line_cap(context, CAIRO_LINE_CAP_ROUND)
    unsafe cairo_set_line_join(context, CAIRO_LINE_JOIN_ROUND)
    unsafe cairo_set_dash(context, [], 0, 0)
    for point in points { unsafe cairo_line_to(context, point.x, point.y) }
    unsafe cairo_stroke(context)
  }

  enum Edge {
    case start, end
  }

  /// - Parameter maxWidth: the room for it; `nil` for half of the width.
  func text(
    _ text: String, at edge: Edge, y: Double, height: Double, maxWidth: Double? = nil, isHeavy: Bool = false
  ) {
    guard let layout = unsafe gtk_widget_create_pango_layout(widget.typed(), text) else { return }
    defer { unsafe g_object_unref(UnsafeMutableRawPointer(layout)) }
    let size = unsafe fit(layout, height: height, maxWidth: maxWidth ?? width / 2, isHeavy: isHeavy)
    unsafe cairo_move_to(context, edge == .start ? 0 : width - size.width, y - size.height / 2)
    unsafe pango_cairo_show_layout(context, layout)
  }

  /// Draws a line of text around a point, at most as large as given and no larger than fits; returns its height.
  @discardableResult
  func text(
    _ text: String, center: (x: Double, y: Double), height: Double, maxWidth: Double, isHeavy: Bool
  ) -> Double {
    guard let layout = unsafe gtk_widget_create_pango_layout(widget.typed(), text) else { return 0 }
    defer { unsafe g_object_unref(UnsafeMutableRawPointer(layout)) }
    let size = unsafe fit(layout, height: height, maxWidth: maxWidth, isHeavy: isHeavy)
    unsafe cairo_move_to(context, center.x - size.width / 2, center.y - size.height / 2)
    unsafe pango_cairo_show_layout(context, layout)
    return size.height
  }

  /// Draws a time in the middle, with digits as high as given or as its width allows.
  func digits(_ time: String, height: Double) {
    // A time whose digits change keeps its size and place.
    let zeros = String(time.map { $0.isNumber ? "0" : $0 })
    guard let layout = unsafe gtk_widget_create_pango_layout(widget.typed(), zeros) else { return }
    defer { unsafe g_object_unref(UnsafeMutableRawPointer(layout)) }
    var (ink, whole) = (PangoRectangle(), PangoRectangle())
    _ = unsafe fit(layout, height: height, maxWidth: .infinity, isHeavy: true)
    unsafe pango_layout_get_pixel_extents(layout, &ink, &whole)
    let scale = min(height / Double(max(1, ink.height)), width / Double(max(1, whole.width)))
    _ = unsafe fit(layout, height: height * scale, maxWidth: .infinity, isHeavy: true)
    unsafe pango_layout_get_pixel_extents(layout, &ink, &whole)
    let place = (
      x: (width - Double(whole.width)) / 2, y: (self.height - Double(ink.height)) / 2 - Double(ink.y)
    )
    unsafe pango_layout_set_text(layout, time, -1)
    unsafe cairo_move_to(context, place.x, place.y)
    unsafe pango_cairo_show_layout(context, layout)
  }

  private func fit(
    _ layout: OpaquePointer, height: Double, maxWidth: Double, isHeavy: Bool
  ) -> (width: Double, height: Double) {
    // Digits of one width: a time that ticks doesn't tremble.
    let attributes = unsafe pango_attr_list_new()
    unsafe pango_attr_list_insert(attributes, pango_attr_font_features_new("tnum=1"))
    unsafe pango_attr_list_insert(
      attributes, pango_attr_weight_new(isHeavy ? PANGO_WEIGHT_SEMIBOLD : PANGO_WEIGHT_NORMAL))
    unsafe pango_layout_set_attributes(layout, attributes)
    unsafe pango_attr_list_unref(attributes)
    let font = unsafe pango_font_description_copy(
      pango_context_get_font_description(pango_layout_get_context(layout)))
    defer { unsafe pango_font_description_free(font) }
    var (width, shown) = (gint(0), gint(0))
    unsafe pango_font_description_set_absolute_size(font, height * Double(PANGO_SCALE))
    unsafe pango_layout_set_font_description(layout, font)
    unsafe pango_layout_get_pixel_size(layout, &width, &shown)
    if Double(width) > maxWidth, width > 0 {
      let smaller = max(8, height * maxWidth / Double(width))
      unsafe pango_font_description_set_absolute_size(font, smaller * Double(PANGO_SCALE))
      unsafe pango_layout_set_font_description(layout, font)
      unsafe pango_layout_get_pixel_size(layout, &width, &shown)
    }
    return (Double(width), Double(shown))
  }
}

final class Picture: Widget {
  override class var type: GType { gtk_picture_get_type() }

  /// Whether it fills its place and is cut off, instead of being shown whole.
  func setCovers(_ covers: Bool) {
    unsafe gtk_picture_set_content_fit(opaque, covers ? GTK_CONTENT_FIT_COVER : GTK_CONTENT_FIT_CONTAIN)
  }

  /// Shows another widget as it looks now.
  func show(imageOf widget: Widget) {
    guard let live = unsafe gtk_widget_paintable_new(widget.typed()) else { return }
    defer { unsafe g_object_unref(UnsafeMutableRawPointer(live)) }
    guard let image = unsafe gdk_paintable_get_current_image(live) else { return }
    defer { unsafe g_object_unref(UnsafeMutableRawPointer(image)) }
    unsafe gtk_picture_set_paintable(opaque, image)
    isVisible = true
  }

  /// The path of the file that is shown or loaded.
  private var path: String?

  /// The largest size of a picture in memory, in pixels; larger ones are made smaller when they are read.
  private static let largest: (width: gint, height: gint) = (1920, 1080)

  /// Reads the picture on another thread; `nil` shows none.
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
