// The HTTP server of a site, with the gate in front: whoever is refused costs no more than reading a request's head and writing
// an answer that was made before (refusal.ts). Fastify sees only who came in.
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerOptions, type ServerResponse } from 'node:http';

import { Gate, type Lane } from './gate.ts';
import { laneOf } from './lanes.ts';
import { GATE_LIMITS, SOCKETS, type GateLimits } from './limits.ts';
import { Pulse } from './pulse.ts';
import { RefusalLog, type Warn } from './refusal-log.ts';
import type { Refusal } from './refusal.ts';

/** Without work for so long the pulse stops. */
const IDLE_MS = 1_000;

/** A request that came in. */
export class Visit {
  readonly lane: Lane;
  /** `performance.now()` of when it came to this machine, as far as is known */
  readonly arrivedMs: number;
  readonly #gate: Gate;
  #left = false;

  constructor(gate: Gate, lane: Lane, arrivedMs: number) {
    this.#gate = gate;
    this.lane = lane;
    this.arrivedMs = arrivedMs;
  }

  /** Its work is done. */
  leave(): void {
    if (this.#left) return;
    this.#left = true;
    this.#gate.leave(this.lane, this.arrivedMs, performance.now());
  }
}

const visits = new WeakMap<IncomingMessage, Visit>();

/** Null: it came by no socket (tests inject requests). */
export function visitOf(request: IncomingMessage): Visit | null {
  return visits.get(request) ?? null;
}

export type DoorOptions = {
  refusal: Refusal;
  warn: Warn;
  limits?: GateLimits;
};

/** What stands between sockets and an app server's routes. */
export class Door {
  readonly gate: Gate;
  readonly #refusal: Refusal;
  readonly #log: RefusalLog;
  readonly #pulse = new Pulse((nowMs, latenessMs) => this.#onBeat(nowMs, latenessMs));
  #sockets = 0;
  #socketsRefused = 0;
  #arrivedMs = 0;

  constructor({ refusal, warn, limits = GATE_LIMITS }: DoorOptions) {
    this.gate = new Gate(limits);
    this.#refusal = refusal;
    this.#log = new RefusalLog(warn);
  }

  /** Fastify's `serverFactory`. */
  readonly server = (handler: RequestListener, options: { http?: ServerOptions; keepAliveTimeout?: number; requestTimeout?: number }): Server => {
    const server = createServer({ ...options.http }, (request, response) => {
      if (this.#admits(request, response)) handler(request, response);
    });
    server.keepAliveTimeout = options.keepAliveTimeout ?? server.keepAliveTimeout;
    server.requestTimeout = options.requestTimeout ?? server.requestTimeout;
    server.maxConnections = SOCKETS.max;
    server.on('connection', (socket) => {
      this.#sockets++;
      socket.once('close', () => this.#sockets--);
    });
    server.on('drop', () => this.#socketsRefused++);
    server.on('close', () => this.#pulse.stop());
    return server;
  };

  /** For operators and tests. */
  get state() {
    const { limit, atWork, refused } = this.gate;
    return { limit, at_work: { ...atWork }, refused: { ...refused, sockets: this.#socketsRefused }, sockets: this.#sockets };
  }

  #admits(request: IncomingMessage, response: ServerResponse): boolean {
    const nowMs = performance.now();
    this.#pulse.start(nowMs);
    this.#arrivedMs = nowMs;
    if (this.#sockets > SOCKETS.keep_alive_max) response.shouldKeepAlive = false;
    const lane = laneOf(request.method ?? '', request.url ?? '');
    const arrivedMs = nowMs - this.#pulse.ageMs(nowMs);
    if (this.gate.arrive(lane, arrivedMs, nowMs) !== null) {
      this.#refusal.send(request, response);
      return false;
    }
    const visit = new Visit(this.gate, lane, arrivedMs);
    visits.set(request, visit);
    response.once('close', () => visit.leave());
    return true;
  }

  #onBeat(nowMs: number, latenessMs: number): boolean {
    this.gate.look(nowMs, latenessMs, 0);
    this.#log.look(nowMs, this.state);
    const { read, write, page } = this.gate.atWork;
    return read + write + page > 0 || nowMs - this.#arrivedMs < IDLE_MS;
  }
}
