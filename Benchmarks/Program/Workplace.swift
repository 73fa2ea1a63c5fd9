import TestSupport

struct Workplace {
  let prefix: String
  let isLong: Bool

  var sequence: String { prefix + "/prefix/bin/sequence" }
  var window: String { prefix + "/prefix/libexec/sequence/sequence-window" }
  func floor(_ name: String) -> String { prefix + "/floors/" + name }
  func peer(_ name: String) -> String { prefix + "/venv/bin/" + name }
  func peerSource(_ name: String) -> String { BuiltProducts.repository + "/Benchmarks/peers/" + name }
}
