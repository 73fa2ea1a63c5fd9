import FoundationEssentials

/// Decoding of other programs' JSON.
enum ForeignJSON {
  /// The deepest nesting: deeper than any workout, and far below the depth that traps Foundation's decoder.
  private static let deepestNesting = 100

  /// - Throws: `ImportError` with the path of the invalid member.
  static func decode<Value: Decodable>(_ type: Value.Type, from text: String) throws(ImportError) -> Value {
    guard depth(of: text.utf8) <= deepestNesting else {
      throw ImportError("the file is nested deeper than \(deepestNesting) levels")
    }
    do {
      return try JSONDecoder().decode(type, from: Data(text.utf8))
    } catch let error as DecodingError {
      throw ImportError(message(error))
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

  private static func message(_ error: DecodingError) -> String {
    switch error {
    case .keyNotFound(let key, let context):
      "\(place(context.codingPath + [key])) is missing"
    case .valueNotFound(_, let context): "\(place(context.codingPath)) is empty"
    case .typeMismatch(let type, let context): "\(place(context.codingPath)) is not a \(name(type))"
    case .dataCorrupted(let context):
      context.codingPath.isEmpty
        ? "this is not JSON, or a number in it is too large" : "\(place(context.codingPath)) cannot be read"
    @unknown default: "this is not a workout in JSON"
    }
  }

  private static func place(_ path: [any CodingKey]) -> String {
    guard !path.isEmpty else { return "the document" }
    return path.reduce("") { place, key in
      key.intValue.map { "\(place)[\($0)]" } ?? (place.isEmpty ? "" : place + ".") + key.stringValue
    }
  }

  private static func name(_ type: any Any.Type) -> String {
    switch type {
    case is String.Type: "text"
    case is Double.Type, is Int.Type: "number"
    case is Bool.Type: "truth"
    case is [Any].Type: "list"
    default: "object"
    }
  }
}

/// An object key with any name.
struct AnyKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}
