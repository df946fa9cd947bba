# outpost completion bash; in ~/.bashrc: source <(outpost completion bash)
_outpost() {
  local current="${COMP_WORDS[COMP_CWORD]}" line kind=""
  COMPREPLY=()
  while IFS= read -r line; do
    if [[ -z $kind ]]; then kind=$line; else COMPREPLY+=("$line"); fi
  done < <("$1" complete-words bash "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  case $kind in
    files | folders)
      [[ $current == "=" ]] && current=""
      while IFS= read -r line; do COMPREPLY+=("$line"); done < <(if [[ $kind == files ]]; then compgen -f -- "$current"; else compgen -d -- "$current"; fi)
      compopt -o filenames 2>/dev/null
      ;;
  esac
}
complete -F _outpost outpost
