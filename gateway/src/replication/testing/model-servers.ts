// The way to the servers of a replicated cluster, in a simulated world. Each call is one step at the servers, at some moment between its begin
// and its answer. The calls of a machine arrive in order, as on a connection; but calls and answers may be late or lost, a call may arrive long
// after its sender has given up, and the servers may be away. What they hold is in model-entries.ts and model-streams.ts.
import type { Environment } from '@claret/client';

/** The world in which the servers are. */
export interface ModelWorld {
  nowMs(): number;
  after(delayMs: number, run: () => void): unknown;
  /** uniform in [0, 1) */
  random(): number;
}

export interface Faults {
  /** longest way to the servers or back */
  delayMs: number;
  /** probabilities for each call */
  lostCall: number;
  lostAnswer: number;
  /** the call arrives this late at most, maybe after its sender has given up */
  lateCall: number;
  lateMs: number;
  /** the answer takes this long at most */
  lateAnswer: number;
  /** a caller gives up after this time */
  answerMs: number;
}

export const HEALTHY: Faults = { delayMs: 5, lostCall: 0, lostAnswer: 0, lateCall: 0, lateMs: 0, lateAnswer: 0, answerMs: 500 };

/** Between two calls of a machine that arrive one after the other. */
const STEP_MS = 0.001;
/** A machine that reaches no server tries again after this time at most. */
const AGAIN_MS = 100;
/** the share of changes that a leader without a quorum keeps, and makes when it has one again */
const KEPT = 0.5;
/** the share of reads that a former leader answers while it does not know that it is one */
const FROM_THE_PAST = 0.5;

/** The servers have not answered in time. */
export class NoAnswer extends Error {
  constructor() {
    super('no answer');
  }
}

/** What the servers hold. */
export interface ModelContents {
  /** Reads of the past see the contents as they are now. */
  remember(): void;
}

export class ModelServers {
  readonly world: ModelWorld;
  faults: Faults;
  /** no server answers */
  isAway = false;
  readonly #contents: ModelContents[] = [];
  /** machines that reach no server, with what is on its way from there; null: nothing arrives later */
  readonly #cutOff = new Map<Environment, (() => void)[] | null>();
  /** machines to which the servers deliver nothing unasked */
  readonly #neglected = new Set<Environment>();
  /** when the last call of a machine arrives */
  readonly #arrivals = new WeakMap<Environment, number>();
  /** what waits for a quorum, of contents without one */
  readonly #kept = new Map<ModelContents, (() => void)[]>();
  #hasFormerLeader = false;
  /** A machine reaches the servers again. */
  readonly rejoinListeners = new Set<(machine: Environment) => void>();

  constructor(world: ModelWorld, faults: Faults) {
    this.world = world;
    this.faults = faults;
  }

  hold(contents: ModelContents): void {
    this.#contents.push(contents);
  }

  /** `holds`: what it sends meanwhile arrives later, in order, as on a connection that stays; else it is lost. */
  cutOff(machine: Environment, holds = false): void {
    if (!this.#cutOff.has(machine)) this.#cutOff.set(machine, holds ? [] : null);
  }

  rejoin(machine: Environment): void {
    const held = this.#cutOff.get(machine);
    if (held === undefined) return;
    this.#cutOff.delete(machine);
    for (const send of held ?? []) send();
    for (const listener of this.rejoinListeners) listener(machine);
  }

  neglect(machine: Environment): void {
    this.#neglected.add(machine);
  }

  attend(machine: Environment): void {
    this.#neglected.delete(machine);
  }

  /** Nothing of these can be changed until `findQuorum`; reads are answered. All by default: some have leaders and quorums of their own. */
  loseQuorum(contents: readonly ModelContents[] = this.#contents): void {
    for (const one of contents) if (!this.#kept.has(one)) this.#kept.set(one, []);
  }

  findQuorum(): void {
    const kept = [...this.#kept.values()].flat();
    this.#kept.clear();
    for (const step of kept) step();
  }

  /** Another server leads from now on. The former leader answers some reads as of now, for so long. */
  changeLeader(forMs: number): void {
    if (this.#hasFormerLeader) return;
    this.#hasFormerLeader = true;
    for (const contents of this.#contents) contents.remember();
    this.world.after(forMs, () => void (this.#hasFormerLeader = false));
  }

  /** All faults are over. */
  heal(): void {
    const { delayMs, answerMs } = this.faults;
    this.faults = { ...HEALTHY, delayMs, answerMs };
    this.isAway = false;
    this.findQuorum();
    this.#hasFormerLeader = false;
    for (const machine of this.#cutOff.keys()) this.rejoin(machine);
    this.#neglected.clear();
  }

  /** Whether they deliver to that machine at present. */
  reach(machine: Environment): boolean {
    return !this.isAway && !this.#cutOff.has(machine) && !this.#neglected.has(machine);
  }

  /** A way from the servers to a machine, or back. */
  wayMs(): number {
    return this.world.random() * this.faults.delayMs;
  }

  againMs(): number {
    return this.world.random() * AGAIN_MS;
  }

  /** Throws what `step` throws, or NoAnswer. */
  change<T>(caller: Environment, contents: ModelContents, step: () => T): Promise<T> {
    return this.#call(caller, (answer) => {
      const kept = this.#kept.get(contents);
      if (kept === undefined) return answer(step);
      if (this.world.random() < KEPT) kept.push(() => answer(step));
    });
  }

  /** `step` is given whether it is to read the remembered contents. */
  read<T>(caller: Environment, step: (isPast: boolean) => T): Promise<T> {
    return this.#call(caller, (answer) => answer(() => step(this.#hasFormerLeader && this.world.random() < FROM_THE_PAST)));
  }

  #call<T>(caller: Environment, arrive: (answer: (step: () => T) => void) => void): Promise<T> {
    const { world, faults } = this;
    return new Promise((resolve, reject) => {
      const giveUp = caller.setTimeout(() => reject(new NoAnswer()), faults.answerMs);
      const answer = (step: () => T) => {
        const tell = outcomeOf(step);
        if (world.random() < faults.lostAnswer || this.#cutOff.has(caller)) return;
        const backMs = world.random() < faults.lateAnswer ? world.random() * faults.lateMs : this.wayMs();
        caller.setTimeout(() => {
          caller.clearTimeout(giveUp);
          tell(resolve, reject);
        }, backMs);
      };
      if (world.random() < faults.lostCall) return;
      const send = () => {
        world.after(this.#thereMs(caller), () => {
          if (!this.isAway) arrive(answer);
        });
      };
      if (this.#cutOff.has(caller)) this.#cutOff.get(caller)?.push(send);
      else send();
    });
  }

  #thereMs(caller: Environment): number {
    const { world, faults } = this;
    if (world.random() < faults.lateCall) return world.random() * faults.lateMs;
    const nowMs = world.nowMs();
    const arrivesMs = Math.max(nowMs + this.wayMs(), (this.#arrivals.get(caller) ?? 0) + STEP_MS);
    this.#arrivals.set(caller, arrivesMs);
    return arrivesMs - nowMs;
  }
}

type Tell<T> = (resolve: (value: T) => void, reject: (why: unknown) => void) => void;

function outcomeOf<T>(step: () => T): Tell<T> {
  try {
    const value = step();
    return (resolve) => resolve(value);
  } catch (error) {
    return (_resolve, reject) => reject(error);
  }
}
