import Foundation
import NotifierDelivery
@testable import SequenceAgent
import TestSupport
import Testing

/// The installed desktop entry, which gives notifications their name, icon and settings.
struct DesktopEntryTests {
  @Test func `the desktop entry that notifications name exists, with the same title`() throws {
    let application = Agent.application
    let entry = URL(
      filePath: BuiltProducts.repository + "share/applications/\(application.desktopEntry).desktop")
    #expect(try String(contentsOf: entry, encoding: .utf8).contains("\nName=\(application.name)\n"))
  }
}
