/** The first argument by which a shell asks for completions of the others. */
export const completeWord = '__complete';

/** What bash, and zsh with its `bashcompinit`, run to complete `parley`. */
export const completionScript = `_parley() {
  local IFS=$'\\n'
  COMPREPLY=($(parley ${completeWord} "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _parley parley`;
