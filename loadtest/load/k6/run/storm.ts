// One storm: prepare, run k6, wait until the hot auction has been closed, compare the ledger with the store, summarize.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ClaretError, connect, type Claret } from '@claret/client';
import { key as auctionKey } from '../../../../apps/rubis/server/model.ts';
import { Problem } from '../../../../scripts/run/problem.js';
import { check, lookBefore } from '../check/check.ts';
import { CLOSE_SHARE, SCENARIOS, type StormData } from '../storm.ts';
import { CoresSampler, coresOf } from './cores.ts';
import { entryOf, entryOfFailure, type Entry, type Heading } from './entry.ts';
import { JOIN_SHARE, joinShard, type Joining } from './join.ts';
import { JoinTally } from './join-figures.ts';
import { FILES, K6Failed, runK6 } from './k6-process.ts';
import { readLedger } from './ledger.ts';
import type { Options } from './options.ts';
import { logOut } from '../../../workloads/people.ts';
import { prepare, type StormOptions } from './prepare.ts';
import { Tally, type Second } from './tally.ts';
import type { Target } from './target.ts';
import { TOKEN } from './token.ts';

export interface Storm {
  entry: Entry;
  /** condition in `look.ts`: how it is drawn */
  style: string;
  seconds: readonly Second[];
  /** seconds from the start of the storm; null: no auction closes */
  close_s: number | null;
  /** contains FILES */
  folder: string;
}

export interface StormRun {
  target: Target;
  /** its name, and how it is drawn */
  name: string;
  style: string;
  options: StormOptions & Pick<Options, 'join_shard'>;
  /** created if missing */
  folder: string;
  /** path of k6 */
  k6: string;
  signal: AbortSignal;
  say: (text: string) => void;
  /** no other client uses the cluster */
  alone: boolean;
}

/** After the storm's duration k6 needs time to finish pending requests, and to write its report. */
const K6_MORE_MS = 60_000;
/** After the storm, until the auction that ends within it has been closed. */
const CLOSED_WITHIN_MS = 20_000;
const LOOK_EVERY_MS = 200;
/** The second time, k6 gets this multiple of its delay as additional time. */
const LATE_TIMES = 2;

/** Rejects if there is no result: k6 failed, or the cluster did not answer before the storm, or it was aborted. */
export async function storm(run: StormRun): Promise<Storm> {
  const { target, options, folder, say } = run;
  mkdirSync(folder, { recursive: true });
  const claret = await connect({ addresses: target.gateways.map(({ grpc }) => grpc), name: 'loadtest', token: TOKEN });
  const prepared: StormData[] = [];
  const attempt = async (more_ms: number) => {
    say('preparing');
    const data = await prepare(claret, target, options, more_ms);
    prepared.push(data);
    writeFileSync(join(folder, FILES.data), JSON.stringify(data), { mode: 0o600 });
    return measure(run, claret, data);
  };
  try {
    const { tally, ...measured } = await attempt(0).catch((error: unknown) => {
      const late_ms = lateIn(error);
      if (late_ms === null) throw error;
      say(`again: k6 was ready ${late_ms} ms too late`);
      return attempt(LATE_TIMES * late_ms);
    });
    const seconds = tally.seconds().slice(0, options.duration_s + 1);
    return { ...drawn(run), seconds, entry: entryOf(headingOf(run), { ...measured, totals: tally.totals(), seconds }) };
  } finally {
    // The sessions end with an own cluster; elsewhere they would only expire eventually.
    if (!run.alone) for (const data of prepared) await logOut(claret, data).catch(() => {});
    await claret.close();
  }
}

/** Parses the error of kit/marks.ts: on a busy machine k6 may need more time than it had. Null: another error. */
function lateIn(error: unknown): number | null {
  const late = error instanceof K6Failed ? /k6 was ready (\d+) ms after/.exec(error.message) : null;
  return late === null ? null : Number(late[1]);
}

type Named = Pick<StormRun, 'name' | 'style' | 'options' | 'folder'>;

/** A storm without a result, for display beside the others with the reason. */
export const failedStorm = (run: Named, error: unknown): Storm => ({
  ...drawn(run),
  seconds: [],
  entry: entryOfFailure(headingOf(run), said(error)),
});

function headingOf({ name, options }: Named): Heading {
  const { scenario, peak_per_s, duration_s, seed } = options;
  return { condition: name, scenario, peak_per_s, duration_s, seed };
}

const drawn = ({ style, options, folder }: Named) => ({
  style,
  close_s: SCENARIOS[options.scenario].hot_item ? CLOSE_SHARE * options.duration_s : null,
  folder,
});

/** Unexpected errors are reported with their stack. */
function said(error: unknown): string {
  if (error instanceof ClaretError) return `the cluster does not answer: ${error.code}: ${error.message}`;
  if (error instanceof K6Failed || error instanceof Problem) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

async function measure({ target, options, folder, k6, signal, say, alone }: StormRun, claret: Claret, data: StormData) {
  const before = await lookBefore(claret, data);
  const sampler = new CoresSampler(target.watched);
  const script = fileURLToPath(new URL(`../scenarios/${options.scenario}.ts`, import.meta.url));
  const limit_ms = data.starts_at_ms - Date.now() + 1_000 * options.duration_s + K6_MORE_MS;
  const ticks = setInterval(() => say(progress(data)), 1_000);
  const over = new AbortController();
  const ends_ms = data.starts_at_ms + 1_000 * options.duration_s;
  const joining = options.join_shard ? joinLater(target, sampler, data, AbortSignal.any([signal, over.signal])) : undefined;
  try {
    const summary = await runK6({ program: k6, script, folder, limit_ms, signal, onStart: (pid) => sampler.add({ name: 'k6', pid }) });
    clearInterval(ticks);
    const joined = await joining;
    say('checking');
    const ledger = join(folder, FILES.ledger);
    const { accepted } = SCENARIOS[options.scenario];
    const tally = new Tally(accepted, data.starts_at_ms);
    const aroundJoin = new JoinTally(accepted);
    for await (const line of readLedger(ledger)) {
      if (typeof line === 'string') continue;
      tally.add(line);
      if (joined !== undefined) aroundJoin.add(line);
    }
    const broken = await untilClosed(claret, data)
      .then(() => check(readLedger(ledger), claret, data, before, { alone }))
      .catch((error: unknown) => {
        signal.throwIfAborted();
        return new Error(said(error)); // the measurements are kept
      });
    const within = sampler.seconds.filter(({ at_ms }) => at_ms >= data.starts_at_ms && at_ms < ends_ms);
    const cores = target.watched.length === 0 || within.length === 0 ? null : coresOf(within);
    const joinFigures = joined === undefined || joined instanceof Error ? joined : aroundJoin.figures(joined, data.starts_at_ms, ends_ms);
    return { tally, k6: summary, cores, join: joinFigures, broken };
  } finally {
    over.abort();
    clearInterval(ticks);
    sampler.stop();
  }
}

/** Resolves to why, if the shard does not get its slots. */
async function joinLater(
  target: Target,
  sampler: CoresSampler,
  { starts_at_ms, duration_s }: StormData,
  signal: AbortSignal,
): Promise<Joining | Error> {
  try {
    await sleep(Math.max(0, starts_at_ms + 1_000 * JOIN_SHARE * duration_s - Date.now()), undefined, { signal });
    return await joinShard(target, signal, () => sampler.add(target.watched.at(-1)!));
  } catch (error) {
    return new Error(said(error));
  }
}

function progress({ starts_at_ms, duration_s }: StormData): string {
  const second = Math.floor((Date.now() - starts_at_ms) / 1_000);
  if (second < 0) return `begins in ${-second} s`;
  return second < duration_s ? `second ${second} of ${duration_s}` : 'ending';
}

/** Some server closes the auction; if none does, the check reports it. */
async function untilClosed(claret: Claret, { hot_item }: StormData): Promise<void> {
  if (hot_item === null) return;
  const until_ms = Math.max(Date.now(), hot_item.closes_at_ms) + CLOSED_WITHIN_MS;
  while (Date.now() < until_ms) {
    const [[status]] = await claret.transact('Closed', [claret.on.dict(auctionKey.item_info(hot_item.id)).get('status')]);
    if (status === 'closed') return;
    await sleep(LOOK_EVERY_MS);
  }
}
