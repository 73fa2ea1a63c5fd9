import Testing

@testable import SequenceWindow

@Suite struct TranslationTests {
  @Test func `parts take their places, and are left out without one`() {
    #expect(translated("{} of {}", "1", "3") == "1 of 3")
    #expect(translated("No place", "1") == "No place")
    #expect(translated("{} of {}", "1") == "1 of ")
  }

  @Test(arguments: [(0, "0 hooks"), (1, "1 hook"), (2, "2 hooks")])
  func `a number has its form`(count: Int, text: String) {
    #expect(translated("1 hook", "{} hooks", count: count) == text)
  }
}
