// The whole command line: global options, commands, help, and the handling of errors.

import { readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { OPERATIONS, findOperation, suggestion } from './catalogue.ts';
import { addBackup } from './commands/backup.ts';
import { addCompletion } from './commands/completion.ts';
import { addConditions } from './commands/conditions.ts';
import { addExplain } from './commands/explain.ts';
import { addGet } from './commands/get.ts';
import { addOperations, addTypes } from './commands/operation.ts';
import { OWN_OPERATION, addOwnOperation, isOwnOperation } from './commands/own-operation.ts';
import { addMoves } from './commands/moves.ts';
import { addShards } from './commands/shards.ts';
import { addTop } from './commands/top.ts';
import { addTransact } from './commands/transact.ts';
import { addWarranties } from './commands/warranties.ts';
import { addWatch } from './commands/watch.ts';
import { Context } from './context.ts';
import { EXIT, asProblem, usageProblem } from './problem.ts';
import type { ExitCode, Problem } from './problem.ts';
import { DEFAULT_GATEWAY } from './rest.ts';
import type { Run } from './run.ts';
import { hasColours, screenOf } from './screen.ts';
import type { Terminal } from './terminal.ts';

const HELP_COLUMNS_MAX = 110;

const AFTER_HELP = `
Every operation of every data type is a command, too: \`claret types\` lists them.

Examples:
  claret Set.add tags apple
  claret TopK.top '{auction:1}:bids' 10
  claret get tags
  claret transact 'Counter.add visits 1' 'Set.add visitors ann'
  claret top

Exit codes:
    0  done
    1  refused, or failed: nothing happened
    2  the command line cannot be understood
    3  no gateway was reached, or not the shard that is needed: nothing happened
    4  the outcome is unknown, or a result was lost: the message says which
  130  interrupted by Ctrl-C (a command that runs until then ends with 0)`;

function version(): string {
  // The package.json is beside the sources, but one folder further up from the compiled files.
  for (const path of ['../package.json', '../../package.json']) {
    try {
      const { name, version: found } = JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8')) as {
        name?: string;
        version?: string;
      };
      if (found !== undefined && name !== undefined) return found;
    } catch {
      // It is at the other path.
    }
  }
  return 'unknown';
}

function buildProgram(terminal: Terminal, act: Run, wantsColours: boolean): Command {
  const program = new Command('claret');
  const { colours } = screenOf(terminal, wantsColours);
  program
    .description('Transactions, records and conditions of a Claret cluster, from the command line.')
    .option(
      '--gateway <host:port>',
      `REST address of any gateway of the cluster, or several with commas; also CLARET_GATEWAY (default: ${DEFAULT_GATEWAY})`,
    )
    .option('--token <token>', "the cluster's secret, where it has one; better given as CLARET_TOKEN")
    .option('--timeout <seconds>', 'how long anything may take (default: 10)')
    .option('--json', 'machine-readable output: one JSON value a line')
    .option('--no-color', 'no colours; also NO_COLOR')
    .version(version(), '--version')
    .helpOption('-h, --help', 'show help')
    .helpCommand('help [command]', 'show the help of a command')
    .addHelpText('after', AFTER_HELP)
    .configureHelp({
      styleTitle: (text) => colours.bold(text),
      styleCommandText: (text) => colours.cyan(text),
      styleSubcommandText: (text) => colours.cyan(text),
      styleOptionText: (text) => colours.cyan(text),
      subcommandTerm: (command) => [command.name(), ...argumentWords(command)].join(' '),
      commandUsage: usageLine,
      visibleCommands: (command) => command.commands.filter((each) => !isOperation(each) && each.name() !== OWN_OPERATION),
    })
    .configureOutput({
      writeOut: (text) => terminal.out(text),
      writeErr: () => {}, // `run` reports the error, with a suggestion
      getOutHelpWidth: () => Math.min(terminal.size().columns, HELP_COLUMNS_MAX),
      getErrHelpWidth: () => Math.min(terminal.size().columns, HELP_COLUMNS_MAX),
      getOutHasColors: () => hasColours(terminal, wantsColours),
      getErrHasColors: () => false,
    })
    .exitOverride();
  for (const add of [
    addGet,
    addWatch,
    addTransact,
    addTypes,
    addTop,
    addExplain,
    addConditions,
    addShards,
    addMoves,
    addWarranties,
    addBackup,
    addCompletion,
  ])
    add(program, act);
  addOperations(program, act);
  addOwnOperation(program, act);
  return program;
}

const argumentWords = (command: Command): string[] =>
  command.registeredArguments.map((each) => {
    const word = `${each.name().toUpperCase()}${each.variadic ? '...' : ''}`;
    return each.required ? word : `[${word}]`;
  });

/** `claret get [options] KEY` */
function usageLine(command: Command): string {
  if (command.parent === null) return 'claret [options] COMMAND';
  if (isOperation(command)) return `claret ${command.name()} ${command.usage()}`;
  const parents = command.parent.parent === null ? [] : [command.parent.name()];
  return ['claret', ...parents, command.name(), ...(command.options.length > 0 ? ['[options]'] : []), ...argumentWords(command)].join(' ');
}

const isOperation = (command: Command): boolean => command.name().includes('.');

const VALUED = new Set(['--gateway', '--token', '--timeout']);

/** The index of the command's name; -1 if there is none. */
function commandAt(words: readonly string[]): number {
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at]!;
    if (VALUED.has(word)) at += 1;
    else if (!word.startsWith('-')) return at;
  }
  return -1;
}

/**
 * The words with an operation's name in its proper case: `set.add` is `Set.add`. One of no built-in type goes to a command of its own. Throws a
 * usage problem for an unknown one.
 */
function inOurCase(words: readonly string[]): string[] {
  const at = commandAt(words);
  const name = words[at] === 'help' ? at + 1 : at;
  if (words[name]?.includes('.') !== true) return [...words];
  if (name === at && isOwnOperation(words[at]!)) return [...words.slice(0, at), OWN_OPERATION, ...words.slice(at)];
  return words.with(name, findOperation(words[name]).name);
}

/** Converts an error of commander to a problem of this program. */
function commandLineProblem(error: CommanderError, program: Command): Problem {
  const message = error.message
    .replace(/^error: /, '')
    .replace(/\s*\(Did you mean .*\)$/s, '')
    .replace(/\.?$/, '.');
  const meant = /\(Did you mean (.*?)\??\)/s.exec(error.message)?.[1];
  if (error.code === 'commander.unknownCommand') {
    const word = program.args[0] ?? '';
    const nearest = suggestion(word, [...program.commands.map((each) => each.name()), 'help', ...OPERATIONS.map((each) => each.name)]);
    return usageProblem(`There is no command ${word}.`, nearest === undefined ? '`claret --help` lists them.' : `Did you mean ${nearest}?`);
  }
  const named = program.commands.find((each) => each.name() === program.args[0]);
  const command = named?.commands.find((each) => each.name() === program.args[1]) ?? named;
  const hint =
    meant !== undefined ? `Did you mean ${meant}?` : command === undefined ? '`claret --help` says more.' : `Usage: ${usageLine(command)}`;
  return usageProblem(
    message.replace(/^./, (first) => first.toUpperCase()),
    hint,
  );
}

function tell(problem: Problem, terminal: Terminal, { isJson, wantsColours }: { isJson: boolean; wantsColours: boolean }): void {
  const { code, message, hint, detail, exit } = problem;
  if (isJson) return terminal.err(`${JSON.stringify({ error: { code, message, hint, exit_code: exit, ...detail } })}\n`);
  const { colours } = screenOf(terminal, wantsColours);
  const lines = [`${colours.red('claret:')} ${message}`, ...(hint === undefined ? [] : [colours.dim(`        ${hint}`)])];
  terminal.err(`${lines.join('\n')}\n`);
}

/** Runs one command line, without the program's name. Resolves with the exit code after all output is written and closed. */
export async function run(words: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const own = words.slice(0, words.includes('--') ? words.indexOf('--') : words.length);
  const looks = { isJson: own.includes('--json'), wantsColours: !own.includes('--no-color') };
  const program = buildProgram(
    terminal,
    (work) =>
      async (...received) => {
        const context = new Context(terminal, program.opts());
        try {
          await work(context, ...received);
        } finally {
          await context.close();
        }
      },
    looks.wantsColours,
  );
  try {
    await program.parseAsync(words.length === 0 ? ['--help'] : inOurCase(words), { from: 'user' });
    return EXIT.ok;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return EXIT.ok;
    const problem = error instanceof CommanderError ? commandLineProblem(error, program) : asProblem(error);
    tell(problem, terminal, looks);
    return problem.exit;
  }
}
