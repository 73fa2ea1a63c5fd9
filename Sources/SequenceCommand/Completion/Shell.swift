/// A shell with a completion script, which sends the words and the cursor to `sequence complete`.
enum Shell: String, CaseIterable {
  case bash, zsh, fish

  var completionScript: String {
    switch self {
    case .bash: Shell.bashScript
    case .zsh: Shell.zshScript
    case .fish: Shell.fishScript
    }
  }

  private static let bashScript = #"""
    # Completions of sequence for bash, as `sequence completions bash` prints them.
    _sequence() {
      local line=${COMP_LINE:0:COMP_POINT} kind value
      local -a files
      { IFS= read -r kind && IFS= read -r value && mapfile -t COMPREPLY; } \
        < <(command sequence complete bash "$line" "$2" 2>/dev/null)
      [[ $kind && $kind != none ]] || return
      mapfile -t files < <(
        compgen -d -S / -- "$value"
        case $kind in
          files) compgen -f -- "$value" ;;
          sequences) compgen -f -X '!*.y*ml' -- "$value" ;;
        esac
      )
      ((${#files[@]})) || return
      compopt -o filenames -o noquote 2>/dev/null
      [[ ${files[*]} == */ ]] && compopt -o nospace 2>/dev/null
      mapfile -t -O ${#COMPREPLY[@]} COMPREPLY \
        < <(command sequence complete bash-files "$line" "$2" "$value" "${files[@]}")
    }
    complete -F _sequence sequence
    """#

  /// The function and its file have another name than `_sequence`, because zsh has a function of this name that other
  /// completions use.
  private static let zshScript = #"""
    #compdef sequence
    # Completions of sequence for zsh, as `sequence completions zsh` prints them.
    _sequence_timer() {
      local kind line ret=1
      local -a answer values
      answer=("${(@f)$(command sequence complete zsh "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)}")
      kind=$answer[1]
      for line in "${(@)answer[2,-1]}"; do
        line=${${line//\\/\\\\}//:/\\:}
        values+=("${line/$'\t'/:}")
      done
      [[ $PREFIX == --*=* ]] && compset -P 1 '*='
      (($#values)) && _describe -V value values && ret=0
      case $kind in
        files) _files && ret=0 ;;
        directories) _files -/ && ret=0 ;;
        sequences) _files -g '*.(yaml|yml)(-.)' && ret=0 ;;
      esac
      return ret
    }

    if [[ $funcstack[1] == _sequence_timer ]]; then
      _sequence_timer "$@"
    else
      compdef _sequence_timer sequence
    fi
    """#

  private static let fishScript = #"""
    # Completions of sequence for fish, as `sequence completions fish` prints them.
    function __sequence_complete
        set -l words (commandline -opc)
        set -l current (commandline -ct)
        set -l answer (command sequence complete fish $words[2..] "$current" 2>/dev/null)
        set -q answer[2]; and printf '%s\n' $answer[2..]
        contains -- "$answer[1]" files directories sequences; or return
        # What begins an option, as --output= does, is no part of the file.
        set -l before (string match -r '^--[^=]+=|^' -- "$current")
        for file in (complete -C "'' "(string replace -r '^--[^=]+=' '' -- "$current"))
            if test "$answer[1]" != directories; or string match -q '*/' $file
                string join -- "" $before $file
            end
        end
    end
    complete -c sequence -f -k -a '(__sequence_complete)'
    """#
}

/// A command line of bash up to the cursor, split into words as bash does it, without running or expanding anything.
///
/// The `COMP_WORDS` of bash don't help: they are split at colons and equals signs too, and keep their quotes.
struct BashLine: Equatable {
  private(set) var words: [String] = []
  /// The word at the cursor, without its quotes.
  private(set) var current = ""
  private(set) var quote: Unicode.Scalar?
  /// Whether the word at the cursor is the target of a redirection, and not an argument of the command.
  private(set) var isRedirection = false
  private var isBegun = false

  /// Splits a line by scalars, because bash reads a quote with a combining accent as a quote.
  init(_ line: String) {
    var rest = Substring(line).unicodeScalars
    while let scalar = rest.popFirst() {
      switch scalar {
      case "\\" where quote != "'":
        let next = rest.popFirst()
        // Between double quotes, a backslash is literal unless it escapes a special character.
        if quote == "\"", next.map("\"\\$`".unicodeScalars.contains) == false { add(scalar) }
        if let next { add(next) }
      case _ where scalar == quote: quote = nil
      case "\"" where quote == nil, "'" where quote == nil:
        quote = scalar
        isBegun = true
      case "<" where quote == nil, ">" where quote == nil:
        // The operator includes a number before it, as in `2>`, and the rest of `>>`, `>|` and similar.
        if current.unicodeScalars.allSatisfy({ "0"..."9" ~= $0 }) { isBegun = false }
        endWord()
        isRedirection = true
        rest = rest.drop { "<>|&".unicodeScalars.contains($0) }
      case " " where quote == nil, "\t" where quote == nil, "\n" where quote == nil: endWord()
      default: add(scalar)
      }
    }
  }

  private mutating func add(_ scalar: Unicode.Scalar) {
    current.unicodeScalars.append(scalar)
    isBegun = true
  }

  private mutating func endWord() {
    if isBegun, !isRedirection { words.append(current) }
    if isBegun { isRedirection = false }
    (current, isBegun) = ("", false)
  }

  /// Escapes a text for the quote that is open at the cursor.
  func quoted(_ text: some StringProtocol) -> String {
    text.unicodeScalars.map { scalar in
      switch (quote, scalar) {
      case ("'", "'"): #"'\''"#
      case ("'", _): String(scalar)
      // bash expands the history in double quotes too, and would keep a backslash before the sign.
      case ("\"", "!"): #""\!""#
      case ("\"", "\""), ("\"", "\\"), ("\"", "$"), ("\"", "`"): "\\\(scalar)"
      case ("\"", _): String(scalar)
      default:
        !scalar.isASCII || scalar.properties.isAlphabetic
          || "0123456789_-+@%:=./".unicodeScalars.contains(scalar)
          ? String(scalar) : "\\\(scalar)"
      }
    }.joined()
  }
}
