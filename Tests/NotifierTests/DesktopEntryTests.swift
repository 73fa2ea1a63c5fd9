import Foundation
import Testing

@testable import NotifierDelivery

/// The installed desktop entry, which gives notifications their name, icon and settings.
struct DesktopEntryTests {
  @Test func `the desktop entry that notifications name exists, with the same title`() throws {
    let application = NotifyingApplication.sequence
    let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let entry = repository.appending(path: "share/applications/\(application.desktopEntry).desktop")
    #expect(try String(contentsOf: entry, encoding: .utf8).contains("\nName=\(application.name)\n"))
  }
}
