/// What became of a file otherwise than it was written, as kinds of things with how often each was met.
public struct ImportReport: Equatable, Sendable, Encodable {
  /// What is not in the sequence, in the order in which it was met.
  public private(set) var dropped: [Entry] = []
  /// What is in the sequence as something else, in the order in which it was met.
  public private(set) var changed: [Entry] = []

  /// A kind of thing, and how many there were.
  public struct Entry: Equatable, Sendable, Encodable {
    /// What it is.
    public let what: String
    /// How often it was met.
    public fileprivate(set) var count: Int
  }

  /// Notes that something is not in the sequence.
  mutating func drop(_ what: String, count: Int = 1) { ImportReport.add(what, count, to: &dropped) }

  /// Notes that something is in the sequence as something else.
  mutating func change(_ what: String, count: Int = 1) { ImportReport.add(what, count, to: &changed) }

  /// One line for each kind of thing.
  public var lines: [String] {
    dropped.map { "dropped: \($0.text)" } + changed.map { "changed: \($0.text)" }
  }

  /// How many kinds are told apart; a file that has more was made to have them.
  private static let mostKinds = 100

  private static func add(_ what: String, _ count: Int, to entries: inout [Entry]) {
    guard count > 0 else { return }
    let what = entries.count < mostKinds || entries.contains { $0.what == what } ? what : "other things"
    if let index = entries.firstIndex(where: { $0.what == what }) {
      entries[index].count += count
    } else {
      entries.append(Entry(what: what, count: count))
    }
  }
}

extension ImportReport.Entry {
  fileprivate var text: String { "\(what) (\(count))" }
}
