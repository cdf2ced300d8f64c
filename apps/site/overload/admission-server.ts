// The HTTP server of a site, with admission control: a shed request costs no more than reading its head and writing a prepared answer
// (refusal.ts). Fastify sees admitted requests only.
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerOptions, type ServerResponse } from 'node:http';

import type { Claret } from '@claret/client';

import { AdmissionLimiter } from './admission-limiter.ts';
import { InFlightRequest, trackRequest } from './in-flight-request.ts';
import { laneOf } from './lanes.ts';
import { ADMISSION_LIMITS, SOCKETS, type AdmissionLimits } from './limits.ts';
import { Pulse } from './pulse.ts';
import { RefusalLog, type Warn } from './refusal-log.ts';
import type { Refusal } from './refusal.ts';

/** The pulse stops after this time without requests in flight. */
const IDLE_MS = 1_000;

export type AdmissionServerOptions = {
  claret: Pick<Claret, 'load'>;
  refusal: Refusal;
  warn: Warn;
  limits?: AdmissionLimits;
};

/** The router reads a body with every method but these two. */
function hasBody({ method, headers }: IncomingMessage): boolean {
  if (method === 'GET' || method === 'HEAD') return false;
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}

/** Stands between the sockets and an app server's routes. */
export class AdmissionServer {
  readonly limiter: AdmissionLimiter;
  readonly #claret: Pick<Claret, 'load'>;
  readonly #refusal: Refusal;
  /** requests whose visitors have disconnected, with transactions that have not ended yet */
  readonly #abandoned = new Set<InFlightRequest>();
  readonly #log: RefusalLog;
  readonly #pulse = new Pulse((nowMs, latenessMs) => this.#onBeat(nowMs, latenessMs));
  #sockets = 0;
  #socketsRefused = 0;
  #arrivedMs = 0;

  constructor({ claret, refusal, warn, limits = ADMISSION_LIMITS }: AdmissionServerOptions) {
    this.limiter = new AdmissionLimiter(limits);
    this.#claret = claret;
    this.#refusal = refusal;
    this.#log = new RefusalLog(warn);
  }

  /** Fastify's `serverFactory` */
  readonly serverFactory = (
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

  /** for operators and tests */
  get state() {
    const { limit, delayMs, atWork, refused } = this.limiter;
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
    const pendingBody = hasBody(request) ? { sinceMs: nowMs, admit: this.#admit } : null;
    const reason = pendingBody === null ? this.limiter.admit(lane, arrivedMs, nowMs) : this.limiter.check(lane, arrivedMs, nowMs);
    if (reason !== null) {
      this.#refusal.send(request, response);
      return false;
    }
    trackRequest(request, response, new InFlightRequest(lane, arrivedMs, this.#release, pendingBody), (inFlight) =>
      this.#abandoned.add(inFlight),
    );
    return true;
  }

  readonly #admit = ({ lane, arrivedMs }: InFlightRequest, nowMs: number): boolean => this.limiter.admit(lane, arrivedMs, nowMs) === null;

  readonly #release = ({ lane, arrivedMs }: InFlightRequest): void => this.limiter.release(lane, arrivedMs, performance.now());

  #onBeat(nowMs: number, latenessMs: number): boolean {
    for (const inFlight of this.#abandoned) {
      if (inFlight.scope.underWay > 0) continue;
      this.#abandoned.delete(inFlight);
      inFlight.release();
    }
    this.limiter.observe(nowMs, latenessMs, this.#storeBehindMs());
    this.#log.observe(nowMs, this.state);
    const { read, write, page } = this.limiter.atWork;
    return read + write + page > 0 || nowMs - this.#arrivedMs < IDLE_MS;
  }

  /** The lowest delay among the shards: the delay of a single slow shard shows in the answers. */
  #storeBehindMs(): number {
    const behind = this.#claret.load.shards.map(({ behindMs }) => behindMs);
    return behind.length === 0 ? 0 : Math.min(...behind);
  }
}
