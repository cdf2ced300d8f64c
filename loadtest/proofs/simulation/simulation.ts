// Simulation: one run. A cluster, app servers with their workers, weather and faults, all from one seed; at the end, when the
// faults are over, everything must come to rest (rest.ts).
import type { Conditions } from '@claret/core';
import type { HistoryAttempt, HistoryListener } from '@claret/client';
import { ClaretError } from '@claret/client';
import { AppServer } from './app-server.ts';
import { Chance } from '../../kit/random.ts';
import { FAULTS, PROMISES, anyConditions, anyPromises } from './faults.ts';
import type { FaultName } from './faults.ts';
import { Freezes } from './freezes.ts';
import { Judge } from './judge.ts';
import { CALM, Network } from './network.ts';
import type { Plan } from './plan.ts';
import { Clocks } from './clocks.ts';
import type { SimulatedCluster } from './cluster.ts';
import { LocalCluster } from './local-cluster.ts';
import { anyMoveSettings } from './moves/moving-part.ts';
import { ReplicatedCluster } from './replicated/replicated-cluster.ts';
import { addressOf } from './shard-server.ts';
import type { CreateShard, ShardServer } from './shard-server.ts';
import { TypeOperator } from './types/type-operator.ts';
import type { Violation } from '../workloads/violation.ts';
import { Watcher } from './watcher.ts';
import { Worker } from './worker.ts';
import type { Running, Workload } from '../workloads/workload.ts';
import { World } from './world.ts';

const ONE_AT_A_TIME_EVERY = 3;
const SHARDS_MAX = 4;
/** Warranties take the rates of two steady clocks to differ by less than a hundredth. */
const RATE_ERROR_MAX = 0.0045;
const TERMS_MS = [30, 200, 1_000];
const USES_MIN = [0, 1, 8];
/** of the runs whose workload leaves it open: those in which all transactions are forecast that can be */
const COMBINED_SHARE = 0.33;
/** Longer than what workloads want to be firm, and shorter than the least time limit of a transaction. */
const FIRM_MS_MAX = 200;
/** How long shards keep the past, in half of the runs. */
const PAST_MS = 3_000;

export interface Settings {
  seed: number;
  plan: Plan;
  workload: Workload;
  /** replaces the core's own */
  createShard?: CreateShard | undefined;
  /** called with every attempt of the history */
  onAttempt?: HistoryListener | undefined;
}

export class Simulation {
  readonly world: World;
  readonly network: Network;
  readonly cluster: SimulatedCluster;
  /** the running ones */
  appServers: AppServer[] = [];
  /** if the workload has one */
  watcher: Watcher | null = null;
  /** if the workload has types installed */
  readonly operator: TypeOperator | null;
  conditions: Conditions;
  readonly termMs: number;
  readonly timeoutMs: number;
  readonly workload: Workload;
  readonly running: Running;
  readonly plan: Plan;
  readonly judge: Judge;
  readonly violations: Violation[] = [];
  readonly faults: Partial<Record<FaultName, number>> = {};
  readonly counts = { committed: 0, aborted: 0, unknown: 0 };
  /** no more transactions begin, and no more faults occur */
  closing = false;
  /** until it resolves no transaction begins and no fault occurs; null: none */
  lull: Promise<void> | null = null;
  /** the longest duration of a transaction */
  longestMs = 0;
  readonly clocks: Clocks;
  readonly freezes: Freezes;
  readonly #chance: Chance;
  readonly #workersEach: number;
  readonly #combined: boolean;
  #appServersStarted = 0;
  #endLull: () => void = () => {};
  #onViolated: () => void = () => {};
  /** resolves at the first violation that is not the judge's */
  readonly violated = new Promise<void>((resolve) => (this.#onViolated = resolve));

  constructor({ seed, plan, workload, createShard, onAttempt }: Settings) {
    this.judge = new Judge(this, onAttempt);
    const chance = new Chance(seed);
    this.#chance = chance;
    // Of their own, so that they change no other draw.
    const promises = new Chance(~seed);
    this.world = new World(chance.fork(), plan.rateError ?? ((_process, drawn) => RATE_ERROR_MAX * drawn));
    this.network = new Network(this.world, chance.fork());
    this.plan = plan;
    this.workload = workload;
    this.running = 'run' in workload ? workload : workload.begin(chance.fork());
    this.termMs = promises.pick(TERMS_MS);
    const promised = workload.warranted === true ? promises.pick(PROMISES) : anyPromises(promises);
    const warranties = promised === 'off' ? 'off' : 'auto';
    const usesMin = promises.pick(USES_MIN);
    this.#combined = workload.combined ?? promises.happens(COMBINED_SHARE);
    this.conditions = { ...anyConditions(chance), warranties, ...workload.conditions };
    this.timeoutMs = chance.pick([500, 2_000, 5_000]);
    this.#workersEach = 2 + chance.below(6);
    const shards = Math.min(plan.shardsMax ?? SHARDS_MAX, Math.max(plan.least?.shards ?? 1, 1 + chance.below(SHARDS_MAX)));
    const options = {
      shards,
      sessionLeaseMs: chance.pick([300, 1_000]),
      phaseCapMs: chance.pick([0.5, 2, 10]),
      woundDelayMs: chance.pick([1, 5, 20]),
      woundGraceMs: chance.pick([5, 20, 50]),
      idleMs: chance.pick([100, 1_000]),
      warrantyTermMs: this.termMs,
      warrantyFirmMsMax: FIRM_MS_MAX,
      ...(this.#combined && { heatHot: 1 }),
      warrantyUsesMin: promised === 'all' ? 0 : usesMin,
      pastMs: workload.keepsPast === true || seed % 2 === 1 ? PAST_MS : 0,
      frameBytesMax: 1 << 20,
      outputBytesMax: 4 << 20,
      pollMicroseconds: 0,
      conditions: this.conditions,
      checkpoints: {
        replayBytesMax: chance.pick([1_000, 20_000, 200_000]),
        intervalMs: chance.pick([20, 300, 3_000]),
        replayBytesLeast: chance.pick([0, 2_000]),
        vacantRecordsMax: chance.pick([3, 1_000]),
        lookMs: chance.pick([0.3, 3, 100]),
        sliceBytes: chance.pick([50, 1_000, 64 * 1024]),
      },
    };
    const { world, network } = this;
    const skewMs = plan.everyMs.jumpClock === undefined ? 0 : 1_000;
    const doorsTimeoutMs = workload.doors === true ? this.timeoutMs : undefined;
    const blame = (rule: string, text: string) => this.blame(rule, text);
    const Cluster = plan.isReplicated === true ? ReplicatedCluster : LocalCluster;
    const moves = plan.movesSlots && anyMoveSettings(chance.fork());
    const { types } = this.running;
    const haveTypes = types !== undefined;
    this.cluster = new Cluster({ world, network, chance, shards: options, createShard, skewMs, doorsTimeoutMs, moves, haveTypes, blame });
    this.operator = haveTypes ? new TypeOperator(this, types, chance.fork()) : null;
    this.freezes = new Freezes(
      this.world,
      Array.from({ length: shards }, (_, number) => addressOf(number)),
      () => this.appServers,
    );
    if (plan.everyMs.freezeInTurn !== undefined) this.network.onDelivery = this.freezes.onDelivery;
    const mayWarrant = warranties !== 'off' || plan.everyMs.switchConditions !== undefined;
    this.clocks = new Clocks(this.world, this.cluster.machines, mayWarrant ? this.termMs : 0, (text) => this.blame('clock', text));
    if (plan.everyMs.jumpClock !== undefined && chance.happens(0.5)) this.clocks.compare();
  }

  /** Starts everything, including faults. */
  begin(): void {
    this.cluster.start();
    const least = Math.max(this.plan.least?.appServers ?? 1, this.workload.appServersLeast ?? 1);
    const count = Math.max(least, 1 + this.#chance.below(3));
    for (let i = 0; i < count; i++) this.startAppServer();
    this.operator?.begin();
    const { watches } = this.workload;
    if (watches !== undefined) {
      this.watcher = new Watcher(this.newAppServer('watcher'), () => this.world.nowMs);
      void this.watcher.open(watches);
    }
    this.network.weather = { ...CALM, ...this.plan.weather };
    for (const [name, meanMs] of Object.entries(this.plan.everyMs) as [FaultName, number][]) {
      this.#strikeAgain(name, meanMs, this.#chance.fork());
    }
  }

  #strikeAgain(name: FaultName, meanMs: number, chance: Chance): void {
    this.world.after(chance.waiting(meanMs), () => {
      if (this.closing) return;
      if (this.lull !== null) return this.#strikeAgain(name, meanMs, chance);
      this.faults[name] = (this.faults[name] ?? 0) + 1;
      this.world.note(name);
      FAULTS[name](this, chance);
      this.#strikeAgain(name, meanMs, chance);
    });
  }

  beginLull(): void {
    this.world.note('a lull');
    this.lull = new Promise((resolve) => (this.#endLull = resolve));
  }

  endLull(): void {
    this.lull = null;
    this.#endLull();
  }

  newAppServer(name: string): AppServer {
    return new AppServer(this.world, this.network, this.#chance.fork(), name, this.cluster);
  }

  startAppServer(): void {
    if (this.closing) return;
    const number = ++this.#appServersStarted;
    const appServer = this.newAppServer(`app-${number}`);
    // Some send one operation at a time, as in the paper.
    const oneAtATime = number % ONE_AT_A_TIME_EVERY === 0;
    this.appServers.push(appServer);
    const chance = this.#chance.fork();
    void appServer
      .open({ timeoutMs: this.timeoutMs, oneAtATime, ...(this.#combined && { combining: 'always' }), history: this.listener(appServer) })
      .then((claret) => {
        for (let i = 0; i < this.#workersEach; i++) {
          const worker = new Worker(this, appServer, claret, chance.fork());
          appServer.workers.push(worker);
          worker.start();
        }
      });
  }

  get servers(): readonly ShardServer[] {
    return this.cluster instanceof LocalCluster ? this.cluster.shards : [];
  }

  kill(appServer: AppServer): void {
    appServer.die();
    this.appServers = this.appServers.filter((one) => one !== appServer);
  }

  /** Records attempts, with their times converted to the simulation's clock. */
  listener(appServer: AppServer): (attempt: HistoryAttempt) => void {
    const simulatedNs = (ns: number) => Math.round(appServer.node.simulatedMs(ns / 1e6) * 1e6);
    return (attempt) => {
      if (attempt.outcome === 'ok') this.clocks.judge(attempt);
      const begun = attempt.begun === undefined ? {} : { begun: simulatedNs(attempt.begun) };
      const simulated = { ...attempt, ...begun, call: simulatedNs(attempt.call), return: simulatedNs(attempt.return) };
      this.judge.take(simulated);
      if (this.plan.everyMs.freezeInTurn !== undefined) this.freezes.take(simulated);
      this.world.note(`${attempt.process} ${attempt.id} ${attempt.outcome} ${attempt.order}`);
    };
  }

  blame(rule: string, text: string): void {
    this.violations.push({ rule, text });
    this.#onViolated();
  }

  /** A transaction that had begun at this time ended with an error. */
  tally(error: unknown, begunMs: number): void {
    if (error instanceof ClaretError) this.operator?.refusals.judge(error, begunMs);
    const state = error instanceof ClaretError ? error.commitState : 'none';
    if (state === 'applied') this.counts.committed++;
    else if (state === 'unknown') this.counts.unknown++;
    else this.counts.aborted++;
  }

  get faultCount(): number {
    const struck = Object.values(this.faults).reduce((sum, count) => sum + count, 0);
    return Object.values(this.network.faults).reduce((sum, count) => sum + count, struck);
  }
}
