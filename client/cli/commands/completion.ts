// `claret completion bash|zsh`: prints a script that completes commands, options, types and operations. The script is generated from
// the program and contains everything, so a completion neither runs this program nor asks a gateway.

import type { Command } from 'commander';
import { NAMED, OPERATIONS } from '../catalogue.ts';
import { usageProblem } from '../problem.ts';
import type { Run } from '../run.ts';
import { CONDITIONS, wordsOf } from '../../telemetry/index.ts';
import { OWN_OPERATION } from './own-operation.ts';
import { OWN_TYPES_WORDS } from './own-types.ts';

export function addCompletion(program: Command, run: Run): void {
  program
    .command('completion')
    .description('Print a script that completes commands in a shell')
    .argument('<shell>', 'bash or zsh')
    .addHelpText(
      'after',
      `
Examples:
  source <(claret completion bash)
  claret completion bash > ~/.local/share/bash-completion/completions/claret
  claret completion zsh > "\${fpath[1]}/_claret"`,
    )
    .action(run((context, shell: string) => context.terminal.out(scriptFor(shell, program))));
}

/** Throws a usage problem. */
function scriptFor(shell: string, program: Command): string {
  if (shell === 'bash') return bash(program);
  if (shell === 'zsh') return zsh(program);
  throw usageProblem(`There is no completion for ${shell}.`, 'There is one for bash, and one for zsh.');
}

/** The possible first arguments of some commands. */
const FIRST_WORDS: Record<string, () => readonly string[]> = {
  completion: () => ['bash', 'zsh'],
  conditions: () => CONDITIONS.flatMap((each) => wordsOf(each).map((word) => `${each.name}=${word}`)),
  types: () => [...OWN_TYPES_WORDS, ...NAMED.map(({ name }) => name), ...OPERATIONS.map(({ name }) => name)],
  watch: () => OPERATIONS.map(({ name }) => name),
};

const longOptions = (command: Command): string[] => command.options.flatMap(({ long }) => (long == null ? [] : [long]));

const isOperation = (command: Command): boolean => command.name().includes('.');
const namesOf = (program: Command): string[] => [
  ...program.commands.filter((each) => !isOperation(each) && each.name() !== OWN_OPERATION).map((each) => each.name()),
  'help',
];
const operationNames = OPERATIONS.map(({ name }) => name);

function bash(program: Command): string {
  const names = namesOf(program).join(' ');
  const valued = [
    ...new Set(
      [program, ...program.commands].flatMap((command) =>
        command.options.flatMap(({ long, required }) => (required && long != null ? [long] : [])),
      ),
    ),
  ];
  const cases = program.commands
    .filter((each) => !isOperation(each))
    .map((command) => {
      const words = FIRST_WORDS[command.name()]?.() ?? [];
      return `    ${command.name()}) options="${longOptions(command).join(' ')}"; words="${words.join(' ')}" ;;`;
    });
  return `# claret: completion for bash. Load it with: source <(claret completion bash)
_claret() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD - 1]}" command="" options="" words="" at
  local cword=$COMP_CWORD
  local -a line=("\${COMP_WORDS[@]}")
  local operations="${operationNames.join(' ')}"
  COMPREPLY=()
  # What bash takes apart at = and : belongs together.
  if declare -F _get_comp_words_by_ref > /dev/null; then
    _get_comp_words_by_ref -n =: -w line -i cword -c current -p previous
  fi
  for ((at = 1; at < cword; at++)); do
    case "\${line[at]}" in
      ${longValued(program).join(' | ')}) ((at++)) ;;
      -*) ;;
      *) command="\${line[at]}"; break ;;
    esac
  done
  case "$previous" in
    --file | -f) COMPREPLY=($(compgen -f -- "$current")); return ;;
    ${valued.filter((each) => each !== '--file').join(' | ')}) return ;;
  esac
  case "$command" in
    "" | help) words="${names}\${current:+ $operations}" ;;
${cases.join('\n')}
    *.*) options="--label --id --native --at" ;;
  esac
  case "$command:$current" in
    *:-*) COMPREPLY=($(compgen -W "$options ${longOptions(program).join(' ')} --help" -- "$current")) ;;
    backup:*) COMPREPLY=($(compgen -f -- "$current")) ;;
    *) COMPREPLY=($(compgen -W "$words" -- "$current")) ;;
  esac
  if declare -F __ltrim_colon_completions > /dev/null; then __ltrim_colon_completions "$current"; fi
}
complete -F _claret claret
`;
}

const longValued = (command: Command): string[] =>
  command.options.flatMap(({ long, required }) => (required && long != null ? [long] : []));

/** Escapes a description for zsh, within '…' of the shell. */
const described = (text: string): string => text.replaceAll(/[:[\]\\]/g, String.raw`\$&`).replaceAll("'", String.raw`'\''`);

function zsh(program: Command): string {
  const optionsOf = (command: Command) =>
    command.options.flatMap(({ long, description, required }) =>
      long == null ? [] : [`'${long}[${described(description)}]${required ? ':value:' : ''}'`],
    );
  const entryOf = (command: Command) => `    '${command.name()}:${described(command.description())}'`;
  const cases = program.commands
    .filter((each) => !isOperation(each))
    .map((command) => {
      const words = FIRST_WORDS[command.name()]?.() ?? [];
      const argument = words.length > 0 ? `'*:word:(${words.join(' ')})'` : command.name() === 'backup' ? "'*:file:_files'" : "'*: :'";
      return `        ${command.name()}) _arguments "\${global[@]}" ${[...optionsOf(command), argument].join(' ')} ;;`;
    });
  return `#compdef claret
# claret: completion for zsh. Save it as _claret in a folder of your fpath, or load it with: source <(claret completion zsh)
_claret() {
  local context state line
  local -a commands operations global
  commands=(
${program.commands
  .filter((each) => !isOperation(each))
  .map(entryOf)
  .join('\n')}
    'help:show the help of a command'
  )
  operations=(
${program.commands.filter(isOperation).map(entryOf).join('\n')}
  )
  global=(
${optionsOf(program)
  .map((each) => `    ${each}`)
  .join('\n')}
  )
  _arguments -C "\${global[@]}" '1:command:->command' '*::argument:->argument'
  case "$state" in
    command)
      _describe 'command' commands
      [[ -n "$PREFIX" ]] && _describe 'operation' operations ;;
    argument)
      case "\${line[1]}" in
        help) _describe 'command' commands ;;
${cases.join('\n')}
        *.*) _arguments "\${global[@]}" '--label[name of the transaction]:value:' '--id[a text of your own]:value:' '--native[execute it outside any transaction]' '--at[as it was then]:moment:' '*: :' ;;
      esac ;;
  esac
}
if [ "\${funcstack[1]:-}" = "_claret" ]; then _claret "$@"; else compdef _claret claret; fi
`;
}
