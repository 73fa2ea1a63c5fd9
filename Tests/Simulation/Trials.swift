import Synchronization

/// Many lives, by several workers; which of them does what makes no difference to what is found.
package struct Trials: Sendable {
  let seed: UInt64
  let lives: Int
  let workers: Int

  /// The lives of as many seeds, from a first one on.
  package init(seed: UInt64, lives: Int, workers: Int) {
    (self.seed, self.lives, self.workers) = (seed, lives, workers)
  }

  /// What has been found so far.
  private struct Findings {
    var done = 0
    /// The first life that fails, whoever found it.
    var failed: Int?
  }

  /// The seed of the first life that fails; `nil` if none does.
  ///
  /// - Parameters:
  ///   - tampering: changes what is seen of the program, to see whether that is noticed.
  ///   - progress: told now and then how many lives are done.
  package func firstFailure(
    tampering: @escaping @Sendable (inout Observation) -> Void = { _ in },
    progress: @escaping @Sendable (Int) -> Void = { _ in }
  ) async throws -> UInt64? {
    let findings = FindingsBox()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for worker in 0..<workers {
        group.addTask { @concurrent in try live(worker, findings, tampering, progress) }
      }
      try await group.waitForAll()
    }
    return findings.failed.map { seed &+ UInt64($0) }
  }

  private func live(
    _ worker: Int, _ findings: FindingsBox, _ tampering: @escaping @Sendable (inout Observation) -> Void,
    _ progress: @Sendable (Int) -> Void
  ) throws {
    let scratch = try Scratch()
    for index in stride(from: worker, to: lives, by: workers) {
      if let failed = findings.failed, failed < index { return }
      let life = LifeGenerator.life(seed: seed &+ UInt64(index))
      if World.difference(in: life, scratch, tampering: tampering) != nil { findings.note(failed: index) }
      let done = findings.noteDone()
      if done.isMultiple(of: 10_000) { progress(done) }
    }
  }

  private final class FindingsBox: Sendable {
    private let findings = Mutex(Findings())
    var failed: Int? { findings.withLock { $0.failed } }
    func note(failed index: Int) { findings.withLock { $0.failed = min($0.failed ?? index, index) } }
    func noteDone() -> Int {
      findings.withLock {
        $0.done += 1
        return $0.done
      }
    }
  }
}
