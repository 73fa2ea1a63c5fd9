/// The parts of an `.erg` or `.mrc` file.
enum CourseSection: String {
  case header = "COURSE HEADER"
  case data = "COURSE DATA"
  case text = "COURSE TEXT"

  /// Returns the mark of a line in brackets; `nil` for any other line.
  static func mark(_ line: Substring) -> Mark? {
    guard line.hasPrefix("["), line.hasSuffix("]") else { return nil }
    let name = line.dropFirst().dropLast().uppercased()
    if name.hasPrefix("END ") { return CourseSection(rawValue: String(name.dropFirst(4))).map { _ in .end } }
    return CourseSection(rawValue: name).map { .begin($0) } ?? .unknown(String(name))
  }

  /// The meaning of a line in brackets.
  enum Mark {
    case begin(CourseSection)
    case end
    case unknown(String)
  }
}
