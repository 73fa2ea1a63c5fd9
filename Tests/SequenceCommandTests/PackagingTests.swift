import Foundation
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

  @Test func `the README and the page about installation name the packages that make installs`() throws {
    let script = try text("scripts/install-dependencies")
    let list = try #require(script.firstMatch(of: /needed='\n([^']*)'/)?.output.1)
    let packages = list.split(separator: "\n").compactMap { $0.split(separator: ":").last }
    #expect(packages.count > 5)
    for page in ["README.md", "docs/install.md"] {
      let words = try text(page).split { $0.isWhitespace || $0 == "`" }.joined(separator: " ")
      #expect(words.contains(packages.joined(separator: " ")), "\(page)")
    }
  }
}
