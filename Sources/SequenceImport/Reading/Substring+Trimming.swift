extension Substring {
  /// Returns the text without matching characters at both ends.
  func trimming(while fits: (Character) -> Bool) -> Substring {
    var rest = drop(while: fits)
    while let last = rest.last, fits(last) { rest.removeLast() }
    return rest
  }
}
