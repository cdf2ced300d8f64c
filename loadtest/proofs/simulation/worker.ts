// Worker: runs transactions of the workload one by one, as a request handler of an app server would, sometimes in a rush and
// sometimes slowly. Reports any error that is not a transaction's, and a transaction that exceeds its time limit.
import { ClaretError } from '@claret/client';
import type { Claret, HistoryAttempt } from '@claret/client';
import type { AppServer, WorkerState } from './app-server.ts';
import type { Chance } from '../../kit/random.ts';
import { calm } from './plans/calm.ts';
import type { Plan } from './plan.ts';
import type { World } from './world.ts';
import { Deliberate } from '../workloads/workload.ts';
import type { Around, Running, Workload } from '../workloads/workload.ts';

/** How long after its time limit a client may still ask for a transaction's outcome (client/API.md), plus a margin. */
const GRACE_MS = 3_100 + 500;
/** Without faults nothing waits for long; a deadlock would wait for its whole time limit. */
const CALM_MS = 1_500;
const THINK_MS = [0.1, 5, 50];
/**
 * Half of the Redis clients wait for their replies until the gateway has given up asking how a transaction over several shards ended. The others
 * have left by then, and do not see what they would be told.
 */
const PATIENT_SHARE = 0.5;
/** The transaction may begin late. Two waits, one after the other, stay within four times its time limit with its grace (workloads/resp.ts). */
const PATIENCE = 1.5;

/** The worker's run (Simulation). The worker reports to it how each transaction ended. */
export interface WorkersRun {
  readonly world: World;
  readonly plan: Plan;
  readonly workload: Workload;
  readonly running: Running;
  readonly timeoutMs: number;
  /** no more transactions begin */
  readonly closing: boolean;
  /** until it resolves no transaction begins; null: none */
  readonly lull: Promise<void> | null;
  readonly counts: { committed: number };
  /** the longest duration of a transaction */
  longestMs: number;
  /** Puts attempts into the history that have times by that app server's clock. */
  listener(appServer: AppServer): (attempt: HistoryAttempt) => void;
  /** A transaction that had begun at this time ended with an error. */
  tally(error: unknown, begunMs: number): void;
  blame(rule: string, text: string): void;
}

export class Worker implements WorkerState {
  begunMs: number | null = null;
  ended = false;
  readonly #run: WorkersRun;
  readonly #appServer: AppServer;
  readonly #claret: Claret;
  readonly #chance: Chance;
  readonly #around: Around;

  constructor(run: WorkersRun, appServer: AppServer, claret: Claret, chance: Chance) {
    this.#run = run;
    this.#appServer = appServer;
    this.#claret = claret;
    this.#chance = chance;
    const { node } = appServer;
    this.#around = {
      process: node.name,
      monotonicMs: () => node.monotonicMs(),
      told: run.listener(appServer),
      enterDoor: (draws) =>
        appServer.enterDoor(draws, draws.happens(PATIENT_SHARE) ? PATIENCE * (run.timeoutMs + GRACE_MS) : run.timeoutMs),
    };
  }

  start(): void {
    void this.#work().finally(() => (this.ended = true));
  }

  async #work(): Promise<void> {
    const { node } = this.#appServer;
    while (!this.#run.closing) {
      if (this.#run.lull !== null) await this.#run.lull;
      await this.#one();
      const thinkMs = this.#chance.waiting(this.#chance.pick(THINK_MS));
      await new Promise<void>((resolve) => void node.setTimeout(resolve, thinkMs));
    }
  }

  async #one(): Promise<void> {
    const run = this.#run;
    const { world, running } = run;
    const stalledMs = this.#appServer.node.stalledMs;
    this.begunMs = world.nowMs;
    try {
      await running.run(this.#claret, this.#chance, this.#around);
      run.counts.committed++;
    } catch (error) {
      run.tally(error, this.begunMs);
      if (!(error instanceof ClaretError || error instanceof Deliberate)) {
        run.blame('unexpected error', error instanceof Error ? (error.stack ?? error.message) : String(error));
      }
    }
    const tookMs = world.nowMs - this.begunMs;
    if (tookMs > run.longestMs) run.longestMs = tookMs;
    const mayEachMs = run.plan === calm ? CALM_MS : run.timeoutMs + GRACE_MS + this.#appServer.node.stalledMs - stalledMs;
    const mayMs = mayEachMs * (run.workload.inARow ?? 1);
    if (tookMs > mayMs) {
      run.blame('liveness', `a transaction of ${this.#appServer.node.name} took ${Math.round(tookMs)} ms, may take ${mayMs} ms`);
    }
    this.begunMs = null;
  }
}
