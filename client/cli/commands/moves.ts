// `claret moves`: shows slots that move between shards, moves some, or calls a move off.

import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { NOTHING, bytes, counted, duration } from '../format.ts';
import { EXIT, Problem, usageProblem } from '../problem.ts';
import type { Run } from '../run.ts';
import { table } from '../table.ts';
import type { Column } from '../table.ts';

interface Move {
  move: string;
  from: number;
  to: number;
  slots: { first: number; last: number };
  phase: 'copying' | 'draining' | 'handing_over' | 'done' | 'called_off' | 'failed';
  bytes_sent: number;
  bytes_left: number;
  drains: number;
  held_ms: number | null;
  began_at_ms: number;
  why: string | null;
}

interface Options {
  from?: string;
  to?: string;
  count?: string;
  slots?: string;
  wait: boolean;
  callOff?: string;
}

const PATH = '/v1/admin/moves';
const LOOK_MS = 200;

export function addMoves(program: Command, run: Run): void {
  program
    .command('moves')
    .description('Show slots that move between shards, or move some')
    .option('--to <shard>', 'the shard that takes slots')
    .option('--from <shard>', 'the shard that gives them; needed with --count')
    .option('--count <n>', "so many of the giver's last slots")
    .option('--slots <first-last>', 'these slots, of one shard')
    .option('--no-wait', 'do not wait until the move is over')
    .option('--call-off <move>', 'call a move off: the slots stay where they are')
    .addHelpText(
      'after',
      `
Both shards serve while slots move; the slots are held for a moment at the end.
A shard gives, and takes, one run of slots at a time. Ctrl-C ends the waiting,
and not the move. Shown are the last moves of each gateway since its start.

Examples:
  claret moves
  claret moves --from 0 --to 2 --count 2731
  claret moves --slots 0-99 --to 1 --no-wait
  claret moves --call-off 0-1-9f2c01ab`,
    )
    .action(run((context, options: Options) => moves(context, options)));
}

async function moves(context: Context, options: Options): Promise<void> {
  const { rest } = context;
  if (options.callOff !== undefined) {
    await rest.delete(`${PATH}/${encodeURIComponent(options.callOff)}`);
    return show(context, [await ended(context, options.callOff)]);
  }
  if (options.to === undefined) {
    if (options.count !== undefined || options.slots !== undefined || options.from !== undefined)
      throw usageProblem('A move needs the shard that takes the slots.', 'Give it as --to SHARD.');
    return show(context, (await rest.get<{ moves: Move[] }>(PATH)).moves);
  }
  const begun = await rest.post<Move>(PATH, requestOf(options));
  const shown = options.wait ? await ended(context, begun.move) : begun;
  show(context, [shown]);
  if (shown.phase === 'called_off' || shown.phase === 'failed')
    throw new Problem(EXIT.failed, shown.phase, `The slots stay with shard ${shown.from}: ${shown.why ?? 'the move has ended'}.`);
}

function requestOf({ from, to, count, slots }: Options): object {
  if ((count === undefined) === (slots === undefined))
    throw usageProblem('A move names slots, or their count.', 'Give --slots FIRST-LAST, or --from SHARD --count N.');
  const giver = from === undefined ? {} : { from: numberOf('--from', from) };
  if (count !== undefined) return { ...giver, to: numberOf('--to', to!), count: numberOf('--count', count) };
  const [, first, last = first] = /^(\d+)(?:-(\d+))?$/.exec(slots!) ?? [];
  if (first === undefined) throw usageProblem(`--slots takes FIRST-LAST, not '${slots}'.`, 'As in --slots 0-99.');
  return { ...giver, to: numberOf('--to', to!), slots: { first: Number(first), last: Number(last) } };
}

function numberOf(flag: string, text: string): number {
  if (!/^\d{1,5}$/.test(text)) throw usageProblem(`${flag} takes a whole number, not '${text}'.`);
  return Number(text);
}

/** The move, once it is over. */
async function ended({ rest, terminal }: Context, move: string): Promise<Move> {
  for (;;) {
    const found = (await rest.get<{ moves: Move[] }>(PATH)).moves.find((one) => one.move === move);
    if (found === undefined)
      throw new Problem(
        EXIT.unknown,
        'unknown_move',
        `The gateway that drives ${move} has started again: claret shards shows who has the slots.`,
      );
    if (['done', 'called_off', 'failed'].includes(found.phase)) return found;
    if (terminal.interrupted.aborted) throw new Problem(EXIT.failed, 'interrupted', 'Interrupted. The move goes on.');
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

function show(context: Context, all: readonly Move[]): void {
  if (context.isJson) context.printJson({ moves: all });
  else context.print(asText(context, all));
}

function asText({ screen }: Context, all: readonly Move[]): string {
  const { dim, green, red, yellow } = screen.colours;
  if (all.length === 0) return dim('No slots have moved since the gateways started.');
  const phase = (word: Move['phase']) => {
    const words = word.replaceAll('_', ' ');
    return word === 'done' ? green(words) : word === 'failed' ? red(words) : yellow(words);
  };
  const right = (header: string): Column => ({ header, align: 'right' });
  const columns = [
    { header: 'move' },
    right('slots'),
    { header: 'shards' },
    { header: 'phase' },
    right('sent'),
    right('left'),
    right('held'),
  ];
  const rows = all.map((one) => [
    one.move,
    `${one.slots.first}-${one.slots.last}`,
    `${one.from} → ${one.to}`,
    phase(one.phase),
    bytes(one.bytes_sent),
    one.phase === 'done' ? NOTHING : bytes(one.bytes_left),
    one.held_ms === null ? NOTHING : duration(one.held_ms),
  ]);
  const notes = all.flatMap(({ move, why, drains }) => [
    ...(why === null ? [] : [yellow(`${move}: ${why}`)]),
    ...(drains > 1 ? [dim(`${move}: the slots were held ${counted(drains, 'time')}, until nobody used them`)] : []),
  ]);
  return [table(columns, rows, screen), ...notes].join('\n');
}
