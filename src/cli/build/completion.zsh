#compdef outpost
# outpost completion zsh; in ~/.zshrc, after compinit: source <(outpost completion zsh)
_outpost() {
  local -a answers
  local kind
  answers=("${(@f)$("${words[1]}" complete-words zsh "${(@)words[2,CURRENT]}" 2>/dev/null)}")
  kind=$answers[1]
  shift answers
  case $kind in
    files) _files ;;
    folders) _files -/ ;;
    words) (( $#answers )) && _describe -t words outpost answers ;;
  esac
}
if [[ $funcstack[1] == _outpost ]]; then _outpost "$@"; else compdef _outpost outpost; fi
