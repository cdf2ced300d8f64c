// A run: the cast starts, goes through round after round, and everything is checked once more at the end. It leaves no files or
// processes behind, however it ends (janitor.ts).

import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { connect, type Claret, type HistoryAttempt } from '@claret/client';
import { openAuction } from '../../../apps/rubis/server/actions/open-auction.ts';
import { auctionPeople, logInToAuctions } from '../../workloads/people.ts';
import { Chance } from '../../kit/random.ts';
import { machineClockNs, onClock } from '../history/file.ts';
import { mapAtOnce } from '../../kit/at-once.ts';
import type { Actor } from './actor.ts';
import { BackupCheck } from './backups.ts';
import { BidLedger } from './bids.ts';
import { Cast } from './cast.ts';
import { Checker, readFinally } from './checker.ts';
import { anyMaxSkewMs, letClocksAgree, planJumps } from './clock-harm.ts';
import { ClockUse } from './clock-use.ts';
import { anyWarranties, setWarranties, usesMin, type Warranties } from './conditions.ts';
import { CrowdLedger } from './crowds.ts';
import { EpochUse } from './epoch-use.ts';
import { FromMemory } from './from-memory.ts';
import { nameOf, plan, silences, type Harm } from './harm.ts';
import type { Disk } from './disk.ts';
import { JobLedger } from './jobs.ts';
import { Ledger, type Told } from './ledger.ts';
import { NativeLedger } from './natives.ts';
import { LocalStore } from './local-store.ts';
import { Machines } from './machines.ts';
import { SlotMoves } from './moves.ts';
import { Outcomes } from './outcomes.ts';
import { TypesOfRun } from './own-types.ts';
import { ReplicatedStore } from './replicated-store.ts';
import { sabotaged } from './sabotage.ts';
import { runRound, type Stage } from './round.ts';
import type { Store } from './store.ts';
import { planTakeOvers } from './take-over-harm.ts';
import { TakeOvers } from './take-overs.ts';
import type { Round, Visitor } from './workload.ts';

const ROUNDS_PER_EPOCH = 2;
/** Transactions of a driver in one round: few enough that the whole run's history fits into memory. */
const TRANSACTIONS_MAX = 600;
const TRANSACTIONS_LEAST = 100;
const TRANSACTIONS_OF_ALL_ROUNDS = 100_000;
const AUCTIONS = 3;
const AUCTION_MS = 24 * 3_600_000;
const VISITORS = 12;
/** Many processes that start at once on a busy machine. */
const READY_WITHIN_MS = 600_000;
const OWN_TIMEOUT_MS = 120_000;
/** Longer than any round, of which the workload `past` asks. */
const PAST_MS = 120_000;
/** Frequent checkpoints, so that many kills hit one. A standby that reads what a checkpoint removes begins anew, so it needs some time. */
const CHECKPOINTS = {
  local: { CLARET_CHECKPOINT_BYTES: String(4 * 1024), CLARET_CHECKPOINT_MS: '200' },
  replicated: { CLARET_CHECKPOINT_BYTES: String(64 * 1024), CLARET_CHECKPOINT_MS: '1000' },
};

/** name → its drivers; two of one workload, so that locks left by one block the other */
export const WORKLOADS: Record<string, readonly string[]> = {
  rawmix: ['rawmix', 'rawmix'],
  rubis: ['rubis', 'site-bids'],
  natives: ['natives'],
  redis: ['redis'],
  crowds: ['crowds', 'crowds'],
  lists: ['lists', 'lists'],
  warranted: ['warranted', 'warranted'],
  'own-types': ['own-types', 'own-types'],
  past: ['past'],
};

/** A replicated log in place of one on the disk of each gateway. */
export interface Replication {
  standbys: number;
  /** each NATS server and each gateway is on one of three machines, which may be cut off */
  onMachines: boolean;
}

export interface RunOptions {
  rounds: number;
  /** on the steady clock: no round begins later */
  untilMs?: number | undefined;
  seed: number;
  /** by default all */
  workload?: string | undefined;
  durability: string;
  /** a mistake in the gateways (sabotage.ts) */
  sabotage?: string | undefined;
  /** a mistake of the client in the drivers (../mistakes/mistakes.ts) */
  mistake?: string | undefined;
  /** the condition of all rounds; by default it is drawn for each */
  warranties?: Warranties | undefined;
  /** the harm of a round, instead of a drawn one */
  plan?: (cast: Cast) => Harm[];
  /** of the gateways, unless their log is replicated */
  disk: Disk;
  /** The gateways' wall clocks jump, and slots move. */
  clocks?: boolean | undefined;
  replication?: Replication | undefined;
  /** share of rounds with a backup; by default some */
  backupShare?: number | undefined;
  /** path of the history of the whole run; by default it is deleted with the run */
  history?: string | undefined;
  /** called with a line for each round */
  say?: (line: string) => void;
}

export interface RunReport {
  rounds: number;
  kills: number;
  /** transactions and natives that changed something and were acknowledged to a client */
  acknowledged: number;
  /** those of them that were checked against the store */
  checked: number;
  /** attempts with an unknown outcome: the records that they touched were not checked any more */
  undecided: number;
  /** transactions with ids: their number; resends without a response; resends after a response, which got the same one */
  withIds: { sent: number; again: number; replayed: number };
  /** natives that changed something: acknowledged; of these, checked; without an answer */
  natives: { acknowledged: number; checked: number; unknown: number };
  /** transactions on hot records of both shards, and what of them was sent in batches */
  crowds: { acknowledged: number; checked: number; unknown: number; batches: number; batchMembers: number };
  fromMemory: FromMemory;
  epochs: EpochUse;
  /** changes of installed types that all shards have confirmed */
  typeChanges: number;
  /** incomplete ones that were rejected; restored ones */
  backups: { broken: number; restored: number };
  /** null: no clock was touched */
  clocks: (ClockUse & { moves: number }) | null;
  /** null: the log is not replicated */
  takeOvers: TakeOvers | null;
  /** violations, one text each; the run ends with the round that finds one */
  wrong: string[];
}

export class Run {
  readonly #options: RunOptions;
  readonly #folder: string;
  readonly #janitor: ReturnType<typeof spawn>;
  readonly #chance: Chance;
  readonly #bids = new BidLedger();
  readonly #jobs = new JobLedger();
  readonly #natives = new NativeLedger();
  readonly #crowds = new CrowdLedger();
  readonly #fromMemory = new FromMemory();
  readonly #epochs = new EpochUse();
  readonly #backups: BackupCheck;
  readonly #resting = new Set<string>();
  readonly #wrong: string[] = [];
  readonly #clients: Claret[] = [];
  readonly #takeOvers: TakeOvers | null;
  readonly #clockUse = new ClockUse();
  #machines: Machines | undefined;
  #outcomes: Outcomes | null = null;
  #ledger = this.#page();
  #cast: Cast | null = null;

  constructor(options: RunOptions) {
    this.#options = options;
    this.#chance = new Chance(options.seed);
    this.#folder = mkdtempSync(join(tmpdir(), `claret-crash-${process.pid}-`));
    const janitor = fileURLToPath(new URL('janitor.ts', import.meta.url));
    this.#janitor = spawn(process.execPath, [janitor, this.#folder], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
    this.#janitor.stdin!.on('error', () => {}); // the janitor was killed: then there is none
    this.#janitor.unref();
    this.#backups = new BackupCheck(this.#onLife, options.backupShare);
    this.#takeOvers = options.replication === undefined ? null : new TakeOvers();
  }

  readonly #onLife = (pid: number, lives: boolean) => this.#tellJanitor(`${lives ? '+' : '-'}${pid}`);

  #tellJanitor(line: string): void {
    this.#janitor.stdin!.write(`${line}\n`);
  }

  async run(): Promise<RunReport> {
    const { rounds, seed, workload, mistake } = this.#options;
    const workloads = workload === undefined ? Object.values(WORKLOADS).flat() : WORKLOADS[workload]!;
    const cast = (this.#cast = await Cast.on({
      store: await this.#store(),
      seed,
      workloads,
      mistake,
      onLife: this.#onLife,
      onTold: (driver, told) => this.#take(driver, told),
    }));
    const stage = await this.#rise(cast);
    const each = Math.max(TRANSACTIONS_LEAST, Math.min(TRANSACTIONS_MAX, Math.floor(TRANSACTIONS_OF_ALL_ROUNDS / rounds)));
    let number = 0;
    try {
      const goesOn = () => number < rounds && performance.now() < (this.#options.untilMs ?? Infinity);
      while (goesOn() && this.#wrong.length === 0) await this.#round(stage, ++number, each);
      if (this.#wrong.length === 0) await this.#lookAtAll(stage);
      if (this.#wrong.length === 0 && workloads.includes('lists') && this.#epochs.members === 0)
        this.#wrong.push('no list was a member of an epoch: the run proves nothing about epochs');
    } catch (error) {
      // A round that cannot be checked counts as a violation.
      this.#wrong.push(`round ${number}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    }
    const { checked, undecided } = stage.checker;
    const { sent, sentAgain, replayed } = this.#jobs;
    const { broken, restored } = this.#backups;
    return {
      rounds: number,
      kills: cast.kills,
      undecided,
      withIds: { sent: sent + this.#bids.accepted, again: sentAgain + this.#bids.sentAgain, replayed },
      natives: { acknowledged: this.#natives.acknowledged, checked: this.#natives.checked, unknown: this.#natives.unknown },
      crowds: {
        acknowledged: this.#crowds.acknowledged,
        checked: this.#crowds.checked,
        unknown: this.#crowds.unknown,
        batches: this.#crowds.batches.batches,
        batchMembers: this.#crowds.batches.members,
      },
      fromMemory: this.#fromMemory,
      epochs: this.#epochs,
      typeChanges: stage.types?.confirmed ?? 0,
      backups: { broken, restored },
      clocks: stage.moves === null ? null : Object.assign(this.#clockUse, { moves: stage.moves.done }),
      takeOvers: this.#takeOvers,
      wrong: this.#wrong,
      acknowledged: this.#acknowledged(stage),
      checked: checked + this.#bids.checked + this.#jobs.checked + this.#natives.checked + this.#crowds.checked,
    };
  }

  /** Ends everything at once and cleans up. May be called at any time. */
  async end(): Promise<void> {
    await Promise.all([...this.#clients.map((client) => client.close(0)), this.#outcomes?.close()]);
    await Promise.all([...(this.#cast?.all ?? []).map((actor) => actor.kill()), this.#backups.end()]);
    this.#machines?.end();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #store(): Promise<Store> {
    const { disk, durability, warranties, sabotage, clocks, replication, seed } = this.#options;
    const folder = join(this.#folder, 'data');
    const checkpoints = CHECKPOINTS[replication === undefined ? 'local' : 'replicated'];
    const gatewayEnv = {
      ...checkpoints,
      CLARET_DURABILITY: durability,
      CLARET_WARRANTIES: warranties ?? 'auto', // also of a cluster of which all gateways were killed
      CLARET_WARRANTY_USES_MIN: String(usesMin(seed)),
      CLARET_PAST_MS: String(PAST_MS),
      ...(clocks === true && this.#maxSkew()),
      ...(sabotage === undefined ? {} : sabotaged(sabotage)),
    };
    const common = { folder, gatewayEnv, clocks: clocks === true, onLife: this.#onLife };
    if (replication === undefined) return LocalStore.on({ ...common, disk });
    if (replication.onMachines) this.#machines = new Machines((command) => this.#tellJanitor(JSON.stringify(command)));
    if (this.#machines?.noDelay) this.#options.say?.(`between the machines there is no delay: ${this.#machines.noDelay}`);
    const onLine = (line: string) => this.#takeOvers!.takeLine(line);
    return ReplicatedStore.on({ ...common, standbys: replication.standbys, machines: this.#machines, onLine });
  }

  #maxSkew(): NodeJS.ProcessEnv {
    const ms = anyMaxSkewMs(this.#chance);
    this.#options.say?.(`clocks jump; shards whose clocks are more than ${ms / 1000} s apart refuse transactions over both`);
    return { CLARET_MAX_SKEW_MS: String(ms) };
  }

  #take(driver: string, told: Told): void {
    if ('attempt' in told) {
      this.#ledger.take(told.attempt, told.open);
      if (!told.open) this.#fromMemory.take(told.attempt);
      if (!told.open) this.#clockUse.take(told.attempt);
    }
    if ('bid' in told) this.#bids.take(told.bid);
    if ('job' in told) this.#jobs.take(told.job);
    if ('natives' in told) this.#natives.take(told.natives);
    if ('crowd' in told) this.#crowds.take(told.crowd);
    if ('epochs' in told) this.#epochs.take(told.epochs);
    if ('standsStillMs' in told) setTimeout(() => this.#actorOf(driver).signal('SIGCONT'), told.standsStillMs);
    if ('resting' in told) this.#resting.add(driver);
    if ('failed' in told) this.#wrong.push(`${driver}: ${told.failed}`);
  }

  #actorOf(driver: string): Actor {
    return this.#cast!.drivers.find(({ name }) => name === driver)!;
  }

  #page(): Ledger {
    return new Ledger((attempt) => this.#outcomes!.of(attempt));
  }

  async #rise(cast: Cast): Promise<Stage> {
    const { store } = cast;
    const { token } = store;
    const types = cast.workloads.includes('own-types') ? new TypesOfRun(store) : null;
    await rise(store.servers);
    await rise(store.gateways);
    const addresses = [...store.addresses];
    const clockNs = machineClockNs();
    const history = (attempt: HistoryAttempt) => this.#ledger.take(onClock(attempt, clockNs), false);
    // What is stored is asked of the shards, not of a memory.
    const common = { addresses, token, timeoutMs: OWN_TIMEOUT_MS, warranties: 'off' } as const;
    const claret = await connect({ ...common, name: 'runner', history });
    const plain = await connect({ ...common, name: 'looker' });
    this.#clients.push(claret, plain);
    await types?.installFirst();
    cast.addDrivers(cast.sites.length > 0 ? await visitors(plain) : []);
    await rise([...cast.appServers, ...cast.drivers]);
    const moves = this.#options.clocks === true ? new SlotMoves(store) : null;
    this.#outcomes = await Outcomes.connect(store, moves !== null);
    const checker = new Checker(this.#options.history ?? join(this.#folder, 'history.jsonl'), types?.finalReads);
    return {
      cast,
      checker,
      bids: this.#bids,
      jobs: this.#jobs,
      natives: this.#natives,
      crowds: this.#crowds,
      backups: this.#options.durability === 'none' ? null : this.#backups,
      takeOvers: this.#takeOvers,
      types,
      moves,
      folder: this.#folder,
      claret,
      plain,
      resting: this.#resting,
      wrong: this.#wrong,
      ledger: () => this.#ledger,
      turnPage: () => void (this.#ledger = this.#page()),
    };
  }

  async #round(stage: Stage, number: number, transactions: number): Promise<void> {
    const { cast, claret, plain } = stage;
    const chance = this.#chance.fork();
    stage.turnPage();
    const before = this.#acknowledged(stage);
    const round: Round = {
      number,
      transactions,
      epoch: Math.floor(number / ROUNDS_PER_EPOCH),
      items: cast.sites.length > 0 ? await auctions(claret, 'seller') : [],
      visited: cast.sites.length > 0 ? await auctions(plain, 'visited') : [],
      begun_ns: Number(process.hrtime.bigint()),
    };
    const warranties = this.#options.warranties ?? anyWarranties(chance);
    await setWarranties(cast.store, warranties);
    const harms = this.#options.plan?.(cast) ?? (await this.#plan(cast, warranties, chance));
    this.#epochs.note(harms);
    this.#clockUse.note(harms);
    await runRound(stage, round, harms, chance.between(0, 200), chance);
    if (this.#wrong.length === 0) await this.#epochs.look(cast.store);
    const got = this.#acknowledged(stage) - before;
    this.#options.say?.(
      `round ${number}, warranties ${warranties}: ${harms.map(nameOf).join(', ')}; ${got} acknowledged${this.#wrong.length > 0 ? '; something is wrong' : ''}`,
    );
  }

  async #plan(cast: Cast, warranties: Warranties, chance: Chance): Promise<Harm[]> {
    const harms = cast.store.isReplicated ? planTakeOvers(cast, await cast.store.serving(), chance) : plan(cast, chance);
    if (this.#options.clocks === true) harms.push(...planJumps(cast.store.gateways, harms, chance));
    return warranties === 'off' ? harms : [...harms, ...silences(cast, harms, chance)];
  }

  #acknowledged({ checker }: Stage): number {
    return checker.acknowledged + this.#bids.accepted + this.#jobs.acknowledged + this.#natives.acknowledged + this.#crowds.acknowledged;
  }

  /** Everything ever written is still there, and the whole history is consistent. */
  async #lookAtAll({ cast, checker, types, claret, plain, turnPage }: Stage): Promise<void> {
    const { servers, gateways, rest, token } = cast.store;
    // From the disks of the logs, not from the processes' memory.
    await Promise.all([...gateways, ...servers].map((actor) => actor.kill()));
    cast.store.forget();
    letClocksAgree(cast.store, this.#chance);
    await rise(servers);
    await rise(gateways);
    turnPage();
    await readFinally(claret, checker.reads([], null));
    this.#wrong.push(...checker.check(this.#ledger.ended), ...(await this.#bids.mismatches(plain, this.#bids.items)));
    this.#wrong.push(...(await this.#natives.mismatches(plain)), ...(await this.#crowds.mismatches(plain, 'all')));
    this.#wrong.push(...(await this.#jobs.mismatchesOfAll(plain, { clients: [plain], rest, token }, (count) => this.#chance.below(count))));
    this.#wrong.push(...(types?.judge(this.#ledger.ended) ?? []));
    checker.close();
    const { code, output } = await historyCheck(checker.path, types);
    if (code !== 0) this.#wrong.push(`the history of the whole run: ${output}`);
    else this.#options.say?.(output.trim());
  }
}

/** REQUIRES: none of them is running. */
async function rise(actors: Cast['all']): Promise<void> {
  for (const actor of actors) actor.start();
  for (const actor of actors)
    if (!(await actor.ready(READY_WITHIN_MS))) throw new Error(actor.death ?? `${actor.name} was not ready in time:\n${actor.lastLines}`);
}

/** People logged in at the auctions. */
async function visitors(claret: Claret): Promise<Visitor[]> {
  const people = (await auctionPeople(claret, 0)).slice(0, VISITORS);
  return (await logInToAuctions(claret, people)).map(({ id, token }) => ({ id, token }));
}

/** Auctions of a separate seller, so that a history covers all changes of their records or none. */
async function auctions(claret: Claret, seller: string): Promise<string[]> {
  const now_ms = Date.now();
  const opened = await mapAtOnce(AUCTIONS, (number) =>
    openAuction(claret, {
      title: `Lantern ${number}`,
      description: 'It has survived a lot.',
      category_id: 'curiosities',
      region_id: 'r0',
      seller: { id: seller, nickname: seller },
      start_price_cents: 1,
      opened_at_ms: now_ms,
      closes_at_ms: now_ms + AUCTION_MS,
    }),
  );
  return opened.map(({ item_id }) => item_id);
}

/** `npm run history -- FILE`, in a separate process. */
function historyCheck(path: string, types: TypesOfRun | null): Promise<{ code: number | null; output: string }> {
  const program = fileURLToPath(new URL('../history/main.ts', import.meta.url));
  const child = spawn(process.execPath, [program, ...(types?.written(`${path}.types`) ?? []), path], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (output += text));
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, output })));
}
