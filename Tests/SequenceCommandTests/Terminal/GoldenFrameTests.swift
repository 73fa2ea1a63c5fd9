import Testing

@testable import SequenceCommand

/// Complete frames, without trailing spaces.
@Suite struct GoldenFrameTests {
  private func frame(
    _ sample: SampleView, _ columns: Int, _ rows: Int, _ glyphs: DisplayStyle.Glyphs = .unicode
  ) throws -> String {
    let style = DisplayStyle(colors: .none, glyphs: glyphs)
    return DisplayFrame.lines(
      try sample.view(), size: TerminalSize(columns: columns, rows: rows), style: style
    )
    .map { line in String(line.reversed().drop { $0 == " " }.reversed()) }.joined(separator: "\n")
  }

  @Test func `paused in 80 by 24`() throws {
    #expect(
      try frame(.paused, 80, 24) == """
         Tabata                                                            step 4 of 17

                                      █   █ ▄▀▀▄ █▀▀▄ █ ▄▀
                                      █▄▀▄█ █  █ █▀█  █▀▄
                                      ▀   ▀  ▀▀  ▀  ▀ ▀  ▀
                                            All out

                           ▄█████████▄        ▄▄▄███      ███     ███
                           ███▀▀▀▀▀███        ██████      ███     ███
                           ███     ███  ███      ███      ███     ███
                           ███     ███  ▀▀▀      ███      ███▄▄▄▄▄███
                           ███     ███           ███      ███████████
                           ███     ███  ▄▄▄      ███              ███
                           ███     ███  ███      ███              ███
                           ███▄▄▄▄▄███        ▄▄▄███▄▄▄           ███
                           ▀█████████▀        █████████           ███

                                             PAUSED
                    ████████████████▊░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░
                                 round 2 of 8   ● ◉ ○ ○ ○ ○ ○ ○
                                        Next: Rest  0:10

                    2:42 ██████████████████▏░░░░░░░░░░░░░░░░░░░░░░ 3:24 left
           space resume  n next  s skip  b back  + - time  q leave it paused  ? keys
        """)
  }

  @Test func `paused for a sleep in 80 by 24`() throws {
    let lines = try frame(.suspended, 80, 24).split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines[17] == "                     PAUSED · the computer slept for 1h20m")
    #expect(lines[23] == "  space resume  c count it  n next  s skip  b back  + - time  q leave  ? keys")
  }

  @Test func `overtime in 80 by 24`() throws {
    #expect(
      try frame(.overtime, 80, 24) == """
         Tabata                                                             step 4 of 5

                                 ▄▀▀▀ ▄▀▀▄ █▀▀▀ █▀▀▀ █▀▀▀ █▀▀▀
                                 █    █  █ █▀▀  █▀▀  █▀▀  █▀▀
                                  ▀▀▀  ▀▀  ▀    ▀    ▀▀▀▀ ▀▀▀▀


                                 ▄▄▄███            ▄▄▄███      ▄██████████
                                 ██████            ██████      ███▀▀▀▀▀▀▀▀
                        ███         ███      ███      ███      ███
                     ▄▄▄███▄▄▄      ███      ▀▀▀      ███      ███▄▄▄▄▄▄▄▄
                     █████████      ███               ███      ███████████
                        ███         ███      ▄▄▄      ███              ███
                        ▀▀▀         ███      ███      ███              ███
                                 ▄▄▄███▄▄▄         ▄▄▄███▄▄▄   ▄▄▄▄▄▄▄▄███
                                 █████████         █████████   ██████████▀

                                  TIME IS UP · waiting for you
                    ████████████████████████████████████████████████████████

                           Next: Write it down  until you complete it

                    3:57 ██████████████████████████████░░░░░░░░░░░░░░░░░░░░
           space pause  n next  s skip  b back  + - time  q leave it running  ? keys
        """)
  }

  @Test func `work in 40 by 10`() throws {
    #expect(
      try frame(.work, 40, 10) == """
         Tabata                    step 4 of 17
                          Work
               ▄████▄      ▄▄██    ██  ██
               ██  ██  ██  ▀▀██    ██  ██
               ██  ██        ██    ██████
               ██  ██  ██    ██        ██
               ▀████▀      ██████      ██
          ██████████▊░░░░░░░░░░░░░░░░░░░░░░░░░
                    Next: Rest  0:10
          space pause  n next  q leave  ? keys
        """)
  }

  @Test func `goalReached in 40 by 10`() throws {
    #expect(
      try frame(.goalReached, 40, 10) == """
         Tabata                     step 4 of 5
                 GOAL REACHED · Stretch
               ▄█████      ▄▄██    █████▄
               ██      ██  ▀▀██        ██
               ██████        ██    ██████
               ██  ██  ██    ██    ██
               ▀████▀      ██████  ▀█████
          ████████████████████████████████████
                    Next: Rest  0:10
          space pause  n next  q leave  ? keys
        """)
  }

  @Test func `countUp in 40 by 12`() throws {
    #expect(
      try frame(.countUp, 40, 12) == """
         Tabata                     step 4 of 5
                        Stretch
               ▄▄██        █████▄  ▄████▄
               ▀▀██    ██      ██  ██  ██
                 ██        ██████  ██████
                 ██    ██  ██          ██
               ██████      ▀█████  █████▀
                       goal 5:00
          ██████████▋░░░░░░░░░░░░░░░░░░░░░░░░░
                    Next: Rest  0:10
          4:05 ██████████████████░░░░░░░░░░░░
          space pause  n next  q leave  ? keys
        """)
  }

  @Test func `paused in 60 by 16 in ASCII`() throws {
    #expect(
      try frame(.paused, 60, 16, .ascii) == """
         Tabata                                        step 4 of 17
                                    Work
                                  All out

                         ######        ##    ##  ##
                         ##  ##  ##  ####    ##  ##
                         ##  ##        ##    ######
                         ##  ##  ##    ##        ##
                         ######      ######      ##

                                   PAUSED
          ################----------------------------------------
                       round 2 of 8   # > . . . . . .
                              Next: Rest  0:10
          2:42 ##################----------------------- 3:24 left
           space resume  n next  s skip  b back  q leave  ? keys
        """)
  }

  @Test func `work in 20 by 5`() throws {
    #expect(
      try frame(.work, 20, 5) == """
                Work
          █▀▀█ ▄ ▄█   █  █
          █  █ ▄  █   ▀▀▀█
          ▀▀▀▀   ▀▀▀     ▀
        ██████░░░░░░░░░░░░░░
        """)
  }

  @Test func `lastSeconds in 20 by 3`() throws {
    #expect(
      try frame(.lastSeconds, 20, 3) == """
                Work
                0:03
        █████████████████░░░
        """)
  }
}
