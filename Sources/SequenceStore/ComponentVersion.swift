/// Which version of a part of the schema a store has.
package struct ComponentVersion {
  package let name: String
  package let version: Int
}

extension [ComponentVersion] {
  /// The version of a part; `nil` if the store does not have it.
  ///
  /// - Complexity: O(n) in the number of parts.
  func version(of name: String) -> Int? { first { $0.name == name }?.version }
}
