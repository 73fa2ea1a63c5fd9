import Foundation
import FuzzTargets
import TestSupport
import Testing

/// The kept inputs of the fuzzers, which cover the code, and the inputs that failed once.
@Suite(.timeLimit(.minutes(2)))
struct CorpusTests {
  @Test(arguments: FuzzTarget.allCases)
  func `inputs that failed once do not fail again`(target: FuzzTarget) throws {
    let directory = BuiltProducts.repository + "/Tests/Corpus/" + target.rawValue
    let names = try FileManager.default.contentsOfDirectory(atPath: directory).sorted()
    var taken: [String] = []
    for name in names {
      let bytes = [UInt8](try Data(contentsOf: URL(filePath: directory + "/" + name)))
      do {
        if try target.run(bytes) { taken.append(name) }
      } catch {
        Issue.record("\(target.rawValue)/\(name): \(error)")
      }
    }
    // A corpus whose inputs are all accepted or all refused would not reach much code.
    #expect(!taken.isEmpty && taken.count < names.count, "\(taken)")
  }
}
