import Foundation
import Glibc
import TestSupport

/// A small disk in memory for one case; it ends with the mount namespace at the latest.
final class Disk {
  private let directory: TemporaryDirectory
  private static let size = 1 << 20
  private static let page = 4096

  init() throws {
    directory = try TemporaryDirectory()
    try Namespaces.run("mount", "-t", "tmpfs", "-o", "size=\(Disk.size)", "torture", directory.path)
  }

  deinit { umount2(directory.path, Int32(MNT_DETACH)) }

  func bench() throws -> Bench { try Bench(at: directory.path + "/state") }

  func fill(leaving pages: Int) throws {
    try free()
    let left = try room()
    let filler = Data(count: max(0, left - pages * Disk.page))
    try filler.write(to: URL(filePath: directory.path + "/filler"))
    guard try room() <= pages * Disk.page else {
      throw TestSupportError("the disk has \(try room()) bytes left")
    }
  }

  func free() throws {
    let path = directory.path + "/filler"
    if FileManager.default.fileExists(atPath: path) { try FileManager.default.removeItem(atPath: path) }
  }

  func makeReadOnly(_ isReadOnly: Bool) throws {
    try Namespaces.run("mount", "-o", "remount," + (isReadOnly ? "ro" : "rw"), directory.path)
  }

  private func room() throws -> Int {
    let attributes = try FileManager.default.attributesOfFileSystem(forPath: directory.path)
    guard let free = attributes[.systemFreeSize] as? NSNumber else {
      throw TestSupportError("no size of the disk")
    }
    return free.intValue
  }
}
