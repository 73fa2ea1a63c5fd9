import FoundationEssentials
import SequenceFiles

enum ForeignJSON {
  /// The deepest nesting: deeper than any workout, and far below the depth that traps Foundation's decoder.
  private static let deepestNesting = 100

  /// - Parameter line: returns the line of a member from its path; `nil` if it is unknown.
  /// - Throws: `ImportError` with the path of the invalid member.
  static func decode<Value: Decodable>(
    _ type: Value.Type, from text: String, line: (String) -> Int? = { _ in nil }
  ) throws(ImportError) -> Value {
    guard depth(of: text.utf8) <= deepestNesting else {
      throw ImportError("the file is nested deeper than \(deepestNesting) levels")
    }
    do {
      return try JSONDecoder().decode(type, from: Data(text.utf8))
    } catch let error as DecodingError {
      throw refusal(error, line)
    } catch {
      throw ImportError("this is not JSON: \(error)")
    }
  }

  /// Returns the deepest nesting of arrays and objects; ignores brackets in strings.
  private static func depth(of bytes: String.UTF8View) -> Int {
    var (depth, deepest, isInString, isEscaped) = (0, 0, false, false)
    for byte in bytes {
      if isEscaped {
        isEscaped = false
      } else if isInString {
        if byte == UInt8(ascii: "\\") { isEscaped = true }
        if byte == UInt8(ascii: "\"") { isInString = false }
      } else {
        switch byte {
        case UInt8(ascii: "\""): isInString = true
        case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
        case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
        default: break
        }
        deepest = max(deepest, depth)
      }
    }
    return deepest
  }

  private static func refusal(_ error: DecodingError, _ line: (String) -> Int?) -> ImportError {
    switch error {
    case .keyNotFound(let key, let context):
      return ImportError(
        "\(place(context.codingPath + [key])) is missing", line: line(name(context.codingPath)))
    case .valueNotFound(_, let context): return ImportError("\(place(context.codingPath)) is empty")
    case .typeMismatch(let type, let context):
      let path = place(context.codingPath)
      let (kind, remedy) = expected(type)
      return ImportError("\(path) is not \(kind)", remedy: remedy, line: line(name(context.codingPath)))
    case .dataCorrupted(let context):
      let path = place(context.codingPath)
      return context.codingPath.isEmpty
        ? ImportError("this is not JSON, or a number in it is too large")
        : ImportError("\(path) cannot be read", line: line(name(context.codingPath)))
    @unknown default: return ImportError("this is not a workout in JSON")
    }
  }

  private static func place(_ path: [any CodingKey]) -> LocalizedText {
    guard !path.isEmpty else { return LocalizedText("the document") }
    return LocalizedText(verbatim: name(path))
  }

  private static func name(_ path: [any CodingKey]) -> String {
    path.reduce("") { place, key in
      key.intValue.map { "\(place)[\($0)]" } ?? (place.isEmpty ? "" : place + ".") + key.stringValue
    }
  }

  private static func expected(_ type: any Any.Type) -> (name: LocalizedText, remedy: LocalizedText?) {
    switch type {
    case is String.Type: (LocalizedText("a text"), LocalizedText("write it in quotes"))
    case is Double.Type, is Int.Type: (LocalizedText("a number"), LocalizedText("write it without quotes"))
    case is Bool.Type: (LocalizedText("true or false"), LocalizedText("write true or false, without quotes"))
    case is [Any].Type: (LocalizedText("a list"), nil)
    default: (LocalizedText("an object"), nil)
    }
  }
}

struct AnyKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}
