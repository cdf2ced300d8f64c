// A request from its admission until its work is done: its deadline, and the end of its work when its visitor disconnects.
import type { IncomingMessage, ServerResponse } from 'node:http';

import { Scope } from '@claret/client';

import type { Lane } from './admission-limiter.ts';
import { DEADLINE_MS } from './limits.ts';

/** a request's body that is still being received */
export type PendingBody = {
  sinceMs: number;
  /** tries to admit the request; false: it is shed */
  admit: (request: InFlightRequest, nowMs: number) => boolean;
};

export class InFlightRequest {
  readonly lane: Lane;
  #arrivedMs: number;
  #scope: Scope;
  #release: ((request: InFlightRequest) => void) | null;
  #pendingBody: PendingBody | null;

  /** `pendingBody`: the request has no slot yet. */
  constructor(lane: Lane, arrivedMs: number, release: (request: InFlightRequest) => void, pendingBody: PendingBody | null = null) {
    this.lane = lane;
    this.#arrivedMs = arrivedMs;
    this.#scope = this.#scopeFromArrival();
    this.#release = release;
    this.#pendingBody = pendingBody;
  }

  /** `performance.now()` of the best estimate of its arrival at this machine, plus the time in which its body was sent */
  get arrivedMs(): number {
    return this.#arrivedMs;
  }

  /** Bounds its transactions. Replaced when the body is complete. */
  get scope(): Scope {
    return this.#scope;
  }

  /** Its body was incomplete when last checked. */
  get isReceiving(): boolean {
    return this.#pendingBody !== null;
  }

  /** Its body is complete. False: the request is shed. */
  start(nowMs: number): boolean {
    const pendingBody = this.#pendingBody;
    if (pendingBody === null) return true;
    this.#pendingBody = null;
    this.#arrivedMs += nowMs - pendingBody.sinceMs;
    this.#scope = this.#scopeFromArrival();
    if (pendingBody.admit(this, nowMs)) return true;
    this.#release = null;
    return false;
  }

  /** Frees its slot. */
  release(): void {
    if (this.#pendingBody === null) this.#release?.(this);
    this.#pendingBody = this.#release = null;
  }

  #scopeFromArrival(): Scope {
    return new Scope(this.#arrivedMs + (this.lane === 'write' ? DEADLINE_MS.write : DEADLINE_MS.read));
  }
}

const requests = new WeakMap<IncomingMessage, InFlightRequest>();

/**
 * Ends the request with its connection. If the visitor disconnects before the answer, its reads are called off. Writes complete: a visitor
 * who clicks and goes on to the next page wants the change.
 */
export function trackRequest(
  request: IncomingMessage,
  response: ServerResponse,
  inFlight: InFlightRequest,
  abandoned: (request: InFlightRequest) => void,
): void {
  requests.set(request, inFlight);
  response.once('close', () => {
    if (response.writableEnded) return inFlight.release();
    if (inFlight.lane !== 'write') inFlight.scope.callOff();
    if (inFlight.scope.underWay === 0) inFlight.release();
    else abandoned(inFlight);
  });
}

/** Null: the request came by no socket (tests inject requests). */
export function inFlightRequestOf(request: IncomingMessage): InFlightRequest | null {
  return requests.get(request) ?? null;
}
