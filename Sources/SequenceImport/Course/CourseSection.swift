/// The parts of an `.erg` or `.mrc` file.
enum CourseSection: Equatable {
  case header
  case data
  case text
  /// The names of intervals.
  case intervals
  case unknown(String)

  private init(_ name: String) {
    self =
      switch name {
      case "COURSE HEADER": .header
      case "COURSE DATA": .data
      case "COURSE TEXT": .text
      case "INTERVAL DATA": .intervals
      default: .unknown(name)
      }
  }

  /// Returns the mark of a line in brackets; `nil` for any other line.
  static func mark(_ line: Substring) -> Mark? {
    guard line.hasPrefix("["), line.hasSuffix("]") else { return nil }
    let name = line.dropFirst().dropLast().uppercased()
    return name.hasPrefix("END ") ? .end : .begin(CourseSection(name))
  }

  /// The meaning of a line in brackets.
  enum Mark {
    case begin(CourseSection)
    case end
  }
}
