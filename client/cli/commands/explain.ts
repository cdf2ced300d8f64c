// `claret explain LABEL`: follows the next transaction of that label through its shards.

import type { Command } from 'commander';
import stringWidth from 'string-width';
import { suggestion } from '../catalogue.ts';
import type { Context } from '../context.ts';
import { clockTime, counted, duration, shown } from '../format.ts';
import { EXIT, Problem, usageProblem } from '../problem.ts';
import type { Run } from '../run.ts';
import type { Screen } from '../screen.ts';
import { table } from '../table.ts';
import { Follower } from '../telemetry/followed.ts';
import type { Followed, FollowedOperation, FollowedPart } from '../telemetry/followed.ts';
import { telemetry } from '../telemetry/stream.ts';
import { outcomeWords, verdictWords } from '../telemetry/words.ts';

const WAIT_S = 60;
const WAIT_S_MAX = 3_600;
/** A transaction's parts at other shards, and its later attempts, arrive within this number of frames after the first part. */
const FRAMES_MORE = 2;

export function addExplain(program: Command, run: Run): void {
  program
    .command('explain')
    .description('Follow the next transaction with a label through its shards: locks, waits, votes, outcome')
    .argument('<label>', 'name of the transaction, as `claret top` shows it')
    .option('--waited', 'the next one that had to wait, or to start over')
    .option('--wait <seconds>', `how long to wait for one (default: --timeout if it is given, else ${WAIT_S})`)
    .addHelpText(
      'after',
      `
Shards report a sample of all transactions. Under load, one with the label is
soon among them. Upper and lower case make no difference.

Examples:
  claret explain Bid
  claret explain Bid --waited
  claret explain Transfer --json`,
    )
    .action(
      run((context, label: string, { waited, wait }: { waited?: boolean; wait?: string }) =>
        explain(context, label, waited === true, wait === undefined ? (context.givenTimeoutMs ?? WAIT_S * 1_000) / 1_000 : readWait(wait)),
      ),
    );
}

function readWait(text: string): number {
  const seconds = Number(text);
  if (!(seconds >= 1 && seconds <= WAIT_S_MAX)) throw usageProblem(`--wait takes seconds from 1 to ${WAIT_S_MAX}, not '${text}'.`);
  return seconds;
}

async function explain(context: Context, label: string, onlyWaited: boolean, waitS: number): Promise<void> {
  const { terminal } = context;
  const follower = new Follower(label, onlyWaited);
  const end = new AbortController();
  const timer = setTimeout(() => end.abort(), waitS * 1_000);
  if (terminal.isTerminal && !context.isJson)
    terminal.err(context.screen.colours.dim(`Waiting for the next ${shown(label)} (Ctrl-C ends).\n`));
  let framesLeft = FRAMES_MORE;
  try {
    for await (const message of telemetry(context.rest, AbortSignal.any([terminal.interrupted, end.signal]))) {
      if (message.kind !== 'frame') continue;
      follower.take(message);
      if (follower.hasChosen) framesLeft -= 1;
      if (framesLeft === 0) end.abort();
    }
  } finally {
    clearTimeout(timer);
  }
  const followed = follower.followed();
  if (followed === null) throw noneSeen(label, onlyWaited, waitS, follower, terminal.interrupted.aborted);
  if (context.isJson) context.printJson(asJson(followed));
  else context.print(asText(followed, context.screen));
}

function noneSeen(label: string, onlyWaited: boolean, waitS: number, { labels }: Follower, isInterrupted: boolean): Problem {
  const seen = [...labels].filter((each) => each !== '' && each !== label).sort();
  const meant = suggestion(label, seen);
  const hint =
    meant !== undefined
      ? `Did you mean ${meant}?`
      : seen.length > 0
        ? `Labels that were seen: ${seen.map(shown).join(', ')}.`
        : 'No transaction was seen at all: is there any load?';
  const which = onlyWaited ? 'that had to wait ' : '';
  if (isInterrupted)
    return new Problem(EXIT.failed, 'interrupted', `Interrupted before a transaction ${label} ${which}was seen.`, { hint });
  return new Problem(EXIT.failed, 'none_seen', `No transaction ${label} ${which}was seen within ${waitS} s.`, { hint });
}

const round = (ms: number): number => Math.round(ms * 1_000) / 1_000;
const rounded = (ms: number | null): number | null => (ms === null ? null : round(ms));

function asJson(followed: Followed): unknown {
  const { transaction, label, outcome, endedAt, durationMs, attempts, shards, parts } = followed;
  return {
    transaction,
    label,
    outcome,
    ended_at: endedAt.toISOString(),
    duration_ms: round(durationMs),
    attempts,
    shards,
    partial: followed.isPartial,
    parts: parts.map((part) => ({
      attempt: part.attempt,
      shard: part.shard,
      outcome: part.outcome,
      code: part.code,
      cause: part.cause,
      traced: part.traced,
      began_ms: round(part.beganMs),
      voted_ms: rounded(part.votedMs),
      ended_ms: round(part.endedMs),
      operations: part.operations.map((each) => ({
        at_ms: rounded(each.atMs),
        operation: each.operation,
        key: each.key,
        verdict: each.verdict,
        beside: each.beside,
        waited_ms: round(each.waitedMs),
        blocking_operation: each.blockingOperation,
        blocking_label: each.blockingOperation === null ? null : each.blockingLabel,
      })),
      operations_left_out: part.operationsLeftOut,
    })),
  };
}

function asText(followed: Followed, screen: Screen): string {
  const { bold, dim, green, red } = screen.colours;
  const { label, outcome, durationMs, attempts, shards, endedAt, parts } = followed;
  const outcomeWord = (outcome === 'committed' ? green : red)(outcome);
  const about = [duration(durationMs), counted(attempts, 'attempt'), counted(shards, 'shard'), clockTime(endedAt, true)];
  const rows = wrapped(
    parts.map((part) => rowsOf(part, followed, screen)),
    screen.columns,
  );
  const columns = [
    { header: '', align: 'right' as const },
    { header: '' },
    { header: '', shrinks: true, cut: 'middle' as const },
    { header: '', shrinks: true },
  ];
  const lines = table(columns, rows.flat(), screen, 2).split('\n');
  const blocks = parts.map((part, at) => {
    const isFirst = attempts > 1 && parts[at - 1]?.attempt !== part.attempt;
    return [
      ...(isFirst ? [bold(`attempt ${part.attempt}`)] : []),
      titleOf(part, followed, screen),
      ...lines.splice(0, rows[at]!.length),
    ].join('\n');
  });
  const unseen = attempts - new Set(parts.map(({ attempt }) => attempt)).size;
  const gaps = [
    ...(unseen === 0 ? [] : [dim(`${counted(unseen, 'attempt')} of it ${unseen === 1 ? 'was' : 'were'} not sampled.`)]),
    ...(followed.isPartial ? [dim('Other shards took part: their part was not sampled.')] : []),
  ];
  return [`${bold(shown(label))}  ${outcomeWord}  ${dim(about.join(' · '))}`, ...gaps, ...blocks, legend(followed, screen)]
    .filter((each) => each !== '')
    .join('\n\n');
}

/** A text that does not fit beside the other columns continues in the next row, after a comma. */
function wrapped(blocks: string[][][], columns: number): string[][][] {
  const used = [0, 1, 2].reduce((sum, at) => sum + 2 + Math.max(...blocks.flat().map((row) => stringWidth(row[at] ?? ''))), 2);
  return blocks.map((rows) =>
    rows.flatMap((row) => {
      const comma = row[3]?.indexOf(', ') ?? -1;
      if (comma < 0 || used + stringWidth(row[3]!) <= columns) return [row];
      return [
        [...row.slice(0, 3), row[3]!.slice(0, comma + 1)],
        ['', '', '', row[3]!.slice(comma + 2)],
      ];
    }),
  );
}

const BAR_MAX = 40;
const RUNS = '─';
const WAITS = '█';
const VOTED = '═';

type Kind = typeof RUNS | typeof WAITS | typeof VOTED | ' ';

/** Draws the part on the transaction's time axis. Even the shortest wait takes one cell. */
function bar(part: FollowedPart, durationMs: number, width: number, screen: Screen): string {
  const { dim, yellow, green } = screen.colours;
  const cells: Kind[] = Array.from({ length: width }, () => ' ');
  const scale = width / Math.max(durationMs, Number.MIN_VALUE);
  const fill = (fromMs: number, toMs: number, kind: Kind) => {
    const first = Math.min(width - 1, Math.floor(fromMs * scale));
    cells.fill(kind, first, Math.max(first + 1, Math.min(width, Math.round(toMs * scale))));
  };
  fill(part.beganMs, part.endedMs, RUNS);
  if (part.votedMs !== null && part.votedMs < part.endedMs) fill(part.votedMs, part.endedMs, VOTED);
  for (const { atMs, waitedMs } of part.operations)
    if (atMs !== null && waitedMs > 0) fill(atMs, Math.min(atMs + waitedMs, part.endedMs), WAITS);
  const colour: Record<Kind, (text: string) => string> = { [RUNS]: dim, [WAITS]: yellow, [VOTED]: green, ' ': String };
  return cells
    .map((kind) => colour[kind](kind))
    .join('')
    .trimEnd();
}

function legend({ durationMs }: Followed, { colours: { dim, yellow, green } }: Screen): string {
  if (durationMs < MIN_DRAWN_MS) return '';
  return `${dim(RUNS)} ${dim('runs, or a message travels')}   ${yellow(WAITS)} ${dim('waits for a lock')}   ${green(VOTED)} ${dim('has voted')}`;
}

/** Shorter parts happened in one turn of a shard, so there is nothing to draw. */
const MIN_DRAWN_MS = 0.01;

function titleOf(part: FollowedPart, { durationMs }: Followed, screen: Screen): string {
  const drawn = durationMs < MIN_DRAWN_MS ? '' : `  ${bar(part, durationMs, Math.min(BAR_MAX, Math.max(10, screen.columns - 30)), screen)}`;
  return `${screen.colours.bold(`shard ${part.shard}`)}${drawn}`;
}

/** The columns: time, event, record, result. */
function rowsOf(part: FollowedPart, { durationMs, label }: Followed, screen: Screen): string[][] {
  const { cyan, dim, green, red, yellow } = screen.colours;
  const { votedMs, endedMs, operations, operationsLeftOut } = part;
  const at = (ms: number | null) => (ms === null ? '' : `${ms.toFixed(durationMs < 1 ? 3 : durationMs < 100 ? 1 : 0)} ms`);
  const colourOf = { granted: String, ahead: String, waited: yellow, waiting: red, denied: yellow, refused: red, untried: dim };
  const verdict = (each: FollowedOperation) => verdictWords(each, part, label).split(', ').map(colourOf[each.verdict]).join(', ');
  const rows = operations.map((each) => [at(each.atMs), each.operation, cyan(shown(each.key)), verdict(each)]);
  if (operationsLeftOut > 0) rows.push(['', dim(`and ${counted(operationsLeftOut, 'operation')} more`)]);
  if (votedMs !== null) rows.push([at(votedMs), 'vote', '', 'yes: its part can commit']);
  rows.push([at(endedMs), 'outcome', '', (part.outcome === 'committed' ? green : red)(outcomeWords(part))]);
  return rows;
}
