import type { OwnCommand } from '../commands/own-command.ts'
import { WrongUse } from '../problems.ts'
import { didYouMean } from '../suggestions.ts'

/** Prints a script that connects a shell's completion to tw. */
export const completion: OwnCommand = {
  summary: 'Print a shell completion script',
  description:
    'Completes nouns, verbs, flags and their values: projects, stages, members, tags and your tasks. It reads these names from the server at most once a minute.',
  positionals: '<bash|zsh|fish>',
  most: 1,
  flags: {},
  examples: [
    'eval "$(tw completion bash)"     # in ~/.bashrc',
    'eval "$(tw completion zsh)"      # in ~/.zshrc, after compinit',
    'tw completion fish | source      # in ~/.config/fish/config.fish',
  ],
  async run({ positionals: [shell = ''] }, { out }) {
    const script = Object.hasOwn(scripts, shell) ? scripts[shell] : undefined
    if (script === undefined) throw new WrongUse(`Name a shell: ${shells.join(', ')}.${didYouMean(shell, shells)}`)
    out.write(script)
  },
}

// bash also breaks words at @, = and :, and expects only the part after the last of them
const scripts: Readonly<Record<string, string>> = {
  bash: `_tw() {
  local reply
  COMPREPLY=()
  while IFS= read -r reply; do COMPREPLY+=("$reply"); done < <(
    tw __complete bash "\${COMP_LINE:0:COMP_POINT}" "\${COMP_WORDS[COMP_CWORD]}" 2>/dev/null
  )
}
complete -o default -F _tw tw
`,
  zsh: `_tw() {
  local -a found
  local reply
  while IFS= read -r reply; do found+=("$reply"); done < <(
    tw __complete zsh "\${(@Q)words[2,CURRENT]}" 2>/dev/null
  )
  if (( \${#found} )); then _describe tw found; else _files; fi
}
compdef _tw tw
`,
  fish: `function __tw_complete
  set -l typed (commandline -opc) (commandline -ct)
  tw __complete fish $typed[2..-1] 2>/dev/null
end
complete -c tw -f -a '(__tw_complete)'
`,
}

/** The supported shells. */
const shells = Object.keys(scripts)
