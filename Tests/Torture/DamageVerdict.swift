import Foundation
import TestSupport

/// The judgement of commands on a damaged store.
///
/// Commands succeed or report the exact reason. Lost data is reported and kept aside. A run that never
/// existed must not appear.
struct DamageVerdict {
  let bench: Bench
  /// The acceptable remaining states: the last one, and with a damaged log also earlier ones.
  let allowed: [StoredState]

  func judge(_ tally: Tally) throws {
    let first = try call(Deed.status.words)
    guard first.status == 0 else {
      tally.note("exit \(first.status)")
      try expectRefusal()
      return
    }
    let answer = try Answer(first.text)
    var hasNotice = try hears(first)
    try expectKnown(answer, hasNotice: hasNotice)

    let history = try call(["history", "--json"])
    hasNotice = try hears(history) || hasNotice
    if history.status == 0 { try expectKnownHistory(history.text, hasNotice: hasNotice) }

    let deed = answer.run == nil ? Deed.start : .extend
    let change = try call(deed.words)
    hasNotice = try hears(change) || hasNotice
    switch change.status {
    case 0: try compare(try Answer(change.text), after: deed, answer, hasNotice: hasNotice)
    // Only the second command found the damage, and the run was lost with it.
    case 1 where hasNotice: break
    case 74 where change.errors.contains("is damaged: "): return tally.note("exit 74 of a change, said why")
    default: throw Violation("after \(first.text), \(deed) exits with \(change.status): \(change.errors)")
    }
    tally.note(hasNotice ? (answer.run == nil ? "moved aside" : "moved aside, run kept") : "unharmed")
  }

  private func call(_ words: [String]) throws -> ChildProcess.Output {
    let child = try bench.begin(words)
    try child.endInput()
    let output = try child.outcome(within: .seconds(20))
    guard [0, 1, 74].contains(output.status), output.status == 0 || output.errors.contains("sequence: ")
    else {
      throw Violation("\(words[0]) exits with \(output.status): \(output.errors)")
    }
    return output
  }

  /// Returns whether a command reported that a store was moved aside; checks that it exists.
  private func hears(_ output: ChildProcess.Output) throws -> Bool {
    guard let notice = output.errors.range(of: "the store was damaged and is now ") else { return false }
    let path = output.errors[notice.upperBound...].prefix { $0 != ";" }
    guard path.contains(".damaged-"), FileManager.default.fileExists(atPath: String(path)) else {
      throw Violation("\(path) is not there: \(output.errors)")
    }
    return true
  }

  private func expectKnown(_ answer: Answer, hasNotice: Bool) throws {
    if allowed.contains(where: { Answer($0) == answer }) { return }
    guard hasNotice, answer.run == nil else {
      throw Violation(
        "the status is \(answer)\(hasNotice ? "" : ", without a word"), and was \(allowed.map { Answer($0) })"
      )
    }
  }

  private func expectKnownHistory(_ text: String, hasNotice: Bool) throws {
    let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    let runs = object?["runs"] as? [[String: Any]] ?? []
    let found = Dictionary(
      uniqueKeysWithValues: runs.map { ($0["id"] as? String ?? "", $0["outcome"] as? String ?? "") })
    if allowed.contains(where: { $0.history == found }) { return }
    let all = allowed.last?.history ?? [:]
    guard hasNotice, found.allSatisfy({ all[$0.key] == $0.value }) else {
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
    guard again.status == 0, try Answer(again.text) == changed || hears(again) else {
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
