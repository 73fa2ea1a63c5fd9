extension [String] {
  /// `joined` makes types at run time, which alone takes a fortieth of the run time of a short command.
  package func concatenated(by separator: String) -> String {
    var (text, isFirst) = ("", true)
    for part in self {
      if !isFirst { text += separator }
      text += part
      isFirst = false
    }
    return text
  }
}
