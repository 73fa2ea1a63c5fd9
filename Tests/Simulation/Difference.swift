/// Something that the program did and the oracle does not agree with.
package struct Difference: Error, Equatable, CustomStringConvertible {
  /// What differs.
  package let subject: String
  package let expected: String
  package let found: String
  /// The index of the event after which it was seen, and the event.
  package var place: String = ""

  init(_ subject: String, expected: String, found: String) {
    (self.subject, self.expected, self.found) = (subject, expected, found)
  }

  package var description: String { "\(place): \(subject)\n  expected \(expected)\n  found    \(found)" }
}

/// Refuses a value that is not the expected one.
func compare<Value: Equatable>(
  _ subject: @autoclosure () -> String, _ expected: Value, _ found: Value
) throws(Difference) {
  guard expected != found else { return }
  throw Difference(subject(), expected: "\(expected)", found: "\(found)")
}
