import Foundation
import SequencePlatform
import TestSupport
import Testing

@testable import SequenceCommand

/// The metadata of the package and the desktop, compared with the programs.
struct PackagingTests {
  private func text(_ path: String) throws -> String {
    let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    return try String(contentsOf: repository.appending(path: path), encoding: .utf8)
  }

  @Test func `the newest version of the package is that of the program`() throws {
    #expect(
      try text("debian/changelog").hasPrefix("sequence-timer (\(SequenceProgram.version)-"))
  }

  @Test func `the newest release for software centers is that of the program`() throws {
    let releases = try text("share/metainfo/org.sequence_timer.sequence.metainfo.xml").matches(
      of: /<release version="([^"]*)"/)
    #expect(releases.first?.output.1 == SequenceProgram.version[...])
  }

  @Test func `the icon of the desktop entry exists in large and small sizes`() throws {
    let entry = try text("share/applications/sequence.desktop")
    let icon = try #require(entry.firstMatch(of: /\nIcon=(.*)\n/)?.output.1)
    for place in ["scalable/apps/\(icon).svg", "symbolic/apps/\(icon)-symbolic.svg"] {
      #expect(try text("share/icons/hicolor/" + place).contains("<svg "))
    }
  }

  @Test func `the desktop entry runs existing commands`() throws {
    let entry = try text("share/applications/sequence.desktop")
    let commands = entry.matches(of: /sequence ([a-z]+)/).map { String($0.output.1) }
    #expect(commands == ["window", "window", "toggle", "next", "window"])
    for command in commands { #expect(throws: Never.self) { try CommandTable.command(named: command) } }
  }

  @Test func `installed programs find each other`() {
    for (name, directory) in [("sequence", "bin"), ("sequence-agent", "libexec/sequence")] {
      for other in ["bin/sequence", "libexec/sequence/sequence-sound"] {
        #expect(installedPaths(of: name, with: "/usr/" + other).contains("/usr/\(directory)/\(name)"))
      }
    }
  }

  @Test func `make help has a line for each target`() throws {
    let makefile = try text("Makefile")
    let targets = makefile.matches(of: /(?m)^\.PHONY: (.*)$/).flatMap { $0.output.1.split(separator: " ") }
    #expect(targets.count > 20)
    let help = try ChildProcess.run(
      "/usr/bin/make", ["--directory", BuiltProducts.repository, "--no-print-directory", "help"],
      environment: ["PATH": "/usr/bin:/bin"], within: .seconds(30))
    let listed = help.text.matches(of: /(?m)^  ([a-z-]+) +[a-z]/).map(\.output.1)
    #expect(help.status == 0 && listed.sorted() == targets.sorted(), "\(help)")
  }

  @Test func `the address of the project is set everywhere at once`() throws {
    let copy = try TemporaryDirectory()
    let words: (String) throws -> ChildProcess.Output = {
      try ChildProcess.run(
        "/bin/sh", ["-euc", $0], environment: ["PATH": "/usr/bin:/bin"], within: .seconds(60))
    }
    let place = "'\(copy.path)/clone'"
    var output = try words(
      "git -c safe.directory='*' clone --quiet '\(BuiltProducts.repository)' \(place); cd \(place)"
        + "; scripts/set-home https://example.org/s-1; git grep -ho 'https*://sequence[.]invalid.*' || true")
    let files = output.text.split(separator: "\n").map(String.init)
    #expect(output.status == 0, "\(output)")
    #expect(
      files == [
        "README.md", "debian/control", "docs/internals/releasing.md", "share/address",
        "share/metainfo/org.sequence_timer.sequence.metainfo.xml",
        "share/metainfo/org.sequence_timer.sequence.window.metainfo.xml",
      ])
    output = try words("cd \(place); cat share/address README.md debian/control share/metainfo/*")
    #expect(output.text.matches(of: #/https:\/\/example\.org\/s-1/#).count > 10)
    for wrong in ["", "example.org", "https://", "https://example.org/", "https://example.org/a|b"] {
      #expect(try words("cd \(place); scripts/set-home '\(wrong)'").status == 64)
    }
  }

  @Test func `the page about installation names the packages that make installs`() throws {
    let script = try text("scripts/install-dependencies")
    let list = try #require(script.firstMatch(of: /needed='\n([^']*)'/)?.output.1)
    let packages = list.split(separator: "\n").compactMap { $0.split(separator: ":").last }
    #expect(packages.count > 5)
    let words = try text("docs/install.md").split { $0.isWhitespace || $0 == "`" }.joined(separator: " ")
    #expect(words.contains(packages.joined(separator: " ")))
  }
}
