// The HTTP server of a site, with the gate in front: whoever is refused costs no more than reading a request's head and writing
// an answer that was made before (refusal.ts). Fastify sees only who came in.
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerOptions, type ServerResponse } from 'node:http';

import type { Claret } from '@claret/client';

import { Gate } from './gate.ts';
import { laneOf } from './lanes.ts';
import { GATE_LIMITS, SOCKETS, type GateLimits } from './limits.ts';
import { Pulse } from './pulse.ts';
import { RefusalLog, type Warn } from './refusal-log.ts';
import type { Refusal } from './refusal.ts';
import { Visit, beginVisit } from './visit.ts';

/** Without work for so long the pulse stops. */
const IDLE_MS = 1_000;

export type DoorOptions = {
  claret: Pick<Claret, 'load'>;
  refusal: Refusal;
  warn: Warn;
  limits?: GateLimits;
};

/** The router reads that of every method but these two. */
function hasBody({ method, headers }: IncomingMessage): boolean {
  if (method === 'GET' || method === 'HEAD') return false;
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}

/** What stands between sockets and an app server's routes. */
export class Door {
  readonly gate: Gate;
  readonly #claret: Pick<Claret, 'load'>;
  readonly #refusal: Refusal;
  /** their visitors have gone, some of their transactions have not ended */
  readonly #abandoned = new Set<Visit>();
  readonly #log: RefusalLog;
  readonly #pulse = new Pulse((nowMs, latenessMs) => this.#onBeat(nowMs, latenessMs));
  #sockets = 0;
  #socketsRefused = 0;
  #arrivedMs = 0;

  constructor({ claret, refusal, warn, limits = GATE_LIMITS }: DoorOptions) {
    this.gate = new Gate(limits);
    this.#claret = claret;
    this.#refusal = refusal;
    this.#log = new RefusalLog(warn);
  }

  /** Fastify's `serverFactory`. */
  readonly server = (
    handler: RequestListener,
    options: { http?: ServerOptions; keepAliveTimeout?: number; requestTimeout?: number },
  ): Server => {
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
    const { limit, delayMs, atWork, refused } = this.gate;
    return {
      limit,
      delay_ms: Math.round(delayMs),
      at_work: { ...atWork },
      refused: { ...refused, sockets: this.#socketsRefused },
      sockets: this.#sockets,
    };
  }

  #admits(request: IncomingMessage, response: ServerResponse): boolean {
    const nowMs = performance.now();
    this.#pulse.start(nowMs);
    this.#arrivedMs = nowMs;
    if (this.#sockets > SOCKETS.keep_alive_max) response.shouldKeepAlive = false;
    const lane = laneOf(request.method ?? '', request.url ?? '');
    const arrivedMs = nowMs - this.#pulse.ageMs(nowMs);
    const toCome = hasBody(request) ? { sinceMs: nowMs, enter: this.#enter } : null;
    const reason = toCome === null ? this.gate.arrive(lane, arrivedMs, nowMs) : this.gate.knock(lane, arrivedMs, nowMs);
    if (reason !== null) {
      this.#refusal.send(request, response);
      return false;
    }
    beginVisit(request, response, new Visit(lane, arrivedMs, this.#onLeave, toCome), (visit) => this.#abandoned.add(visit));
    return true;
  }

  readonly #enter = ({ lane, arrivedMs }: Visit, nowMs: number): boolean => this.gate.arrive(lane, arrivedMs, nowMs) === null;

  readonly #onLeave = ({ lane, arrivedMs }: Visit): void => this.gate.leave(lane, arrivedMs, performance.now());

  #onBeat(nowMs: number, latenessMs: number): boolean {
    for (const visit of this.#abandoned) {
      if (visit.scope.underWay > 0) continue;
      this.#abandoned.delete(visit);
      visit.leave();
    }
    this.gate.look(nowMs, latenessMs, this.#storeBehindMs());
    this.#log.look(nowMs, this.state);
    const { read, write, page } = this.gate.atWork;
    return read + write + page > 0 || nowMs - this.#arrivedMs < IDLE_MS;
  }

  /** All shards are at least so far behind: of one alone the answers tell. */
  #storeBehindMs(): number {
    const behind = this.#claret.load.shards.map(({ behindMs }) => behindMs);
    return behind.length === 0 ? 0 : Math.min(...behind);
  }
}
