import Foundation
import SequenceClient
import SequencePlatform
import SequenceRunner
import TestSupport
import Testing

@Suite struct CueTrialTests {
  private let directory: TemporaryDirectory
  private let trial: CueTrial

  init() throws {
    directory = try TemporaryDirectory()
    trial = CueTrial(environment: ["PATH": directory.path], clock: try SystemClock())
  }

  private func install(_ script: String) throws {
    let path = try directory.write("#!/bin/sh\n\(script)\n", to: "spd-say")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
  }

  @Test func `a text is spoken by speech-dispatcher`() throws {
    try install("printf '%s|' \"$@\" >\(directory.path)/words")
    #expect(try trial.speak("-Half time") == nil)
    #expect(
      try String(contentsOfFile: directory.path + "/words", encoding: .utf8)
        == "--application-name|sequence|--priority|message|--wait|--|-Half time|")
  }

  @Test func `a text that can't be spoken is explained`() throws {
    try install("echo 'Failed to connect' >&2; exit 1")
    #expect(try trial.speak("Text")?.text == "the text cannot be spoken: Failed to connect")
    try install("exit 3")
    #expect(try trial.speak("Text")?.text == "the text cannot be spoken: spd-say failed")
  }

  @Test func `without speech-dispatcher its package is named`() throws {
    #expect(
      try trial.speak("Text")
        == Problem("program not found: spd-say", remedy: "install speech-dispatcher"))
  }
}
