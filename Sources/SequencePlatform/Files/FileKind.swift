import CSequenceLinux
import Glibc

package enum FileKind: Equatable {
  case nothing
  case directory
  /// A regular file, or a path that only reading can clarify: a dangling link, or an inaccessible file.
  case file
  case special

  /// Returns the kind of the file at a path; links are followed.
  package init(of path: String) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else {
      guard errno == ENOENT || errno == ENOTDIR else {
        self = .file
        return
      }
      self = unsafe lstat(path, &status) == 0 ? .file : .nothing
      return
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG: self = .file
    case S_IFDIR: self = .directory
    default: self = .special
    }
  }
}

/// The identity of a file or directory, which distinguishes it from a later one with the same name.
package struct FileIdentity: Equatable, Sendable {
  private let device: UInt
  private let number: UInt

  package init?(path: String) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  package init?(descriptor: Int32) {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }

  fileprivate init(_ status: stat) {
    device = UInt(status.st_dev)
    number = UInt(status.st_ino)
  }
}

/// The state of a file as far as its status tells, which distinguishes it from a later one with other content.
package struct FileVersion: Equatable, Sendable {
  private let identity: FileIdentity
  private let size: Int
  private let times: [Int]
  /// The last change of the file, or of its name.
  package let lastChange: Moment

  /// `nil` if the file is missing or inaccessible.
  package init?(path: String) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    identity = FileIdentity(status)
    size = Int(status.st_size)
    times = [
      status.st_mtim.tv_sec, status.st_mtim.tv_nsec, status.st_ctim.tv_sec, status.st_ctim.tv_nsec,
    ]
    lastChange = Moment(seconds: status.st_ctim.tv_sec, nanoseconds: status.st_ctim.tv_nsec)
  }
}

package enum MediaFile {
  /// The largest file that is used, in bytes: it is loaded as a whole.
  package static let largest = 10 << 20

  /// Returns why a file can't be used, in words; `nil` if it can.
  ///
  /// - Parameter name: the name of the file in these words.
  package static func problem(_ path: String, _ name: String) -> LocalizedText? {
    var status = stat()
    guard unsafe stat(path, &status) == 0, unsafe access(path, R_OK) == 0 else {
      return "\(name) cannot be read"
    }
    guard status.st_mode & S_IFMT == S_IFREG else { return "\(name) is not a regular file" }
    guard status.st_size <= largest else { return "\(name) is larger than 10 MiB" }
    return nil
  }

  /// Returns why a sound file can't be played, in words; `nil` if it can.
  ///
  /// libcanberra reads WAV (RIFF) and Ogg Vorbis.
  package static func soundProblem(_ path: String, _ name: String) -> LocalizedText? {
    if let problem = problem(path, name) { return problem }
    do throws(SystemError) {
      let begin = try readAll(fromFileAt: path, upTo: soundHeader)
      let isWave = begin.starts(with: "RIFF".utf8) && begin.dropFirst(8).starts(with: "WAVE".utf8)
      // The first packet follows the header of the first page, which is 28 bytes long for one packet.
      let isVorbis = begin.starts(with: "OggS".utf8) && begin.dropFirst(28).starts(with: "\u{1}vorbis".utf8)
      return isWave || isVorbis ? nil : LocalizedText("\(name) is neither WAV nor Ogg Vorbis")
    } catch {
      return "\(name) cannot be read"
    }
  }

  private static let soundHeader = 64
}
