/// The parts of a file that were not imported as written, counted by kind.
public struct ImportReport: Equatable, Sendable, Encodable {
  /// The kinds that are missing from the sequence, in order of first occurrence.
  public private(set) var dropped: [Entry] = []
  /// The kinds that were converted to something else, in order of first occurrence.
  public private(set) var changed: [Entry] = []

  /// A kind of thing and its number of occurrences.
  public struct Entry: Equatable, Sendable, Encodable {
    /// The description of the kind.
    public let what: String
    /// The number of occurrences.
    public fileprivate(set) var count: Int
  }

  /// Records something that is missing from the sequence.
  mutating func drop(_ what: String, count: Int = 1) { ImportReport.add(what, count, to: &dropped) }

  /// Records something that was converted.
  mutating func change(_ what: String, count: Int = 1) { ImportReport.add(what, count, to: &changed) }

  /// The report, with one line per kind.
  public var lines: [String] {
    dropped.map { "dropped: \($0.text)" } + changed.map { "changed: \($0.text)" }
  }

  /// The largest number of distinct kinds; only a file made for this purpose has more.
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
