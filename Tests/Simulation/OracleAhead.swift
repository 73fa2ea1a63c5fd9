/// The notifications of a run that have no row yet.
struct OracleAhead {
  /// The notifications that got a row last, in order, with those that were cleared.
  var window: [OracleRow]
  /// The notifications that have no row yet, in the order of their due times; a slice, because taking the first from
  /// an array copies the others, which may be tens of thousands.
  var later: ArraySlice<OracleRow>
  /// The beginnings of the names that get no row.
  var cleared: [String] = []
  /// When more are planned, on the boot clock.
  private(set) var refill = 0
  /// The notification that is due at that time.
  private var last = ""

  /// - Parameter requests: more notifications than the horizon, in the order of their due times.
  init(_ requests: [OracleRow], horizon: Int) {
    (window, later) = (Array(requests.prefix(horizon)), requests.dropFirst(horizon))
    setRefill(horizon)
  }

  /// Plans more as soon as less than half of a full window is left.
  mutating func setRefill(_ horizon: Int) {
    guard window.count == horizon else { return }
    let row = window[horizon - max(1, horizon / 2)]
    (refill, last) = (row.dueBoot, row.name)
  }

  func isCleared(_ row: OracleRow) -> Bool { cleared.contains { row.name.hasPrefix($0) } }

  /// Returns the same with the times of another boot.
  func moved(to requests: [OracleRow], at boot: Int) -> OracleAhead {
    var moved = self
    let names = Set(later.map(\.name))
    moved.later = requests.filter { names.contains($0.name) }[...]
    moved.window = requests.filter { !names.contains($0.name) }
    moved.refill = requests.first { $0.name == last }?.dueBoot ?? boot
    return moved
  }
}
