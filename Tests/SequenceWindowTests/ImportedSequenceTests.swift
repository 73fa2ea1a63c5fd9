import Foundation
import SequenceClient
import SequenceFiles
import SequencePlatform
import TestSupport
import Testing

@testable import SequenceWindow

@Suite struct ImportedSequenceTests {
  @Test func `the report doesn't repeat the path that the user has chosen`() {
    var report = ImportReport()
    #expect(ImportedSequence.text(of: report) == nil)
    report.drop("element tag")
    report.change("distance, now until it is done", count: 2)
    #expect(
      ImportedSequence.text(of: report)
        == "Dropped: element tag (1)\nChanged: distance, now until it is done (2)")
  }

  @Test(arguments: [
    ("Ride 2.0.zwo", "Ride 2.0"), ("ride.zwo", "ride"), ("ride", "ride"), (".zwo", ".zwo"),
    ("a.\u{301}b", "a"),
  ])
  func `the name is that of the file without its extension`(file: String, name: String) {
    #expect(ImportedSequence.stem(ofFile: file) == name)
  }

  @Test func `each import is another sequence with a free name`() throws {
    let home = try TemporaryDirectory()
    let file = try home.write(
      "<workout_file><name>Ride</name><workout><SteadyState Duration=\"60\" Power=\"0.5\"/></workout></workout_file>",
      to: "Ride 2.0.zwo")
    let environment = EnvironmentVariables(["HOME": home.path])
    let control = LibraryControl(
      context: ClientContext(
        environment: environment, clock: ManualClock(), startAgent: { _ in getpid() }, warn: { _ in }))
    let paths = try (0..<2).map { _ in
      try control.add(ImportedSequence(file, environment, try SystemClock()))
    }
    #expect(
      paths == ["Ride 2.0", "Ride 2.0 2"].map { "\(home.path)/.local/share/sequence/\($0).yaml" })
    let sequences = try paths.map { try SequenceFile.read(path: $0).definition }
    #expect(sequences[0].title == "Ride" && sequences.map(\.elements.count) == [1, 1])
    #expect(sequences[0].id != sequences[1].id)
  }

  @Test func `an error keeps its line, and else not the path`() {
    let error = ImportError("the file ends too early", remedy: "repeat the download", line: 3)
    #expect(
      Message.sentence(ImportedSequence.explanation(of: error, in: "/home/u/ride.zwo"))
        == "/home/u/ride.zwo:3: the file ends too early; repeat the download")
    #expect(
      Message.sentence(
        ImportedSequence.explanation(of: ImportError("this is UTF-16"), in: "/home/u/ride.zwo"))
        == "This is UTF-16")
  }
}
