import Platform
import SequenceFiles

/// The completions for bash, made from the table of commands.
enum BashCompletion {
  static var script: String {
    """
    # Completions of sequence for bash, as `sequence completions bash` prints them.

    \(table)
    \(code)
    complete -F _sequence sequence

    """
  }

  /// A function that says what a command takes.
  ///
  /// An option is its name, with the kind of its value after a colon if it takes one, and another colon at the end if
  /// it may be given again.
  private static var table: String {
    let cases = CommandTable.commands.map { command in
      let options = command.allOptions.map(entry).joined(separator: " ")
      let arguments = command.argument.map { word($0.kind) } ?? ""
      return "    \(command.name)) options=(\(options)) arguments=(\(arguments)) ;;"
    }
    return """
      _sequence_commands='\(CommandTable.commands.map(\.name).joined(separator: " "))'

      # What a command takes: options, and the kinds of their values and of the arguments.
      _sequence_takes() {
        case $1 in
      \(cases.joined(separator: "\n"))
          *) options=() arguments=() ;;
        esac
      }

      """
  }

  private static func entry(_ option: any OptionSpec) -> String {
    let value = option.kind.map { ":" + word($0) } ?? ""
    return "--\(option.name)" + value + (option.isRepeatable ? ":" : "")
  }

  private static func word(_ kind: ValueKind) -> String {
    switch kind {
    case .text: "text"
    case .choice(let words): "=" + words.joined(separator: ",")
    case .file: "file"
    case .directory: "directory"
    case .sequence: "sequence"
    case .command: "command"
    case .candidates(let kind): "+" + kind.rawValue
    }
  }

  private static let code = #"""
    # Takes a command line apart as the shell would, and runs nothing that is in it: words has those before the last
    # one, current and raw the last one without and with its quotes, and quote the quote that is open in it. A file
    # that the shell is to read from or write to is no word; into has the operator before it if it is the last one.
    _sequence_split() {
      local line=$1 char next begun='' i
      words=() current='' raw='' quote='' into=''
      for ((i = 0; i < ${#line}; i++)); do
        char=${line:i:1}
        if [[ $quote == "'" && $char != "'" ]]; then
          current+=$char
        elif [[ $char == "\\" && $quote != "'" ]]; then
          next=${line:i+1:1}
          [[ $quote == '"' && $next != [\"\\\$\`] ]] && current+=$char
          current+=$next raw+=$char char=$next begun=1
          ((i++))
        elif [[ $char == "$quote" ]]; then
          quote=''
        elif [[ -z $quote && $char == [\"\'] ]]; then
          quote=$char begun=1
        elif [[ -z $quote && $char == [[:space:]\<\>] ]]; then
          next=''
          if [[ $char != [[:space:]] ]]; then
            # The number before it, as in 2>, belongs to it, and so does what follows in >>, >| and the like.
            [[ $raw == *[!0-9]* ]] || begun=''
            next=$char
            while [[ ${line:i+1:1} == [\<\>\|\&] ]]; do ((i++)); done
          fi
          [[ $begun && -z $into ]] && words+=("$current")
          [[ $begun || $next ]] && into=$next
          current='' raw='' begun=''
          continue
        else
          current+=$char begun=1
        fi
        raw+=$char
      done
    }

    # A text as it can stand where the quote is open that is open now.
    _sequence_quoted() {
      local text=$1
      case $quote in
        "'") REPLY=${text//\'/\'\\\'\'} ;;
        '"')
          text=${text//\\/\\\\} text=${text//\"/\\\"} text=${text//\$/\\\$} text=${text//\`/\\\`}
          # The history is searched in double quotes too.
          REPLY=${text//\!/\"\\!\"}
          ;;
        *)
          REPLY=
          [[ $text ]] && printf -v REPLY %q "$text"
          ;;
      esac
    }

    # Offers those of some words that begin like the current one. Readline replaces the text after the last colon or
    # equals sign only ($replaced), so what stands before it is left out.
    _sequence_offer() {
      local words current raw quote into candidate head
      _sequence_split "$line"
      local whole=$current open=$quote
      _sequence_split "${raw%"$replaced"}"
      head=$current quote=$open
      for candidate; do
        [[ $candidate == "$whole"* ]] || continue
        _sequence_quoted "${candidate:${#head}}"
        COMPREPLY+=("$REPLY")
      done
    }

    # Offers what stands for a kind of value, after a text that is there already, as --title= is.
    _sequence_value() {
      local kind=$1 before=$2 value=${current#"$2"} candidate
      local -a found=()
      case $kind in
        =*) IFS=, read -ra found <<<"${kind#=}" ;;
        +*) _sequence_ask "${kind#+}" ;;
        command) read -ra found <<<"$_sequence_commands" ;;
        file | directory) _sequence_files "${kind:0:1}" "$value" ;;
        sequence)
          if [[ $value == */* || $value == '~'* ]]; then
            _sequence_files f "$value"
          else
            mapfile -t found < <(compgen -f -X '!*.y*ml' -- "$value"; compgen -d -S / -- "$value")
            ((${#found[@]})) && [[ ${found[*]} == */ ]] && compopt -o nospace 2>/dev/null
            _sequence_ask names
          fi
          ;;
      esac
      ((${#found[@]})) && _sequence_offer "${found[@]/#/$before}"
    }

    # Asks sequence itself; only what is before a tab is a word, and the rest says what it is.
    _sequence_ask() {
      local answer
      while IFS= read -r answer; do
        found+=("${answer%%$'\t'*}")
      done < <(command sequence complete "$1" "${words[@]:1}" 2>/dev/null)
    }

    # Offers files (f) or directories (d), which readline itself puts into quotes.
    _sequence_files() {
      compopt -o filenames 2>/dev/null
      local head=$current i
      mapfile -t COMPREPLY < <(compgen -"$1" -- "$2")
      if [[ $replaced == *[\"\']* || $quote != "'" && $2 == *[\$\`]* ]]; then
        # It would quote the $ of a variable too, so what is written stays as it is, and only the rest is quoted.
        compopt -o noquote 2>/dev/null
        for i in "${!COMPREPLY[@]}"; do
          _sequence_quoted "${COMPREPLY[i]:${#2}}"
          COMPREPLY[i]=$replaced$REPLY
        done
        return
      fi
      head=${2%"${replaced##*[\'\"]}"}
      [[ $head == "$2" ]] || COMPREPLY=("${COMPREPLY[@]#"$head"}")
    }

    _sequence() {
      local line=${COMP_LINE:0:COMP_POINT} replaced=$2 REPLY
      local words current raw quote into options arguments word entry waiting='' place=0 isOnlyArguments=''
      COMPREPLY=()
      _sequence_split "$line"
      if [[ $into ]]; then
        _sequence_files f "$current"
        return
      fi
      if ((${#words[@]} < 2)); then
        _sequence_offer $_sequence_commands --help --version
        return
      fi
      _sequence_takes "${words[1]}"
      for word in "${words[@]:2}"; do
        if [[ $waiting ]]; then
          waiting=''
        elif [[ $isOnlyArguments || $word != -?* ]]; then
          ((place++))
        elif [[ $word == -- ]]; then
          isOnlyArguments=1
        else
          for entry in "${options[@]}"; do
            [[ $entry == "$word":?* ]] && waiting=${entry#*:} waiting=${waiting%:}
          done
        fi
      done
      if [[ $waiting ]]; then
        _sequence_value "$waiting" ''
      elif [[ -z $isOnlyArguments && $current == --*=* ]]; then
        for entry in "${options[@]}"; do
          entry=${entry%:}
          [[ $entry == "${current%%=*}":* ]] && _sequence_value "${entry#*:}" "${current%%=*}="
        done
      elif [[ -z $isOnlyArguments && $current == -* ]] || ((place >= ${#arguments[@]})); then
        for entry in "${options[@]}"; do
          word=${entry%%:*}
          # What may be given once only is not offered again.
          [[ $entry == *: || " ${words[*]} " != *" $word "* ]] && _sequence_offer "$word"
        done
      else
        _sequence_value "${arguments[place]}" ''
      fi
    }
    """#
}
