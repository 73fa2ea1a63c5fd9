import SequenceFiles

/// The completions for zsh, made from the table of commands.
///
/// zsh has a function `_sequence` of its own, which other completions use: the one here, and the file that holds it, are
/// called otherwise.
enum ZshCompletion {
  static var script: String {
    """
    #compdef sequence
    # Completions of sequence for zsh, as `sequence completions zsh` prints them.

    _sequence_commands() {
      local -a commands=(
    \(CommandTable.commands.map { "    " + ShellText.quoted("\($0.name):\($0.summary)") }.joined(separator: "\n"))
      )
      _describe -t commands command commands "$@"
    }

    \(code)

    _sequence_timer() {
      local curcontext=$curcontext state state_descr line ret=1
      typeset -A opt_args
      _arguments -C \\
        \(program.joined(separator: " \\\n    ")) \\
        '1: :_sequence_commands' '*:: :->command' && ret=0
      [[ $state == command ]] || return ret
      curcontext=${curcontext%:*}-$words[1]:
      case $words[1] in
    \(CommandTable.commands.map(arm).joined(separator: "\n"))
      esac
      return ret
    }

    if [[ $funcstack[1] == _sequence_timer ]]; then
      _sequence_timer "$@"
    else
      compdef _sequence_timer sequence
    fi

    """
  }

  /// The options that stand in place of a command.
  private static var program: [String] {
    CommandTable.program.map { ShellText.quoted("(- 1 *)--\($0.name)[\(escaped($0.summary))]") }
  }

  private static func arm(_ command: Command) -> String {
    let options = command.allOptions.map { option in
      let value = zip(option.value, option.kind).map {
        "=[\(escaped(option.summary))]:\(escaped($0)):\(action($1))"
      }
      return (option.isRepeatable ? "*" : "") + "--\(option.name)" + (value ?? "[\(escaped(option.summary))]")
    }
    let arguments = command.argument.map { argument in
      "1:\(argument.isOptional ? ":" : "")\(escaped(argument.name)):\(action(argument.kind))"
    }
    let specs = (options + [arguments].compactMap { $0 }).map(ShellText.quoted).joined(
      separator: " \\\n        ")
    return """
          \(command.name))
            _arguments -S \\
              \(specs) && ret=0
            ;;
      """
  }

  private static func zip(_ value: String?, _ kind: ValueKind?) -> (String, ValueKind)? {
    guard let value, let kind else { return nil }
    return (value, kind)
  }

  /// What completes a value.
  private static func action(_ kind: ValueKind) -> String {
    switch kind {
    case .text: " "
    case .choice(let words): "(\(words.joined(separator: " ")))"
    case .file: "_files"
    case .directory: "_files -/"
    case .sequence: "_sequence_sequence"
    case .command: "_sequence_commands"
    case .candidates(let kind): "_sequence_value \(kind.rawValue)"
    }
  }

  /// A text as it may stand in the brackets and between the colons of a specification.
  private static func escaped(_ text: String) -> String {
    text.map { #"[]:\"#.contains($0) ? "\\\($0)" : String($0) }.joined()
  }

  private static let code = #"""
    # Offers what sequence itself lists: words, each with what it is after a tab. The last argument says what; those
    # before it are for compadd.
    _sequence_value() {
      local kind=$@[-1] answer
      local -a options=("${(@)@[1,-2]}") values shown
      for answer in "${(@f)$(command sequence complete $kind "${(@Q)words[1,CURRENT-1]}" 2>/dev/null)}"; do
        [[ -n $answer ]] || continue
        values+=("${answer%%$'\t'*}")
        shown+=("${answer/$'\t'/  -- }")
      done
      (($#values)) || return 1
      compadd "${(@)options}" -l -d shown -a values
    }

    # Offers the names of the library, and sequence files.
    _sequence_sequence() {
      local ret=1
      _sequence_value "$@" names && ret=0
      _files "$@" -g '*.(yaml|yml)(-.)' && ret=0
      return ret
    }
    """#
}
