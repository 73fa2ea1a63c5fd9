import Foundation
import SequencePlatform
import SequenceClient
import SequenceRunner
import SequenceStore
import TestSupport

/// The judgement of commands on a damaged store.
///
/// Commands succeed or report the exact reason. Lost data is reported and kept aside. A run that never
/// existed must not appear.
struct DamageVerdict {
  let bench: Bench
  /// The acceptable remaining states: the last one, and with a damaged log also earlier ones.
  let allowed: [StoredState]
  /// Whether the damage is in no row, so that none may be lost.
  var losesNothing = false

  func judge(_ tally: Tally) throws {
    let first = try call(Deed.status.words)
    guard first.status == 0 else {
      tally.count("exit \(first.status)")
      try expectRefusal()
      return
    }
    let answer = try Answer(first.text)
    let notice = try notice(in: first)
    if let notice, (notice.keptRuns > 0) != (answer.run != nil) {
      throw Violation("with \(answer) status says \(first.errors)")
    }
    var hasNotice = notice != nil
    try expectKnown(answer, hasNotice: hasNotice)

    let history = try call(["history", "--json"])
    let historyNotice = try self.notice(in: history)
    hasNotice = hasNotice || historyNotice != nil
    if history.status == 0 { try expectKnownHistory(history, historyNotice, hasNotice: hasNotice) }

    let isMeant = allowed.contains { $0.runID != nil && $0.runID == answer.run }
    let deed = isMeant ? Deed.extend : .start
    let change = try call(deed.words)
    hasNotice = try self.notice(in: change) != nil || hasNotice
    switch change.status {
    case 0: try compare(try Answer(change.text), after: deed, answer, hasNotice: hasNotice)
    // Only the second command found the damage, and the run was lost with it.
    case 1 where hasNotice: break
    case 74 where isOfDamage(change): return tally.count("exit 74 of a change, said why")
    default: throw Violation("after \(first.text), \(deed) exits with \(change.status): \(change.errors)")
    }
    tally.count(hasNotice ? (answer.run == nil ? "moved aside" : "moved aside, run kept") : "unharmed")
  }

  private func call(_ words: [String]) throws -> ChildProcess.Output {
    let child = try bench.begin(words)
    try child.endInput()
    let output = try child.outcome(within: .seconds(20))
    guard [0, 1, 74].contains(output.status), output.status == 0 || !output.errors.isEmpty else {
      throw Violation("\(words[0]) exits with \(output.status): \(output.errors)")
    }
    return output
  }

  private func isOfDamage(_ output: ChildProcess.Output) -> Bool {
    output.errors.contains(StoreError.damaged(path: bench.databasePath, reason: "").problem.text.description)
  }

  /// The content of the message about a store that was moved aside.
  struct Notice {
    var keptRuns: Int
    var keptHistory: Int
  }

  /// Returns the last notice that a command printed about a damaged store; `nil` without one.
  ///
  /// - Throws: `Violation` if the command printed anything else, except for the reason of its failure. So the damaged
  ///   store of each notice is there.
  func notice(in output: ChildProcess.Output) throws -> Notice? {
    let known = try knownNotices()
    let lines = output.errors.split(separator: "\n").map(String.init)
    return try lines.dropLast(output.status == 0 ? 0 : 1).map { line in
      // The title of a lost run may be damaged.
      let recovered = line.range(of: ", lost \"").map { String(line[..<$0.lowerBound]) } ?? line
      guard let notice = known[recovered] else { throw Violation("there is no reason to say \"\(line)\"") }
      return notice
    }.last
  }

  /// Returns the notices that may be printed, by their lines: for each file of the directory, and with each number of
  /// past runs that could be recovered.
  private func knownNotices() throws -> [String: Notice] {
    var notices: [String: Notice] = [:]
    for file in try FileManager.default.contentsOfDirectory(atPath: bench.state) where file != "sequence.db" {
      let path = bench.state + "/" + file
      for keptRuns in 0...2 {
        for keptHistory in 0...(allowed.map(\.history.count).max() ?? 0) {
          for incomplete: Set<String> in [[], ["schedule"]] {
            let text = explained(
              .damagedStoreMoved(
                to: path, keptRuns: keptRuns, keptHistory: keptHistory, incomplete: incomplete)
            ).description
            notices["sequence: " + text] = Notice(keptRuns: keptRuns, keptHistory: keptHistory)
          }
        }
      }
    }
    return notices
  }

  private func expectKnown(_ answer: Answer, hasNotice: Bool) throws {
    if allowed.contains(where: { Answer($0) == answer }) { return }
    // Each run is lost alone.
    let others = allowed.compactMap { $0.other?.runID.uuidString }
    guard hasNotice, !losesNothing, answer.run.map(others.contains) ?? true else {
      throw Violation(
        "the status is \(answer)\(hasNotice ? "" : ", without a word"), and was \(allowed.map { Answer($0) })"
      )
    }
  }

  private func expectKnownHistory(
    _ output: ChildProcess.Output, _ notice: Notice?, hasNotice: Bool
  ) throws {
    let object = try JSONSerialization.jsonObject(with: Data(output.text.utf8)) as? [String: Any]
    let runs = object?["runs"] as? [[String: Any]] ?? []
    let all = Dictionary(
      uniqueKeysWithValues: runs.map { ($0["id"] as? String ?? "", $0["outcome"] as? String ?? "") })
    let found = all.filter { $0.value != "lost" }
    let known = Set(
      allowed.flatMap { [$0.runID, $0.other?.runID.uuidString].compactMap(\.self) + $0.history.keys })
    guard all.count == found.count || hasNotice, all.allSatisfy({ known.contains($0.key) }) else {
      throw Violation("the history has \(all), and the store had \(known)")
    }
    if let notice, notice.keptHistory != found.count {
      throw Violation("with \(found.count) past runs history says \(output.errors)")
    }
    if allowed.contains(where: { $0.history == found }) { return }
    let last = allowed.last?.history ?? [:]
    guard hasNotice, !losesNothing, found.allSatisfy({ last[$0.key] == $0.value }) else {
      throw Violation(
        "the history has \(found)\(hasNotice ? "" : ", without a word"), and had \(allowed.map(\.history))")
    }
  }

  private func compare(_ changed: Answer, after deed: Deed, _ answer: Answer, hasNotice: Bool) throws {
    var expected = answer
    expected.duration = answer.duration.map { $0 + 1000 }
    guard deed == .start ? changed.run != nil : changed == expected else {
      throw Violation("\(deed) made \(changed) of \(answer)")
    }
    let again = try call(Deed.status.words)
    guard again.status == 0, try notice(in: again) != nil || Answer(again.text) == changed else {
      throw Violation("\(deed) answered \(changed), and then the status is \(again.text)\(again.errors)")
    }
  }

  /// Checks that an unusable store stays unusable, and that nothing is made up.
  private func expectRefusal() throws {
    let output = try call(Deed.status.words)
    guard output.status == 74 else {
      throw Violation("it was refused, and then works: \(output.text) \(output.errors)")
    }
  }
}
