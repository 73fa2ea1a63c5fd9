import FuzzTargets
import Glibc

/// The entry point for libFuzzer; `$FUZZ_TARGET` selects the target.
///
/// A violated property ends the program like a trap, so that libFuzzer keeps the input.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
  do {
    try fuzzTarget.run(Array(UnsafeBufferPointer(start: data, count: size)))
    return 0
  } catch {
    fatalError("\(error)")
  }
}

private let fuzzTarget: FuzzTarget = {
  let name = getenv("FUZZ_TARGET").map { String(cString: $0) } ?? ""
  guard let target = FuzzTarget(rawValue: name) else {
    let names = FuzzTarget.allCases.map(\.rawValue).joined(separator: ", ")
    fatalError("FUZZ_TARGET is to be one of \(names), and not \"\(name)\"")
  }
  return target
}()
