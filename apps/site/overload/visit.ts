// A request that came in, from the gate until its work is done: its deadline, and what becomes of its work when its visitor leaves.
import type { IncomingMessage, ServerResponse } from 'node:http';

import { Scope } from '@claret/client';

import { DEADLINE_MS } from './limits.ts';
import type { Lane } from './gate.ts';

/** Of a request whose body is still being sent. */
export type BodyToCome = {
  sinceMs: number;
  /** tries to take a place */
  enter: (visit: Visit, nowMs: number) => boolean;
};

export class Visit {
  readonly lane: Lane;
  #arrivedMs: number;
  #scope: Scope;
  #leave: ((visit: Visit) => void) | null;
  #toCome: BodyToCome | null;

  /** `toCome`: it is not at work yet. */
  constructor(lane: Lane, arrivedMs: number, leave: (visit: Visit) => void, toCome: BodyToCome | null = null) {
    this.lane = lane;
    this.#arrivedMs = arrivedMs;
    this.#scope = this.#scopeFromArrival();
    this.#leave = leave;
    this.#toCome = toCome;
  }

  /** `performance.now()` of when it came to this machine, as far as is known, but for the time in which its body was sent */
  get arrivedMs(): number {
    return this.#arrivedMs;
  }

  /** Bounds its transactions. Another one once it is at work. */
  get scope(): Scope {
    return this.#scope;
  }

  /** Its body is not there yet, as far as anybody has looked. */
  get sending(): boolean {
    return this.#toCome !== null;
  }

  /** Its body is there. False: there is no place for it now. */
  begin(nowMs: number): boolean {
    const toCome = this.#toCome;
    if (toCome === null) return true;
    this.#toCome = null;
    this.#arrivedMs += nowMs - toCome.sinceMs;
    this.#scope = this.#scopeFromArrival();
    if (toCome.enter(this, nowMs)) return true;
    this.#leave = null;
    return false;
  }

  /** It counts as at work no more. */
  leave(): void {
    if (this.#toCome === null) this.#leave?.(this);
    this.#toCome = this.#leave = null;
  }

  #scopeFromArrival(): Scope {
    return new Scope(this.#arrivedMs + (this.lane === 'write' ? DEADLINE_MS.write : DEADLINE_MS.read));
  }
}

const visits = new WeakMap<IncomingMessage, Visit>();

/**
 * One that came in by the door. Where its visitor leaves before the answer, what was begun to be read for them is called off.
 * What changes something is done: who clicks and goes on to the next page wants it done.
 */
export function beginVisit(request: IncomingMessage, response: ServerResponse, visit: Visit, abandoned: (visit: Visit) => void): void {
  visits.set(request, visit);
  response.once('close', () => {
    if (response.writableEnded) return visit.leave();
    if (visit.lane !== 'write') visit.scope.callOff();
    if (visit.scope.underWay === 0) visit.leave();
    else abandoned(visit);
  });
}

/** Null: it came by no socket (tests inject requests). */
export function visitOf(request: IncomingMessage): Visit | null {
  return visits.get(request) ?? null;
}
