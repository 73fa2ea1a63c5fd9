/// Notices when the time zone of the system is set.
///
/// It is set by a new link in place of the old one, which may be absent for a moment. The directory is watched, because
/// a watch on the link would end with it.
package struct TimeZoneWatch: ~Copyable {
  private let path: String
  private let watch: DirectoryWatch?
  private var zone: String?

  /// - Parameter onFailure: receives the reason why the directory can't be watched. A change is found at the next call
  ///   of `hasChanged()` then.
  package init(path: String = SystemTimeZone.path, onFailure: (any Error) -> Void) {
    self.path = path
    let directory = path.prefix(upTo: path.unicodeScalars.lastIndex(of: "/") ?? path.startIndex)
    do throws(SystemError) {
      watch = try DirectoryWatch(path: String(directory))
    } catch {
      watch = nil
      onFailure(error)
    }
    zone = SystemTimeZone.resolved(path)
  }

  init() {
    path = ""
    watch = .none
    zone = nil
  }

  package var descriptors: [Int32] {
    switch watch {
    case .some(let watch): [watch.descriptor]
    case nil: []
    }
  }

  /// Returns whether the link leads to another time zone than at the last call; a link that is absent doesn't count.
  package mutating func hasChanged() throws(SystemError) -> Bool {
    switch watch {
    case .some(let watch): try watch.drain()
    case nil: break
    }
    guard let present = SystemTimeZone.resolved(path), present != zone else { return false }
    zone = present
    return true
  }
}
