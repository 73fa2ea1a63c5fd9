import Foundation
import SequenceRunner
import TestSupport
import Testing

@testable import SequenceCommand

@Suite(.timeLimit(.minutes(1)))
struct ImportToolTests {
  private let tool: Tool
  private let course: String

  init() throws {
    tool = try Tool()
    course = try tool.directory.write(
      "[COURSE DATA]\n0 100\n1 100\n1 LAP\n2.5 150\n", to: "up hill.erg")
  }

  @Test func `the output runs, the report goes to standard error, and a pipe works like a file`()
    throws
  {
    let output = try tool("import", course)
    #expect(output.status == 0)
    #expect(output.errors == "sequence: \(course): dropped: lap marker (1)\n")
    #expect(output.text.hasPrefix("# Made by sequence import of up hill.erg (ERG course).\ntitle: up hill\n"))
    let checked = try tool("check", "-", input: output.text + "\n")
    #expect(checked.status == 0)
    #expect(checked.text.hasSuffix("2 steps, 2m30s"))
    let piped = try tool("import", "-", "--format", "mrc", input: "[COURSE DATA]\n0 1\n1 1\n")
    #expect(piped.text.contains("1 % of FTP"))
    #expect(piped.errors == "")
  }

  @Test
  func `an existing file is replaced only with --force, and --json prints the report`()
    throws
  {
    let target = tool.directory.path + "/-out.yaml"
    let written = try tool("import", course, "--output", target, "--json")
    #expect(written.status == 0)
    #expect(written.errors == "")
    #expect(
      written.text == """
        {"changed":[],"dropped":[{"count":1,"what":"lap marker"}],"duration":150,"file":"\(course)","format":"erg",\
        "schema":1,"steps":2,"title":"up hill"}
        """)
    #expect(try tool("check", target).status == 0)
    let again = try tool("import", course, "--output", target)
    #expect(again.status == 74)
    #expect(
      again.errors
        == "sequence: \(target) already exists; to overwrite it, add --force\n")
    #expect(try tool("import", course, "--output", target, "--force").status == 0)
  }

  @Test func `the report escapes the control characters of the file's name`() throws {
    let file = try tool.directory.write("[COURSE DATA]\n0 100\n1 100\n", to: "a\u{9B}31m.erg")
    let text = try tool("import", file, "--output", tool.directory.path + "/out.yaml", "--json").text
    #expect(text.contains(#"a\u009b31m.erg"#) && !text.unicodeScalars.contains("\u{9B}"), "\(text)")
  }

  @Test func `a refusal is one line and an exit status`() throws {
    let refusals: [([String], Int32, String)] = [
      (["import"], 64, "import needs FILE; see sequence help import"),
      (["import", course, "--json"], 64, "--json needs --output"),
      (["import", course, "--force"], 64, "--force needs --output; add --output FILE"),
      (["import", course, "--format", "gpx"], 64, #"--format cannot be "gpx"; use zwo, erg"#),
      (["import", "/nonexistent.zwo"], 74, "/nonexistent.zwo: cannot be read: No such file"),
      (["import", "/"], 74, "/: cannot be read: Is a directory"),
      (["import", "/bin/true"], 65, "/bin/true: this is a binary file"),
      (["import", course, "--format", "zwo"], 65, "\(course): this is not XML"),
      (
        ["import", course, "--output", "/nonexistent/x"], 74,
        #"/nonexistent/x: cannot be written: No such file or directory; create the directory "/nonexistent" first"#
      ),
    ]
    for (words, status, message) in refusals {
      let output = try ChildProcess.run(
        BuiltProducts.path(of: "sequence"), words, environment: tool.environment)
      #expect(output.status == status, "\(words)")
      #expect(output.text == "")
      #expect(output.errors.hasPrefix("sequence: \(message)"), "\(output.errors)")
      #expect(output.errors.split(separator: "\n").count == 1)
    }
  }
}
