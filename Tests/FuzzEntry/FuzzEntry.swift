import FuzzTargets
import Glibc

/// What libFuzzer calls with each input; `$FUZZ_TARGET` says what it is for.
///
/// A property that does not hold ends the program as a trap does, so that libFuzzer keeps the input.
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
