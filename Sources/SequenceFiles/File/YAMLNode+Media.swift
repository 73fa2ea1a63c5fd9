import SequenceRunner

extension YAMLNode {
  /// Returns the name of a sound, its absolute path, or an empty text for `none`.
  ///
  /// - Parameter folder: the folder of relative paths; `nil` if a path has to be absolute.
  package func sound(in folder: String? = nil) throws(SequenceFileError) -> String {
    guard case .scalar(let text) = content, !text.isEmpty, !text.utf8.contains(where: { $0 < 0x20 }) else {
      throw wrong("a sound must be a name, a path or none, not \(kind)", self)
    }
    guard text != "none" else { return "" }
    var sound = text
    // No name of a theme has a dot.
    let isFile =
      text.unicodeScalars.contains("/") || [".oga", ".ogg", ".wav"].contains { text.hasSuffix($0) }
    if isFile, !isAbsolute(text) {
      guard let folder else {
        throw wrong("the path of a sound must begin with /, not \(kind)", self)
      }
      sound = YAMLNode.path(text, in: folder)
    }
    guard sound.utf8.count <= YAMLNode.longestSound else {
      throw wrong("a sound must be a name, a path or none, not \(kind)", self)
    }
    return sound
  }

  /// Returns the path of a picture, which is absolute.
  ///
  /// - Parameter folder: the folder of relative paths.
  func image(in folder: String) throws(SequenceFileError) -> String {
    guard case .scalar(let text) = content, !text.isEmpty, !text.utf8.contains(where: { $0 < 0x20 }) else {
      throw wrong("an image must be the path of a picture, not \(kind)", self)
    }
    let path = isAbsolute(text) ? text : YAMLNode.path(text, in: folder)
    guard !SequenceLimits.isTooLong(path) else {
      throw wrong("the path of an image can have at most \(SequenceLimits.titleLimits)", self)
    }
    return path
  }

  /// Returns the absolute path of a relative one.
  private static func path(_ text: String, in folder: String) -> String {
    folder + "/" + (text.hasPrefix("./") ? String(text.dropFirst(2)) : text)
  }

  /// Sixty counted seconds with such names are one packet of orders.
  private static let longestSound = 900
}
