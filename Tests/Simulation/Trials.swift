import Synchronization

/// Many scenarios on several workers; the assignment to workers does not affect the result.
package struct Trials: Sendable {
  let seed: UInt64
  let scenarios: Int
  let workers: Int

  package init(seed: UInt64, scenarios: Int, workers: Int) {
    (self.seed, self.scenarios, self.workers) = (seed, scenarios, workers)
  }

  /// Returns the seed of the first scenario that fails; `nil` if none does.
  ///
  /// - Parameter tampering: changes an observation, to check that a difference is found.
  package func firstFailure(
    tampering: @escaping @Sendable (inout Observation) -> Void = { _ in }
  ) async throws -> UInt64? {
    let failure = FirstFailure()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for worker in 0..<workers {
        group.addTask { @concurrent in try runScenarios(worker, failure, tampering) }
      }
      try await group.waitForAll()
    }
    return failure.failed.map { seed &+ UInt64($0) }
  }

  private func runScenarios(
    _ worker: Int, _ failure: FirstFailure, _ tampering: @escaping @Sendable (inout Observation) -> Void
  ) throws {
    let scratch = try Scratch()
    for index in stride(from: worker, to: scenarios, by: workers) {
      if let failed = failure.failed, failed < index { return }
      let scenario = ScenarioGenerator.scenario(seed: seed &+ UInt64(index))
      if World.difference(in: scenario, scratch, tampering: tampering) != nil {
        failure.record(failed: index)
      }
    }
  }

  private final class FirstFailure: Sendable {
    private let first = Mutex<Int?>(nil)
    var failed: Int? { first.withLock { $0 } }
    func record(failed index: Int) { first.withLock { $0 = min($0 ?? index, index) } }
  }
}
