// Backups, taken under load. A complete backup is restored into a separate cluster and must be one state of the cluster: exactly
// the transactions that the round's clients know to be committed up to its timestamp, replayed on the models, and at least those
// acknowledged before the backup was requested. An incomplete backup must be rejected.

import { createWriteStream, existsSync, rmSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { connect, type Claret, type HistoryAttempt } from '@claret/client';
import { restoreBackup, type Restored } from '../../../gateway/src/backup/restore.ts';
import type { Chance } from '../../kit/random.ts';
import { machineClockNs } from '../history/file.ts';
import { mayChange } from '../history/committed.ts';
import type { States } from '../history/replay.ts';
import type { BidLedger } from './bids.ts';
import type { Cast } from './cast.ts';
import { readFinally, type Checker } from './checker.ts';
import { unfinishedWorkAfter } from './unfinished-work.ts';
import { isBlow, type Harm } from './harm.ts';
import type { JobLedger } from './jobs.ts';
import type { Ledger } from './ledger.ts';
import type { NativeLedger, NativesStored } from './natives.ts';
import { LocalStore } from './local-store.ts';
import { authorization } from './authorization.ts';
import { type Store } from './store.ts';
import { pause } from './until.ts';
import { unbalanced } from './workloads/rawmix.ts';

const SHARE = 0.3;
/**
 * Shares of the backups: those taken at the moment when a gateway is killed (the others when all gateways are up again), and those
 * whose reader disconnects.
 */
const FALL_SHARE = 0.6;
const READER_GONE_SHARE = 0.25;
/** About as long as a backup takes here. */
const UNDER_WAY_MS = 120;
const GIVEN_UP_MS = 30_000;
const AGAIN_WITHIN_MS = 10_000;
const AGAIN_MS = 50;
const READY_WITHIN_MS = 60_000;
const REST_WITHIN_MS = 60_000;
const REPLAYED_JOBS = 16;
const OLDER_ITEMS = 3;

export interface BackupPlan {
  /** counted as in a harm; null: when all gateways are up again */
  attempts: number | null;
  moment: number;
  /** the number of the gateway that is asked */
  gateway: number;
  /** ms after which the reader disconnects, and asks once more; null: it does not */
  readerGone: number | null;
  /** no other gateway is killed in the meantime: the backup must complete */
  mustBeWhole: boolean;
}

/** A backup, with what was acknowledged when it was requested. */
export interface Taken {
  path: string;
  /** complete according to HTTP */
  whole: boolean;
  bytes: number;
  /** why it is incomplete */
  why: string;
  /** ids of attempts; names of bids; responses by job id; what natives have stored */
  acknowledged: {
    attempts: ReadonlySet<string>;
    bids: ReadonlySet<string>;
    answers: ReadonlyMap<string, string>;
    natives: NativesStored;
  };
  /** the records at the end of the earlier rounds */
  before: States;
}

/** May move a harm to the moment of the backup. */
export function planBackup(
  share: number,
  harms: readonly Harm[],
  { gateways, servers }: Pick<Store, 'gateways' | 'servers'>,
  chance: Chance,
): BackupPlan | null {
  if (!chance.happens(share)) return null;
  const struck = harms.filter(({ blows }) => blows.some(isBlow));
  const fallen = struck.filter(({ actor }) => gateways.includes(actor) || servers.includes(actor));
  const whom = {
    gateway: chance.below(gateways.length),
    readerGone: chance.happens(READER_GONE_SHARE) ? chance.between(0, UNDER_WAY_MS) : null,
  };
  const moment = chance.between(0, 50);
  if (fallen.length === 0) return { attempts: chance.below(150), moment, ...whom, mustBeWhole: true };
  if (!chance.happens(FALL_SHARE)) return { attempts: null, moment, ...whom, mustBeWhole: true };
  const harm = chance.pick(fallen);
  harm.moment = moment + chance.between(0, UNDER_WAY_MS);
  return { attempts: harm.attempts, moment, ...whom, mustBeWhole: false };
}

export interface BackupDependencies {
  cast: Cast;
  checker: Checker;
  bids: BidLedger;
  jobs: JobLedger;
  natives: NativeLedger;
  ledger: Ledger;
}

/** Takes a backup; if its reader disconnects, takes another one. */
export async function take(dependencies: BackupDependencies, plan: BackupPlan, path: string): Promise<Taken[]> {
  const { gateway, readerGone } = plan;
  const { store } = dependencies.cast;
  const url = `${store.rest[gateway]!}/v1/admin/backup`;
  const first = await takeOnce(dependencies, url, `${path}-0`, readerGone ?? GIVEN_UP_MS);
  const mayMove = store.isReplicated && plan.mustBeWhole;
  if (first.whole || (readerGone === null && !mayMove)) return [first];
  const untilMs = performance.now() + (mayMove ? READY_WITHIN_MS : AGAIN_WITHIN_MS);
  for (;;) {
    const second = await takeOnce(dependencies, url, `${path}-1`, GIVEN_UP_MS);
    // Not all gateways may have noticed yet that the first reader has disconnected. A shard may move although no gateway fell: one whose lease
    // was over starts again.
    if (second.whole || !(mayMove || second.why.includes('backup_running')) || performance.now() > untilMs) return [first, second];
    await pause(AGAIN_MS);
  }
}

async function takeOnce(dependencies: BackupDependencies, url: string, path: string, withinMs: number): Promise<Taken> {
  const { checker, bids, jobs, natives, ledger } = dependencies;
  const attempts = new Set(ledger.ended.filter((attempt) => attempt.outcome === 'ok' && mayChange(attempt)).map(({ id }) => id));
  const acknowledged = { attempts, bids: bids.acceptedNow(), answers: jobs.answers(), natives: natives.stored() };
  const taken = { path, acknowledged, before: checker.statesNow() };
  const file = createWriteStream(path);
  let bytes = 0;
  try {
    const headers = authorization(dependencies.cast.store.token);
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(Math.ceil(withinMs)) });
    if (response.status !== 200) return { ...taken, bytes, whole: false, why: await response.text() };
    for await (const piece of response.body!) {
      bytes += piece.length;
      if (!file.write(piece)) await new Promise<void>((resolve) => file.once('drain', resolve));
    }
    return { ...taken, bytes, whole: true, why: '' };
  } catch (error) {
    return { ...taken, bytes, whole: false, why: String((error as Error).cause ?? error) };
  } finally {
    file.end();
    await finished(file);
  }
}

export class BackupCheck {
  /**
   * files that are incomplete, because the response broke off or their end was removed, and were rejected; complete ones, which
   * were restored
   */
  broken = 0;
  restored = 0;
  /** share of rounds with a backup */
  readonly share: number;
  readonly #onLife: (pid: number, lives: boolean) => void;
  /** of the restored cluster, while there is one */
  #store: Store | null = null;

  constructor(onLife: (pid: number, lives: boolean) => void, share = SHARE) {
    this.share = share;
    this.#onLife = onLife;
  }

  /** `attempts`: all of its round, settled. Returns violations, one text each. */
  async check(
    { checker, bids, jobs, natives }: Omit<BackupDependencies, 'ledger'>,
    taken: Taken,
    attempts: readonly HistoryAttempt[],
    chance: Chance,
  ): Promise<string[]> {
    const dataDir = `${taken.path}-restored`;
    try {
      const restored = await restore(taken, dataDir);
      if (typeof restored === 'string') return [restored];
      if (restored === null) {
        if (taken.bytes > 0) this.broken++;
        return [];
      }
      this.restored++;
      const torn = await this.#torn(taken, dataDir, chance);
      if (torn !== null) return [torn];
      const at = BigInt(restored.begin.at);
      const inside = attempts.filter(({ order }) => order !== undefined && BigInt(order) <= at);
      const lacking = [...taken.acknowledged.attempts].filter((id) => !inside.some((attempt) => attempt.id === id));
      const missed = lacking.map(
        (id) => `attempt ${id} was acknowledged before the backup was asked for, and is later than its timestamp ${at}`,
      );
      const found = await this.#inCluster(dataDir, async (cluster) => [
        ...(await checkRecords(cluster, checker, inside, taken.before, attempts)),
        ...(await bids.mismatches(cluster.plain, items(bids, taken, chance), taken.acknowledged.bids)),
        ...(await unbalanced(cluster.plain)),
        ...(await natives.mismatchesOf(cluster.plain, taken.acknowledged.natives)),
        ...(await jobs.countsOfBackup(cluster.plain, taken.acknowledged.answers)),
        ...(await checkJobs(cluster, jobs, taken, chance)),
        ...(await works(cluster)),
      ]);
      return [...missed, ...found].map((what) => `backup of ${at}: ${what}`);
    } finally {
      rmSync(dataDir, { recursive: true, force: true });
      rmSync(taken.path, { force: true });
    }
  }

  /** The same with its end removed. Returns a violation, or null. */
  async #torn(taken: Taken, dataDir: string, chance: Chance): Promise<string | null> {
    const path = `${taken.path}-torn`;
    const length = chance.below(taken.bytes);
    const why = `cut after ${length} of ${taken.bytes} bytes`;
    await writeFile(path, (await readFile(taken.path)).subarray(0, length));
    try {
      const restored = await restore({ ...taken, path, whole: false, why }, `${dataDir}-torn`);
      if (typeof restored === 'string') return restored;
      this.broken++;
      return null;
    } finally {
      rmSync(path);
      rmSync(`${dataDir}-torn`, { recursive: true, force: true });
    }
  }

  async #inCluster(dataDir: string, check: (cluster: RestoredCluster) => Promise<string[]>): Promise<string[]> {
    const store = (this.#store = await LocalStore.on({ folder: dataDir, disk: 'plain', gatewayEnv: {}, onLife: this.#onLife }));
    const { gateways } = store;
    const clients: Claret[] = [];
    try {
      for (const gateway of gateways) gateway.start();
      for (const gateway of gateways)
        if (!(await gateway.ready(READY_WITHIN_MS)))
          return [gateway.death ?? `a restored gateway was not ready in time:\n${gateway.lastLines}`];
      const seen: HistoryAttempt[] = [];
      const clockNs = machineClockNs();
      const history = (attempt: HistoryAttempt) =>
        void seen.push({ ...attempt, call: attempt.call + clockNs, return: attempt.return + clockNs });
      for (const options of [{ history }, {}])
        clients.push(await connect({ addresses: [...store.addresses], name: 'restored', ...options }));
      const found = await check({ store, reader: clients[0]!, seen, plain: clients[1]! });
      return [...found, ...gateways.flatMap(({ death }) => death ?? [])];
    } finally {
      await Promise.all(clients.map((client) => client.close(0)));
      await this.end();
    }
  }

  async end(): Promise<void> {
    await Promise.all((this.#store?.gateways ?? []).map((gateway) => gateway.kill()));
    this.#store = null;
  }
}

interface RestoredCluster {
  store: Store;
  /** a client whose history is `seen` */
  reader: Claret;
  seen: HistoryAttempt[];
  plain: Claret;
}

/** Null: it was incomplete and was rejected; a text: a violation. */
async function restore({ path, whole, why }: Taken, dataDir: string): Promise<Restored | string | null> {
  try {
    const restored = await restoreBackup({ file: path, dataDir });
    return whole ? restored : `a backup that broke off (${why}) was restored`;
  } catch (error) {
    const { name, message } = error as Error;
    if (whole) return `a backup that had come to its end is refused: ${message}`;
    if (name !== 'BackupDamaged') return `a backup that broke off is refused with ${name}: ${message}`;
    return existsSync(join(dataDir, 'shard-0')) ? `a backup that broke off (${why}) has left something at ${dataDir}` : null;
  }
}

async function checkRecords(
  { reader, seen }: RestoredCluster,
  checker: Checker,
  inside: readonly HistoryAttempt[],
  before: States,
  all: readonly HistoryAttempt[],
): Promise<string[]> {
  await readFinally(reader, checker.reads(all, null));
  return checker.violations([...inside, ...seen], before);
}

function items(bids: BidLedger, { acknowledged }: Taken, chance: Chance): string[] {
  const all = bids.items;
  const older = all.length === 0 ? [] : Array.from({ length: OLDER_ITEMS }, () => chance.pick(all));
  return [...new Set([...bids.itemsOf(acknowledged.bids).slice(-OLDER_ITEMS), ...older])];
}

/** Every response that was known before the backup is known in the restored cluster, and is the same. */
async function checkJobs(
  { store: { rest, token }, plain }: RestoredCluster,
  jobs: JobLedger,
  { acknowledged: { answers } }: Taken,
  chance: Chance,
): Promise<string[]> {
  const ids = [...answers.keys()];
  const picked =
    ids.length === 0 ? [] : Array.from({ length: REPLAYED_JOBS }, (_, i) => (i % 2 === 0 ? ids.at(-1 - i) : chance.pick(ids)) ?? ids[0]!);
  return jobs.replays({ clients: [plain], rest, token }, [...new Set(picked)], answers);
}

/** Transactions over both shards commit, and leave no unfinished work. */
async function works({ store, plain }: RestoredCluster): Promise<string[]> {
  const keys = Array.from({ length: 8 }, (_, i) => `restored:${i}`);
  await plain.transact(
    'Restored',
    keys.map((key) => plain.on.counter(key).add(1)),
  );
  const values = await plain.transact(
    'Restored',
    keys.map((key) => plain.on.counter(key).value()),
  );
  const unfinished = await unfinishedWorkAfter(store, REST_WITHIN_MS);
  return [
    ...(values.every((value) => Number(value) === 1) ? [] : [`counters that were set to 1 hold ${values.join(', ')}`]),
    ...(unfinished === '' ? [] : [`unfinished work at the shards: ${unfinished}`]),
  ];
}
