// A trivial model of replicated entries: each call is one step at the servers, at some moment between its begin and its answer. Answers may
// be lost or late, calls may get lost before they arrive, and arrive long after their sender has given up, and the servers may be away.
import type { Entries, Entry } from '../entries.ts';
import type { Machine, World } from './machines.ts';

const ANSWER_MS = 500;

export interface Faults {
  /** longest way to the servers or back */
  delayMs: number;
  /** probabilities for each call */
  lostCall: number;
  lostAnswer: number;
  /** the call arrives this late at most, after its sender has given up */
  lateCall: number;
  lateMs: number;
}

export class ModelServers {
  readonly #world: World;
  readonly #entries = new Map<string, Entry>();
  #revision = 0;
  isAway = false;
  /** machines that reach no server */
  readonly cutOff = new Set<Machine>();
  faults: Faults;

  constructor(world: World, faults: Faults) {
    this.#world = world;
    this.faults = faults;
  }

  /** As that machine reaches them. */
  from(machine: Machine): Entries {
    return {
      get: (key) => this.#call(machine, () => this.#entries.get(key)),
      replace: (key, value, after) =>
        this.#call(machine, () => {
          if ((this.#entries.get(key)?.revision ?? 0) !== after) return undefined;
          this.#entries.set(key, { value, revision: ++this.#revision });
          return this.#revision;
        }),
    };
  }

  #call<T>(machine: Machine, step: () => T): Promise<T> {
    const random = this.#world.random.next;
    const { delayMs, lostCall, lostAnswer, lateCall, lateMs } = this.faults;
    return new Promise((resolve, reject) => {
      const gaveUp = machine.after(ANSWER_MS, () => reject(new Error('no answer')));
      if (random() < lostCall || this.cutOff.has(machine)) return;
      const isLate = random() < lateCall;
      this.#world.at(this.#world.nowMs + random() * (isLate ? lateMs : delayMs), () => {
        if (this.isAway) return;
        const answer = step();
        if (random() < lostAnswer) return;
        machine.after(random() * delayMs, () => {
          gaveUp.isCancelled = true;
          resolve(answer);
        });
      });
    });
  }
}
