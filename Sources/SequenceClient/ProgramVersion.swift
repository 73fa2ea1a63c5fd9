/// The version of the programs and of the libraries.
package enum ProgramVersion {
  /// The version as it is printed.
  package static let text = "0.1.0"
}
