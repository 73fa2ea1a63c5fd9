/// The completions for fish, made from the table of commands.
enum FishCompletion {
  static var script: String {
    let commands = CommandTable.commands.map { command in
      "complete -c sequence -n __sequence_is_new -a \(command.name) -d "
        + ShellText.quotedForFish(command.summary)
    }
    let program = CommandTable.program.map { option in
      "complete -c sequence -n __sequence_is_new -l \(option.name) -d "
        + ShellText.quotedForFish(option.summary)
    }
    return """
      # Completions of sequence for fish, as `sequence completions fish` prints them.

      \(code)

      complete -c sequence -f
      \((commands + program + CommandTable.commands.flatMap(lines)).joined(separator: "\n"))

      """
  }

  /// What a command takes.
  private static func lines(_ command: Command) -> [String] {
    let name = command.name
    let all = command.allOptions
    let options = all.map { option in
      let start = "complete -c sequence -n '__sequence_is \(name)' -l \(option.name)"
      let value = option.kind.map { " -r" + action($0) } ?? ""
      return start + value + " -d " + ShellText.quotedForFish(option.summary)
    }
    // What an option is given is no argument.
    let valued = all.filter { $0.value != nil }.map { " --" + $0.name }.joined()
    let arguments = command.argument.map { argument in
      "complete -c sequence -n '__sequence_is_at \(name) 1\(valued)'" + action(argument.kind)
    }
    return options + [arguments].compactMap { $0 }
  }

  /// What completes a value.
  private static func action(_ kind: ValueKind) -> String {
    switch kind {
    case .text: " -f"
    case .choice(let words): " -f -a '\(words.joined(separator: " "))'"
    case .file: " -F"
    case .directory: " -f -a '(__fish_complete_directories (commandline -ct))'"
    case .sequence: " -F -a '(__sequence_value names)'"
    case .command: " -f -a '\(CommandTable.commands.map(\.name).joined(separator: " "))'"
    case .candidates(let kind): " -f -a '(__sequence_value \(kind.rawValue))'"
    }
  }

  private static let code = #"""
    # Whether no command is named yet.
    function __sequence_is_new
        test (count (commandline -opc)) -eq 1
    end

    # Whether a command is named.
    function __sequence_is
        set -l words (commandline -opc)
        test "$words[2]" = $argv[1]
    end

    # Whether the word at the cursor is the argument of a number of a command, some options of which take a value.
    function __sequence_is_at
        set -l words (commandline -opc)
        test "$words[2]" = $argv[1]; or return 1
        set -l place 1
        set -l is_value 0
        set -l has_arguments_only 0
        for word in $words[3..]
            if test $is_value -eq 1
                set is_value 0
            else if test $has_arguments_only -eq 0; and test "$word" = --
                set has_arguments_only 1
            else if test $has_arguments_only -eq 0; and string match -q -- '-?*' $word
                contains -- $word $argv[3..]; and set is_value 1
            else
                set place (math $place + 1)
            end
        end
        test $is_value -eq 0 -a $place -eq $argv[2]
    end

    # What sequence itself lists: words, each with what it is after a tab.
    function __sequence_value
        set -l words (commandline -opc)
        command sequence complete $argv[1] $words[2..] 2>/dev/null
    end
    """#
}
