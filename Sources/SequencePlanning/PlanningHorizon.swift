/// How many notifications of a run are planned ahead, so that commands cost the same for runs of any length.
package struct PlanningHorizon: Equatable, Sendable {
  /// The largest number of requests that a command plans.
  let count: Int
  /// The number of planned requests below which more are planned.
  let fewest: Int

  /// The horizon of the program.
  package static let standard = PlanningHorizon(64)

  /// Creates a horizon of at least one request; more are planned when less than half are left.
  package init(_ count: Int) {
    self.count = count
    fewest = max(1, count / 2)
  }
}
