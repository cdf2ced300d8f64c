// A request that came in, from the gate until its work is done: its deadline, and what becomes of its work when its visitor leaves.
import type { IncomingMessage, ServerResponse } from 'node:http';

import { Scope } from '@claret/client';

import { DEADLINE_MS } from './limits.ts';
import type { Lane } from './gate.ts';

export class Visit {
  readonly lane: Lane;
  /** `performance.now()` of when it came to this machine, as far as is known */
  readonly arrivedMs: number;
  /** bounds its transactions */
  readonly scope: Scope;
  #leave: ((visit: Visit) => void) | null;

  constructor(lane: Lane, arrivedMs: number, leave: (visit: Visit) => void) {
    this.lane = lane;
    this.arrivedMs = arrivedMs;
    this.scope = new Scope(arrivedMs + (lane === 'write' ? DEADLINE_MS.write : DEADLINE_MS.read));
    this.#leave = leave;
  }

  /** It counts as at work no more. */
  leave(): void {
    this.#leave?.(this);
    this.#leave = null;
  }
}

const visits = new WeakMap<IncomingMessage, Visit>();

/** One that came in by the door. Where its visitor leaves before the answer, what was begun for them is called off. */
export function beginVisit(request: IncomingMessage, response: ServerResponse, visit: Visit, abandoned: (visit: Visit) => void): void {
  visits.set(request, visit);
  response.once('close', () => {
    if (response.writableEnded) return visit.leave();
    visit.scope.callOff();
    if (visit.scope.underWay === 0) visit.leave();
    else abandoned(visit);
  });
}

/** Null: it came by no socket (tests inject requests). */
export function visitOf(request: IncomingMessage): Visit | null {
  return visits.get(request) ?? null;
}
