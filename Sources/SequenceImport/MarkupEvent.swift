import CSequenceGLib
import SequenceFiles

struct MarkupEvent {
  let kind: Kind
  /// The line of its end, from 1.
  let line: Int

  enum Kind {
    case start(name: String, attributes: [(name: String, value: String)])
    case end
    /// Text between elements, possibly in several pieces.
    case text(String)
    case comment
  }

  /// Uses GLib's parser, which knows only the five entities of XML, so no entity can expand to a large text.
  static func events(of text: String) throws(ImportError) -> [MarkupEvent] {
    let collector = Collector()
    var parser = unsafe GMarkupParser(
      start_element: { context, name, names, values, data, _ in
        unsafe Collector.at(data)?.start(context, name, names, values)
      },
      end_element: { context, _, data, _ in unsafe Collector.at(data)?.append(.end, context) },
      text: { context, text, length, data, _ in
        guard let text = unsafe text else { return }
        let bytes = unsafe UnsafeRawBufferPointer(start: text, count: Int(length))
        unsafe Collector.at(data)?.append(.text(String(decoding: bytes, as: UTF8.self)), context)
      },
      passthrough: { context, text, length, data, _ in
        // Declarations and processing instructions are passed through, too.
        guard let text = unsafe text, unsafe strncmp(text, "<!--", 4) == 0 else { return }
        unsafe Collector.at(data)?.append(.comment, context)
      }, error: nil)
    return try withExtendedLifetime(collector) { () throws(ImportError) in
      let data = unsafe Unmanaged.passUnretained(collector).toOpaque()
      guard
        let context = unsafe g_markup_parse_context_new(&parser, G_MARKUP_TREAT_CDATA_AS_TEXT, data, nil)
      else { throw ImportError("GLib has no parser for it") }
      defer { unsafe g_markup_parse_context_free(context) }
      var error: UnsafeMutablePointer<GError>?
      let bytes = text.utf8.count
      let isRead =
        unsafe g_markup_parse_context_parse(context, text, bytes, &error) != 0
        && g_markup_parse_context_end_parse(context, &error) != 0
      if let error = unsafe error {
        defer { unsafe g_error_free(error) }
        throw unsafe ImportError("this is not XML", because: String(cString: error.pointee.message))
      }
      guard isRead else { throw ImportError("this is not XML") }
      return collector.events
    }
  }

  private final class Collector {
    private(set) var events: [MarkupEvent] = []

    static func at(_ data: gpointer?) -> Collector? {
      unsafe data.map { unsafe Unmanaged<Collector>.fromOpaque($0).takeUnretainedValue() }
    }

    func append(_ kind: Kind, _ context: OpaquePointer?) {
      var line: gint = 0
      unsafe g_markup_parse_context_get_position(context, &line, nil)
      events.append(MarkupEvent(kind: kind, line: Int(line)))
    }

    func start(
      _ context: OpaquePointer?, _ name: UnsafePointer<gchar>?,
      _ names: UnsafeMutablePointer<UnsafePointer<gchar>?>?,
      _ values: UnsafeMutablePointer<UnsafePointer<gchar>?>?
    ) {
      var attributes: [(name: String, value: String)] = []
      var index = 0
      while let name = unsafe names?[index], let value = unsafe values?[index] {
        unsafe attributes.append((String(cString: name), String(cString: value)))
        index += 1
      }
      let name = unsafe name.map { unsafe String(cString: $0) } ?? ""
      unsafe append(.start(name: name, attributes: attributes), context)
    }
  }
}
