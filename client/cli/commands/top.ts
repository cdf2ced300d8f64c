// `claret top`: shows the cluster at work, redrawn in place each second; without a terminal, one line a second.

import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { clockTime, count, counted, duration, rate, shown } from '../format.ts';
import { EXIT, Problem } from '../problem.ts';
import type { Run } from '../run.ts';
import type { Screen } from '../screen.ts';
import { fit, pad, table } from '../table.ts';
import type { Column } from '../table.ts';
import { lastingTelemetry } from '../telemetry/lasting.ts';
import { telemetry } from '../telemetry/stream.ts';
import type { Conditions } from '../../telemetry/index.ts';
import { Window } from '../telemetry/window.ts';
import type { PairRate, Picture, RecordRates } from '../telemetry/window.ts';
import { conditionWords } from './conditions.ts';

/** One second: gateways send five frames a second. */
const FRAMES_PER_PICTURE = 5;
/** The number of lines of each list if the height is unlimited. */
const ROWS = 10;

export function addTop(program: Command, run: Run): void {
  program
    .command('top')
    .description('Show the cluster at work: commits, retries, hot records, conflicts and waits')
    .option('--once', 'print one picture, of one second, and end')
    .addHelpText(
      'after',
      `
On a terminal the picture is redrawn each second, until Ctrl-C. Elsewhere a line
is printed each second. When the gateway goes away, top waits until it is back.

Examples:
  claret top
  claret top --once
  claret top --json | jq .rates.commits`,
    )
    .action(run((context, { once }: { once?: boolean }) => top(context, once === true)));
}

async function top(context: Context, isOnce: boolean): Promise<void> {
  const { terminal } = context;
  const end = new AbortController();
  const stop = AbortSignal.any([terminal.interrupted, end.signal]);
  let window = new Window();
  const redraw = terminal.isTerminal && !isOnce && !context.isJson ? terminal.redraw() : null;
  let conditions: Conditions | null = null;
  let shards = 0;
  let frames = 0;
  let drawn = '';
  const tell = (words: string) => {
    if (redraw === null) terminal.err(`claret: ${words}\n`);
    else redraw.draw(`${drawn}\n${context.screen.colours.yellow(words)}`);
  };
  const line = {
    onLost: ({ message }: Problem) => tell(`${message} Trying again.`),
    onBack: () => {
      [window, frames] = [new Window(), 0];
      tell('The gateway is back.');
    },
  };
  try {
    for await (const message of isOnce ? telemetry(context.rest, stop) : lastingTelemetry(context.rest, stop, line)) {
      if (message.kind === 'welcome') ({ conditions, shards } = message);
      if (message.kind === 'mark' && 'conditions' in message.what) ({ conditions } = message.what);
      if (message.kind !== 'frame') continue;
      window.take(message);
      frames += 1;
      if (frames % FRAMES_PER_PICTURE !== 0) continue;
      const picture = window.picture()!;
      const about = { conditions: conditions!, shards, address: context.rest.gateway.address };
      if (context.isJson) context.printJson(asJson(picture, about));
      else if (redraw !== null) {
        drawn = draw(picture, about, { ...context.screen, columns: terminal.size().columns }, rowsFor(terminal.size().rows));
        redraw.draw(drawn);
      } else if (isOnce) context.print(draw(picture, about, context.screen, [ROWS, ROWS, ROWS]));
      else context.print(summary(picture));
      if (isOnce) end.abort();
    }
  } finally {
    redraw?.done();
  }
  if (isOnce && !end.signal.aborted) throw new Problem(EXIT.failed, 'interrupted', 'Interrupted before there was a picture.');
}

/** The width of the table of figures that are always shown, and of a column that is not. */
const FIGURES_COLUMNS = 81;
const SPECIAL_COLUMNS = 11;

interface About {
  conditions: Conditions;
  shards: number;
  address: string;
}

/** The numbers of lines of the three lists in a terminal of this height. All other lines take eleven, and one is for a notice. */
function rowsFor(height: number): [number, number, number] {
  const left = Math.max(6, height - 13);
  const third = Math.floor(left / 3);
  return [left - 2 * third, third, third];
}

function summary({ at, rates, p50Ms, p99Ms, running, waiting, hotRecords }: Picture): string {
  const figures = [
    `commits/s ${rate(rates.commits)}`,
    `retries/s ${rate(rates.retries)}`,
    `conflicts/s ${rate(rates.conflicts)}`,
    `ops/s ${rate(rates.operations)}`,
    ...(rates.natives > 0 ? [`natives/s ${rate(rates.natives)}`] : []),
    ...(rates.members > 0 ? [`members/s ${rate(rates.members)}`] : []),
    `p50 ${duration(p50Ms)}`,
    `p99 ${duration(p99Ms)}`,
    `running ${count(running)}`,
    `waiting ${count(waiting)}`,
  ];
  const [hottest] = hotRecords;
  return [clockTime(at), ...figures, ...(hottest === undefined ? [] : [`hottest ${shown(hottest.key)}`])].join('  ');
}

function asJson(picture: Picture, { conditions, shards }: About): unknown {
  const { at, rates, p50Ms, p99Ms, running, waiting, records, silent, hotRecords, pairs, waiters } = picture;
  const round = (value: number) => Math.round(value * 100) / 100;
  return {
    at: at.toISOString(),
    shards,
    silent_shards: silent,
    conditions,
    rates: Object.fromEntries(Object.entries(rates).map(([name, value]) => [name, round(value)])),
    p50_ms: p50Ms === null ? null : round(p50Ms),
    p99_ms: p99Ms === null ? null : round(p99Ms),
    running,
    waiting,
    records,
    hot_records: hotRecords
      .slice(0, ROWS)
      .map((each) => ({ ...each, operations: round(each.operations), conflicts: round(each.conflicts) })),
    conflicts: pairs.slice(0, ROWS).map((each) => ({ ...each, conflicts: round(each.conflicts) })),
    waiters: waiters.slice(0, ROWS).map(({ transaction, label, operation, key, waitedMs, blockers }) => ({
      transaction,
      label,
      operation,
      key,
      waited_ms: round(waitedMs),
      blockers: blockers.map((each) => ({ label: each.label, operation: each.operation, holds: each.holds })),
    })),
  };
}

export const labelWords = (label: string): string => (label === '' ? '(no label)' : shown(label));

/** A column with a minimum width, so that figures stay in place while they change. */
const right = (header: string): Column => ({ header, align: 'right', least: 7 });
const wide = (header: string, { columns }: Screen): Column => ({
  header,
  shrinks: true,
  cut: 'middle',
  least: Math.min(24, Math.floor(columns / 5)),
});

function draw(
  picture: Picture,
  { conditions, shards, address }: About,
  screen: Screen,
  [records, pairs, waiters]: [number, number, number],
): string {
  const { bold, dim, yellow } = screen.colours;
  const title = `${bold('claret top')}  ${dim([address, counted(shards, 'shard'), counted(picture.records, 'record')].join(' · '))}`;
  const time = clockTime(picture.at);
  const head = `${pad(fit(title, screen.columns - time.length - 2), screen.columns - time.length)}${dim(time)}`;
  const silent = picture.silent.length === 0 ? [] : [yellow(`silent: ${picture.silent.map((shard) => `shard ${shard}`).join(', ')}`)];
  return [
    head,
    dim(conditionWords(conditions)),
    ...silent,
    '',
    figureTable(picture, screen),
    '',
    hotRecordTable(picture.hotRecords.slice(0, records), screen),
    '',
    pairTable(picture.pairs.slice(0, pairs), screen),
    '',
    waiterTable(picture.waiters.slice(0, waiters), screen),
  ].join('\n');
}

/** Natives, and members of chains, have a column while there are any and there is room for it. */
function figureTable({ rates, p50Ms, p99Ms, running, waiting }: Picture, screen: Screen): string {
  const { bold, yellow, red } = screen.colours;
  const retried = rates.commits > 0 ? rates.retries / rates.commits : 0;
  const retries = rate(rates.retries);
  const present = [
    { header: 'natives/s', rate: rates.natives },
    { header: 'members/s', rate: rates.members },
  ].filter((each) => each.rate > 0);
  const special = present.slice(0, Math.max(0, Math.floor((screen.columns - FIGURES_COLUMNS) / SPECIAL_COLUMNS)));
  const cells = [
    ...special.map((each) => bold(rate(each.rate))),
    bold(rate(rates.commits)),
    retried >= 1 ? red(retries) : retried >= 0.1 ? yellow(retries) : retries,
    rate(rates.conflicts),
    rate(rates.operations),
    duration(p50Ms),
    duration(p99Ms),
    count(running),
    count(waiting),
  ];
  const headers = ['commits/s', 'retries/s', 'conflicts/s', 'ops/s', 'p50', 'p99', 'running', 'waiting'];
  return table([...special.map(({ header }) => header), ...headers].map(right), [cells], screen);
}

/** A list with its headers; an empty list shows the reason, `empty`. */
function list(columns: Column[], rows: string[][], empty: string, screen: Screen): string {
  const { bold, dim } = screen.colours;
  const [first] = columns;
  if (rows.length === 0) return `${bold(first!.header)}\n${dim(empty)}`;
  const [head, ...lines] = table(columns, rows, { ...screen, colours: { ...screen.colours, dim: String } }, 0).split('\n');
  const name = first!.header;
  return [head!.startsWith(name) ? `${bold(name)}${dim(head!.slice(name.length))}` : dim(head!), ...lines].join('\n');
}

function hotRecordTable(records: readonly RecordRates[], screen: Screen): string {
  const { cyan, yellow } = screen.colours;
  const rows = records.map(({ key, type, operations, conflicts, holders, waiting, modes }) => [
    shown(key),
    cyan(type),
    rate(operations),
    conflicts > 0 ? yellow(rate(conflicts)) : '0',
    count(holders),
    count(waiting),
    modes
      .filter((each) => each.holders > 0)
      .map((each) => each.mode)
      .join(', '),
  ]);
  return list(
    [
      wide('HOT RECORDS', screen),
      { header: 'type' },
      right('ops/s'),
      right('conflicts/s'),
      right('holders'),
      right('waiters'),
      { header: 'held by', shrinks: true },
    ],
    rows,
    'no record is hot',
    screen,
  );
}

const operationOf = ({ label, operation }: { label: string; operation: string }): string => `${labelWords(label)} ${operation}`;

function pairTable(pairs: readonly PairRate[], screen: Screen): string {
  const rows = pairs.map(({ waiter, holder, outcome, conflicts }) => [
    operationOf(waiter),
    `${outcome === 'broke' ? screen.colours.red('broke ') : ''}${operationOf(holder)}`,
    rate(conflicts),
  ]);
  return list([wide('CONFLICTS', screen), wide('behind', screen), right('conflicts/s')], rows, 'no conflicts', screen);
}

function waiterTable(waiters: Picture['waiters'], screen: Screen): string {
  const { dim } = screen.colours;
  const rows = waiters.map(({ label, operation, key, waitedMs, blockers, moreBlockers }) => {
    const [first] = blockers;
    const others = blockers.length - 1;
    const more =
      others > 0 || moreBlockers ? dim(` and ${others > 0 ? count(others) : 'some'}${moreBlockers && others > 0 ? '+' : ''} more`) : '';
    return [
      operationOf({ label, operation }),
      shown(key),
      duration(waitedMs),
      first === undefined ? '' : `${operationOf(first)}${first.holds ? '' : dim(' (waits in front)')}${more}`,
    ];
  });
  return list(
    [wide('WAITING LONGEST', screen), wide('record', screen), right('for'), { header: 'behind', shrinks: true }],
    rows,
    'nothing waits',
    screen,
  );
}
