import SequencePlatform
import SequenceFiles
import SequenceRunner
import Testing

@testable import SequenceImport

struct CooklangTests {
  @Test func `timers are countdowns that wait, each with its sentence`() throws {
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
      cook for ~{8-10%min}, stir after ~stir{90%s}. Taste. -- al dente

      > A story.
      Serve.

      == Sauce ==
      Chop the @onion.

      Simmer ~{1 1/2%hours} or ~{a while%minutes}, at\\@home for ~rest.

      Cool for ~{1/2%hour}.
      """, "pasta.cook")
    #expect(workout.format == .cooklang)
    #expect(workout.sequence.definition.title == "Pasta: quick")
    let cook = "Add pasta (broken) and cook for 8-10 min, stir after 90 s."
    let simmer = "Simmer 1 1/2 hours or a while minutes, at@home for rest."
    #expect(
      workout.steps == [
        "Water 10m, waits: Wait for 10 minutes.",
        "Step 2 8m, waits: \(cook)", "Stir 1m30s, waits: \(cook)",
        "Sauce, step 2 1h30m, waits: \(simmer)", "Sauce, step 2 until done: \(simmer)",
        "Rest until done: \(simmer)", "Sauce, step 3 30m: Cool for 1/2 hour.",
      ])
    #expect(
      workout.report.lines == [
        "dropped: metadata (2)", "dropped: comment (3)", "dropped: note (1)",
        "dropped: quantity of an ingredient or cookware (2)", "dropped: sentence without a timer (2)",
        "dropped: step without a timer (2)", "changed: range of times, now the shortest (1)",
        #"changed: timer of "a while minutes", now until it is done (1)"#,
        "changed: timer without a time, now until it is done (1)",
      ])
  }

  @Test(arguments: [
    ("~{35%minutes} to ~{40%minutes}", "35m: Bake 35 minutes to 40 minutes."),
    ("~{35} to ~{40%minutes}", "35m: Bake 35 to 40 minutes."),
    ("~{30%seconds} – ~{1%minute}", "30s: Bake 30 seconds – 1 minute."),
    ("~{5%minutes}-~{10%minutes}", "5m: Bake 5 minutes-10 minutes."),
    ("~{15%min} à ~{20%min}", "15m: Bake 15 min à 20 min."),
    ("~{20-25%minutes}", "20m: Bake 20-25 minutes."), ("~{2 to 3%minutes}", "2m: Bake 2 to 3 minutes."),
    ("~{15 à 20%minutes}", "15m: Bake 15 à 20 minutes."),
    ("~{30 min - 1 hour}", "30m: Bake 30 min - 1 hour."),
  ])
  func `a range is one card with both times, and reported`(timers: String, card: String) throws {
    let workout = try imported("Bake \(timers).", "bake.cook")
    #expect(workout.steps == ["Step 1 \(card)"])
    #expect(workout.report.lines == ["changed: range of times, now the shortest (1)"])
  }

  @Test(arguments: [
    "~{10%minutes} to ~{5%minutes}", "~{5%minutes}, to ~{10%minutes}", "~{5%minutes} to ~crisp{10%minutes}",
    "~{5%minutes} ~{10%minutes}", "~{5 to 6%minutes} to ~{10%minutes}",
  ])
  func `two timers that are no range are two cards`(timers: String) throws {
    #expect(try imported("Bake \(timers).", "bake.cook").steps.count == 2)
  }

  @Test(arguments: [
    ("10 minutes", 600_000, 600_000), ("1.5 h", 5_400_000, 5_400_000), ("2–3 min", 120_000, 180_000),
    ("1/4 hour", 900_000, 900_000), ("5 - 10 seconds", 5000, 10_000), ("1/3 hour", 1_200_000, 1_200_000),
    ("½ hour", 1_800_000, 1_800_000), ("1½ hours", 5_400_000, 5_400_000), ("1 ½ hours", 5_400_000, 5_400_000),
    ("1⁄2 h", 1_800_000, 1_800_000), ("⅔ hour", 2_400_000, 2_400_000), ("1,5 h", 5_400_000, 5_400_000),
    ("45minutes", 2_700_000, 2_700_000), ("15 minutes.", 900_000, 900_000), ("90 min.", 5_400_000, 5_400_000),
    ("1 hour 40 mins", 6_000_000, 6_000_000), ("1h40m", 6_000_000, 6_000_000),
    ("1 hr. 5 min. 2 s", 3_902_000, 3_902_000),
    ("2 to 3 minutes", 120_000, 180_000), ("30 s to 1 min", 30_000, 60_000),
    ("1 to 1 1/2 hours", 3_600_000, 5_400_000),
    ("2 or 3 weeks", 1_209_600_000, 1_814_400_000), ("1:30", 90_000, 90_000), ("PT30M", 1_800_000, 1_800_000),
    ("250 ms", 250, 250), ("1 heure", 3_600_000, 3_600_000), ("90 secondes", 90_000, 90_000),
    ("2 Stunden", 7_200_000, 7_200_000), ("2 à 3 minutes", 120_000, 180_000),
    ("5 bis 6 Minuten", 300_000, 360_000),
    ("1 hora 30 minutos", 5_400_000, 5_400_000), ("2 ore", 7_200_000, 7_200_000),
    ("1 día", 86_400_000, 86_400_000),
    ("1 di\u{301}a", 86_400_000, 86_400_000),
  ])
  func `times are numbers with units, fractions and ranges`(text: String, low: Int, high: Int) throws {
    let times = try #require(CooklangQuantity.times(text))
    // A third is exact to 18 digits.
    #expect(
      (times.0 - .milliseconds(low)).nanoseconds == 0 && (times.1 - .milliseconds(high)).nanoseconds == 0)
  }

  @Test(arguments: [
    "min", "10", "10 moons", "10 minuts", "1/0 min", "-5 min", "10-5 min", "1-2-3 min", "NaN min",
    "99999999999999999999 weeks", "1/99999999999999999999 min", "1 2 3 min", "1/2/3 min", "", "5 M",
    "30 min 1 hour", "5 min 6 min", "1,000 hours", "1,5,5 min", "½½ min", "5 min later", "1:60", "2 x 5 min",
    "10+ min",
  ])
  func `an invalid text has no time`(text: String) {
    #expect(CooklangQuantity.times(text) == nil)
  }

  @Test(arguments: [
    ("~{45minutes}", "45m"), ("~{30 minutes.}", "30m"), ("~{1 hour 40 mins}", "1h40m"),
    ("~{90%min.}", "1h30m"),
    ("~{½%hour}", "30m"), ("~{1,5%h}", "1h30m"), ("~5{minutes}", "5m"), ("~5 minutes{}", "5m"),
    ("~{1%heure}", "1h"), ("~{90%secondes}", "1m30s"), ("~{ 5 % min }", "5m"), ("~{5%}", "5m"),
    ("~{5}", "5m"),
  ])
  func `every notation of a timer is read`(timer: String, time: String) throws {
    let workout = try imported("Wait \(timer) now.", "wait.cook")
    #expect(workout.steps.map { $0.prefix { $0 != ":" } } == ["Step 1 \(time)"])
    #expect(
      workout.report.lines
        == (timer.contains("5}") || timer == "~{5%}"
          ? ["changed: timer without a unit, now in minutes (1)"] : []))
  }

  @Test func `a timer without a readable time is named`() throws {
    let workout = try imported("Wait ~{10%minuts}, ~{}, ~{0%min} or ~a bit{}.", "wait.cook")
    #expect(
      workout.steps.map { $0.hasSuffix(" until done: Wait 10 minuts, , 0 min or a bit.") } == [
        true, true, true, true,
      ])
    #expect(
      workout.report.lines == [
        #"changed: timer of "10 minuts", now until it is done (1)"#,
        "changed: timer without a time, now until it is done (2)",
        #"changed: timer of "0 min", now until it is done (1)"#,
      ])
  }

  @Test func `a tilde in prose is no timer`() throws {
    let prose = "Add ~2 spoons, about ~1 L{, ~ and ~10minutes; rest ~{10%minutes}."
    let workout = try imported(prose, "rest.cook")
    #expect(workout.steps == ["Step 1 10m: Add ~2 spoons, about ~1 L{, ~ and ~10minutes; rest 10 minutes."])
    #expect(workout.report.lines == [])
  }

  @Test func `a sentence ends before an upper-case letter, or at the item of a list`() throws {
    let text = """
      Fry the onion. Add 2 tbsp. oil, approx. ~{5%min.}, and stir! "Then rest" for
      ~{10%min}… (Or more.) Mix 1.5 l. 水を~{3%min}。次
      - one ~{1%min}
      2. two ~{2%min}
      """
    #expect(
      try imported(text, "list.cook").steps == [
        "Step 1 5m, waits: Add 2 tbsp. oil, approx. 5 min., and stir!",
        "Step 1 10m, waits: \"Then rest\" for 10 min…",
        "Step 1 3m, waits: 水を3 min。", "Step 1 1m, waits: - one 1 min", "Step 1 2m: 2. two 2 min",
      ])
  }

  @Test func `notes have no markup of ingredients and cookware`() throws {
    let text = """
      Mix @&flour, @?salt{}, @-olive oil{1%l}, -@pepper{}, ?@&nuts{} and @white wine|wine{} into @@dough{} and
      @./sauces/Hollandaise{150%g} in a #&pot or #?large pan{} for ~{5%min}, a@b, 1 - @ 2.
      """
    #expect(
      try imported(text, "mix.cook").steps == [
        "Step 1 5m: Mix flour, salt, olive oil, pepper, nuts and wine into dough and Hollandaise in a pot or large pan "
          + "for 5 min, ab, 1 - @ 2."
      ])
  }

  @Test func `lines end with CR LF, and accents stay with their letters`() throws {
    let text =
      "---\r\ntitle: Cre\u{301}me\r\n---\r\n= Four\r\nCuire \u{301}~{1%heure}\u{FE0F}.\r\n\r\n~fin{2%min}\r\n"
    let workout = try imported(text, "creme.cook")
    #expect(workout.sequence.definition.title == "Cre\u{301}me")
    #expect(workout.steps == ["Four, step 1 1h, waits: Cuire \u{301}1 heure\u{FE0F}.", "Fin 2m: 2 min"])
  }

  @Test func `a comment without an end is reported`() throws {
    let workout = try imported("Wait ~{1%min}. [- for\never ~{2%min}", "wait.cook")
    #expect(workout.steps == ["Step 1 1m: Wait 1 min."])
    #expect(workout.report.lines == ["dropped: comment without an end, and everything after it (1)"])
  }

  @Test func `long lines do no harm`() {
    for part in ["~{5%min} to ", "a. ", "~{", "~{1.a.", "- ", "~5{", "@a|b{1} ", "A. ~a{1%min} "] {
      _ = refusal(String(repeating: part, count: 30_000 / part.count) + "~{1%min}", "long.cook")
    }
  }

  @Test func `invalid recipes are refused with the reason`() {
    #expect(
      refusal("Just stir.\n", "a.cook") == "a.cook: the file has no timers, so there is nothing to count down"
    )
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
