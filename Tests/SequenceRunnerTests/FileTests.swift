import Foundation
import SequencePlatform
import Synchronization
import TestSupport
import Testing

/// Files and locks of the platform.
struct FileTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func link(_ name: String, to target: String) throws -> String {
    let path = directory.path + "/" + name
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
    return path
  }

  @Test(arguments: ["new", "folder/new", "./folder/../new", "*"])
  func `a link to a file that is not there yet stays a link`(target: String) throws {
    try FileManager.default.createDirectory(
      atPath: directory.path + "/folder", withIntermediateDirectories: false)
    let target = target == "*" ? directory.path + "/new" : target
    let outer = try link("outer", to: "inner")
    _ = try link("inner", to: target)
    try AtomicFile.write("text", to: outer, replacing: true)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: outer) == "inner")
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: directory.path + "/inner") == target)
    #expect(try String(contentsOfFile: outer, encoding: .utf8) == "text")
    try AtomicFile.write("more", to: outer, replacing: true)
    #expect(try String(contentsOfFile: outer, encoding: .utf8) == "more")
  }

  @Test func `a pipe is written to, and stays a pipe`() throws {
    let path = directory.path + "/pipe"
    #expect(mkfifo(path, 0o600) == 0)
    let reader = try FileDescriptor(opening: path, O_RDONLY | O_NONBLOCK)
    try AtomicFile.write("text", to: path, replacing: true)
    var bytes = [UInt8](repeating: 0, count: 10)
    #expect(read(reader.number, &bytes, bytes.count) == 4)
    #expect(FileKind(of: path) == .special)
  }

  @Test(arguments: [true, false])
  func `a chain of relative links into a read-only repository stays, whether or not it can be written`(
    isExchanged: Bool
  ) throws {
    let (home, repository) = (directory.path + "/home/.config", directory.path + "/dotfiles/sequence")
    for path in [home, repository] { try makeDirectory(path) }
    let file = try directory.write("one", to: "dotfiles/sequence/config.yaml")
    symlink("../../dotfiles/sequence", home + "/sequence")
    symlink("sequence/config.yaml", home + "/config.yaml")
    symlink(".config/config.yaml", directory.path + "/home/config")
    chmod(repository, 0o555)
    chmod(file, 0o444)
    defer { chmod(repository, 0o755) }
    // The rights of a directory don't bind the administrator.
    let isWritable = access(repository, W_OK) == 0
    let path = directory.path + "/home/config"
    do throws(SystemError) {
      if isExchanged {
        let result = try AtomicFile.replace(Array("one".utf8), by: Array("two".utf8), at: path, upTo: 100)
        #expect(result == .replaced)
      } else {
        try AtomicFile.write("two", to: path, replacing: true)
      }
      #expect(isWritable)
    } catch {
      #expect(!isWritable && error.code == EACCES)
      #expect(AtomicFile.remedy(for: error, path) == "choose a directory that you can write to")
    }
    #expect(try String(contentsOfFile: file, encoding: .utf8) == (isWritable ? "two" : "one"))
    for (link, target) in [
      (path, ".config/config.yaml"), (home + "/config.yaml", "sequence/config.yaml"),
      (home + "/sequence", "../../dotfiles/sequence"),
    ] { #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == target) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: repository) == ["config.yaml"])
  }

  @Test func `a link that leads nowhere is left alone`() throws {
    for target in ["missing/new", "loop"] {
      let path = try link(target == "loop" ? "loop" : "link", to: target)
      #expect(throws: SystemError.self) { try AtomicFile.write("text", to: path, replacing: true) }
      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == target)
    }
  }

  @Test func `a mark behind a slash or an equals sign hides neither`() throws {
    let folder = directory.path + "/\u{301}folder/\u{20E3}inner"
    try makeDirectory(folder)
    let path = folder + "/\u{301}file"
    #expect(SequencePlatform.directory(ofFileAt: path).utf8.elementsEqual(folder.utf8))
    try AtomicFile.write("text", to: path, replacing: false)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "text")
    #expect(try fileNames(inDirectory: folder).contains("\u{301}file"))
    let outer = try link("outer", to: "\u{301}folder/\u{301}new")
    try AtomicFile.write("text", to: outer, replacing: true)
    #expect(try fileNames(inDirectory: directory.path + "/\u{301}folder").contains("\u{301}new"))
    #expect(isAbsolute("/\u{301}a") && absolutePath("/\u{301}a") == "/\u{301}a")
    setenv("SEQUENCE_MARKED", "\u{301}a", 1)
    defer { unsetenv("SEQUENCE_MARKED") }
    #expect(EnvironmentVariables.process.copy["SEQUENCE_MARKED"] == "\u{301}a")
    var words = CommandLineScanner(["--title=\u{301}a"]) { _ in
      false
    } find: {
      $0 == "--title" ? ("title", true) : nil
    }
    guard case .option("title", "\u{301}a")? = words.next() else { throw TestSupportError("no option") }
  }

  @Test func `a file is replaced only if it has the content that was read`() throws {
    let path = directory.path + "/file"
    func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }
    try AtomicFile.write("one", to: path, mode: 0o640, replacing: false)
    let link = try link("link", to: "file")
    #expect(
      try AtomicFile.replace(bytes("one"), by: bytes("two"), at: link, upTo: 100) == .replaced)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "file")
    #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o640)
    #expect(
      try AtomicFile.replace(bytes("one"), by: bytes("three"), at: path, upTo: 100)
        == .changed([bytes("two")]))
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "two")
    // The beginning of a larger file equals nothing.
    let large = [UInt8](repeating: 0x78, count: 70_000)
    let failure = #expect(throws: SystemError.self) {
      try AtomicFile.write(large + large, to: path, replacing: true)
      _ = try AtomicFile.replace(large, by: bytes("three"), at: path, upTo: 60_000)
    }
    #expect(failure?.code == EFBIG)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)).count == 140_000)
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted() == ["file", "link"])
    try FileManager.default.removeItem(atPath: path)
    #expect(try AtomicFile.replace(bytes("two"), by: bytes("four"), at: path, upTo: 100) == .changed([]))
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["link"])
  }

  /// Changes a file 200 times by each of some writers at once; returns its lines at the end, and those that writers
  /// found in it instead of what they had read.
  private func linesWritten(
    by writers: Int, withEditor hasEditor: Bool
  ) throws -> (inFile: [String], found: Set<String>) {
    let path = directory.path + "/file"
    try AtomicFile.write("", to: path, replacing: false)
    @Sendable func read() throws -> [UInt8] { Array(try Data(contentsOf: URL(fileURLWithPath: path))) }
    @Sendable func lines(_ bytes: [UInt8]) -> [String] {
      String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }
    let failures = Mutex<[String]>([])
    let found = Mutex<Set<String>>([])
    DispatchQueue.concurrentPerform(iterations: writers + (hasEditor ? 1 : 0)) { writer in
      do {
        writing: for number in 0..<200 {
          guard writer < writers else {
            // A text editor: it renames a new file, whatever is there by then.
            let other = path + ".editor"
            try Data("editor \(number)\n".utf8 + read()).write(to: URL(fileURLWithPath: other))
            try renameFile(other, to: path, .replacing)
            continue
          }
          while true {
            let text = try read()
            let new = text + "\(writer) \(number)\n".utf8
            switch try AtomicFile.replace(text, by: new, at: path, upTo: 1 << 20) {
            case .changed(let contents): found.withLock { $0.formUnion(contents.flatMap(lines)) }
            case .replaced: continue writing
            }
          }
        }
      } catch {
        failures.withLock { $0.append("\(writer): \(error)") }
      }
    }
    #expect(failures.withLock { $0 } == [])
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["file"])
    return (lines(try read()), found.withLock { $0 })
  }

  @Test func `writers that look before they write lose nothing of each other`() throws {
    let lines = try linesWritten(by: 3, withEditor: false).inFile
    #expect(lines.count == 600)
    #expect(Set(lines).count == 600)
  }

  @Test func `no line of a text editor that renames is lost`() throws {
    let (lines, found) = try linesWritten(by: 2, withEditor: true)
    let known = Set(lines).union(found)
    // Only the editor itself can take a line out of the file, if it has read a text that then left the file again.
    #expect((0..<200).filter { !known.contains("editor \($0)") } == [])
    #expect(lines.first { $0.hasPrefix("editor") } == "editor 199")
  }

  @Test(arguments: [
    (Duration.zero, 0, 1), (.nanoseconds(1), 0, 1), (.milliseconds(250), 0, 250_000), (.seconds(5), 5, 0),
    (.milliseconds(1500), 1, 500_000),
  ])
  func `the wait for a lock has an end, however short the limit`(
    limit: Duration, seconds: Int, microseconds: Int
  ) {
    let timer = FileLock.alarm(after: limit)
    #expect(timer.it_value.tv_sec == seconds)
    #expect(timer.it_value.tv_usec == microseconds)
  }
}
