package struct Difference: Error, Equatable, CustomStringConvertible {
  package let subject: String
  package let expected: String
  package let found: String
  /// The index of the last event before the difference, and the event.
  package var place: String = ""

  init(_ subject: String, expected: String, found: String) {
    (self.subject, self.expected, self.found) = (subject, expected, found)
  }

  package var description: String { "\(place): \(subject)\n  expected \(expected)\n  found    \(found)" }
}

func compare<Value: Equatable>(
  _ subject: @autoclosure () -> String, _ expected: Value, _ found: Value
) throws(Difference) {
  guard expected != found else { return }
  throw Difference(subject(), expected: "\(expected)", found: "\(found)")
}
