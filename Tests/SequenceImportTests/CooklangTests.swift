import SequenceFiles
import SequenceRunner
import Testing

@testable import SequenceImport

struct CooklangTests {
  @Test func `timers are countdowns that wait, each with the text of its step`() throws {
    let workout = try imported(
      """
      ---
      title: "Pasta: quick"
      servings: 2
      ---
      -- never mind
      >> source: mum
      Boil @water{2%l} in a #large pot{} with @salt. [- really
      salty -] Wait for ~water{10%minutes}.

      Add @pasta{200%g}(broken) and
      cook for ~{8-10%min}, stir after ~stir{90%s}. -- al dente

      > A story.
      Serve.

      == Sauce ==
      Simmer ~{1 1/2%hours} or ~{a while%minutes}, at\\@home for ~rest.

      Cool for ~{1/2%hour}.
      """, "pasta.cook")
    #expect(workout.format == .cooklang)
    #expect(workout.sequence.definition.title == "Pasta: quick")
    let cook = "Add pasta (broken) and cook for 8-10 min, stir after 90 s."
    let simmer = "Simmer 1 1/2 hours or a while minutes, at@home for rest."
    #expect(
      workout.steps == [
        "Water 10m, waits: Boil water in a large pot with salt. Wait for 10 minutes.",
        "Step 2 8m, waits: \(cook)", "Stir 1m30s, waits: \(cook)", "Sauce, step 4 1h30m, waits: \(simmer)",
        "Sauce, step 4 until done: \(simmer)", "Rest until done: \(simmer)",
        "Sauce, step 5 30m: Cool for 1/2 hour.",
      ])
    #expect(
      workout.report.lines == [
        "dropped: metadata (2)", "dropped: note (1)", "dropped: step without a timer (1)",
        "changed: range of times, now the shortest (1)",
        "changed: timer without a readable time, now until it is done (2)",
      ])
  }

  @Test(arguments: [
    ("10", "minutes", 600, 600), ("1.5", "h", 5400, 5400), ("2–3", "min", 120, 180),
    ("1/4", "hour", 900, 900),
    ("5 - 10", "seconds", 5, 10),
  ])
  func `quantities are numbers, fractions and ranges`(quantity: String, unit: String, low: Int, high: Int)
    throws
  {
    let times = try #require(CooklangQuantity.times(quantity, unit: unit))
    #expect(times == (.seconds(low), .seconds(high)))
  }

  @Test(arguments: [
    ("", "min"), ("10", ""), ("10", "moons"), ("1/0", "min"), ("-5", "min"), ("10-5", "min"),
    ("1-2-3", "min"),
    ("NaN", "min"), ("99999999999999999999", "weeks"), ("1/99999999999999999999", "min"), ("1 2 3", "min"),
    ("1/2/3", "min"),
  ])
  func `an invalid quantity has no time`(quantity: String, unit: String) {
    #expect(CooklangQuantity.times(quantity, unit: unit) == nil)
  }

  @Test func `invalid recipes are refused with the reason`() {
    #expect(refusal("Just stir.\n", "a.cook") == "a.cook: the file has no steps")
    #expect(
      refusal("Wait ~{31%days}.", "a.cook")
        == "a.cook: a step of 31d is too long; a card can last 30d at most")
    let long = String(repeating: "long ", count: 250)
    #expect(
      refusal(long + "~{1%min}", "a.cook")
        == #"a.cook: the note of "Step 1" would have 1255 characters; use at most 1000"#)
  }

  @Test(arguments: [
    "~", "~{", "~{%", "@", "@{", "#{}", "~{}", "\\", "[-", "--", "---\n", "---\na: [\n---\n~{1%s}",
  ])
  func `unfinished markup does no harm`(text: String) {
    _ = refusal(text, "a.cook")
  }
}
