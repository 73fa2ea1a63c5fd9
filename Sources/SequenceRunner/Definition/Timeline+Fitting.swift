import SequencePlatform

/// The time that a run has until its deadline beyond the planned time; negative if time is missing.
package struct SpareTime: Hashable, Sendable {
  package let amount: Duration
  /// The index of the first step that takes a share of it, or gives one.
  package let first: Int

  /// Limits the amount to more than all steps together can take or give.
  init(_ amount: Duration, from first: Int) {
    self.amount = min(max(amount, .zero - SequenceLimits.longestTotal), SequenceLimits.longestTotal)
    self.first = first
  }
}

extension Timeline {
  /// The shares of steps in spare time, in proportion to the time that each can take or give.
  ///
  /// Their sum is rounded and not each of them, so all together are the spare time, unless that is more than they can
  /// take or give. It is rounded to microseconds, which the wall clock has: so a moment is the same from whichever step it
  /// is derived.
  struct Shares {
    private let amount: Int128
    /// The time that the steps before the first one can take or give.
    private let before: Int128
    private let all: Int128

    fileprivate init(_ spare: SpareTime, in timeline: Timeline) {
      amount = Int128(spare.amount.nanoseconds)
      before = Shares.room(timeline.size(before: spare.first), isMissing: amount < 0)
      all = Shares.room(timeline.row.size, isMissing: amount < 0) - before
    }

    private static func room(_ size: Size, isMissing: Bool) -> Int128 {
      Int128(isMissing ? size.give : size.take)
    }

    /// Returns the sum of the shares, in nanoseconds.
    ///
    /// - Parameter size: the size of all steps before the end of the last of them.
    func sum(_ size: Size) -> Int128 {
      guard all > 0 else { return 0 }
      let room = max(0, Shares.room(size, isMissing: amount < 0) - before)
      let size = abs(amount)
      guard size < all else { return amount < 0 ? -room : room }
      let microseconds = (size * room + 1000 * all - 1) / (1000 * all)
      let share = min(size, microseconds * 1000)
      return amount < 0 ? -share : share
    }

    /// Returns the time before the end of the last step of a size, in nanoseconds.
    func time(_ size: Size) -> Int128 { Int128(size.time) + sum(size) }
  }

  /// - Complexity: O(depth of the groups × log elements of a group).
  func shares(of spare: SpareTime?) -> Shares? {
    // A run with a deadline has no endless rounds.
    guard let spare, count != nil else { return nil }
    return Shares(spare, in: self)
  }

  /// Returns the spare time that is left after each step from the first one on has its share.
  func rest(of spare: SpareTime) -> Duration {
    spare.amount - .nanoseconds(Int64(Shares(spare, in: self).sum(row.size)))
  }

  /// Returns the time by which a step can be shorter and longer.
  ///
  /// - Complexity: O(depth of the groups × log elements of a group).
  func room(ofStepAt index: Int) -> (less: Duration, more: Duration) {
    let (before, after) = (size(before: index), size(before: index + 1))
    return (.nanoseconds(after.give - before.give), .nanoseconds(after.take - before.take))
  }

  /// Returns the longest time of the steps from an index on.
  package func longest(from index: Int) -> Duration {
    planned(of: index..<end) + .nanoseconds(row.size.take - size(before: index).take)
  }

  /// Returns how many endless rounds end within a time after the start of a step; at least 1.
  func rounds(within time: Duration, from index: Int) -> Int {
    guard let round = firstEndlessRound else { return 1 }
    let left = time - planned(of: min(index, round.lowerBound)..<round.lowerBound)
    return max(1, Int(left.nanoseconds / max(1, planned(of: round).nanoseconds)))
  }

  /// Returns the total countdown time of the steps in a range with their shares.
  ///
  /// - Complexity: O(depth of the groups × log elements of a group).
  func duration(of steps: Range<Int>, sharing shares: Shares?) -> Duration {
    guard let shares else { return duration(of: steps) }
    return .nanoseconds(
      Int64(
        clamping: shares.time(size(before: steps.upperBound)) - shares.time(size(before: steps.lowerBound))))
  }

  /// Returns the index of the step that is current `time` after the start of the step at `first`, like
  /// `stepReached(from:after:)`.
  func stepReached(from first: Int, after time: Duration, sharing shares: Shares?) -> Int {
    guard let shares else { return stepReached(from: first, after: time) }
    guard first < end else { return first }
    let reached = shares.time(size(before: first)) + Int128(time.nanoseconds)
    if let stop = firstStop(from: first), reached >= shares.time(size(before: stop)) { return stop }
    return max(first, step(after: reached, sharing: shares))
  }

  private func step(after time: Int128, sharing shares: Shares) -> Int {
    guard shares.time(row.size) > time else { return end }
    var (row, round, before) = (row, 0, Size())
    while true {
      let node = row.node { node in
        var size = before
        size += row.start(of: node, inRound: round)
        size += node.size(inRound: round)
        return shares.time(size) > time
      }
      before += row.start(of: node, inRound: round)
      guard case .group(let group) = node.kind else { return before.steps }
      round = group.round { round in
        var size = before
        size += group.start(ofRound: round + 1)
        return shares.time(size) > time
      }
      before += group.start(ofRound: round)
      row = group.row(ofRound: round)
    }
  }

  /// Returns the size of the steps before a step, without endless rounds.
  private func size(before index: Int) -> Size {
    index < row.size.steps ? descend(to: max(0, index)) { _ in }.before : row.size
  }
}
