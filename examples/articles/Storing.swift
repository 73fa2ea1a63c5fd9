import FoundationEssentials
import SequencePlatform
import SequenceRunner
import SequenceStore

/// The store, its history and its errors.
struct Storing {
  let directory: StateDirectory

  func run() throws {
    print(try StateDirectory.ofSequence().path)
    guard let store = open() else { return }
    for path in store.damagedStores { print("a damaged store was moved to \(path)") }

    if let store = try RunStore(inspecting: directory) {
      print("\(try store.runs().count) active runs")
    }

    let weekAgo = store.clock.now().wall.advanced(by: .seconds(-7 * 86_400))
    for run in try store.history(since: weekAgo) {
      let active = run.records.reduce(.zero) { $0 + $1.actual }
      print("\(run.snapshot.sequence.title): \(run.outcome), \(DurationText.shown(active))")
    }
  }

  func open() -> RunStore? {
    do {
      return try RunStore(in: directory)
    } catch StoreError.busy {
      print("another program holds the store; try again")
    } catch StoreError.newer(let path, let reason) {
      print("update this program: \(path) is newer, \(reason)")
    } catch StoreError.inaccessible(let path, let reason) {
      print("\(path): \(reason)")
    } catch {
      print("the store cannot be used: \(error)")
    }
    return nil
  }
}
