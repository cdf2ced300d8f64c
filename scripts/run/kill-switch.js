// The switch with which a dashboard kills the process of a shard, to show what becomes of it: a server on a loopback port, whose address has a secret
// that only the cluster's own processes are told. The launcher starts what dies again.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { performance } from 'node:perf_hooks';
import { RESTART_LIMITS } from './restarts.js';

/** Deaths in quick succession count as those of a process that cannot run: fewer than half of them are on request. */
const PAUSE_MS = (2 * RESTART_LIMITS.withinMs) / RESTART_LIMITS.deathsMax;
/** The gateway that asks may be the one that is killed: it answers its caller first. */
const ANSWERED_WITHIN_MS = 100;

export class KillSwitch {
  #path = `/${randomBytes(16).toString('hex')}`;
  #owners;
  #killedMs = -Infinity;
  #server = createServer((request, response) => void this.#answer(request, response));

  /** @param {() => Promise<{pid: number}[]>} owners the gateways that own the shards now, in their order */
  constructor(owners) {
    this.#owners = owners;
  }

  /** Resolves with the address to which {"shard": n} is posted: 204, it is killed in a moment; 404, there is none; 409, one was killed just now. */
  async open() {
    this.#server.listen(0, '127.0.0.1').unref();
    await once(this.#server, 'listening');
    return `http://127.0.0.1:${this.#server.address().port}${this.#path}`;
  }

  close() {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #answer(request, response) {
    const isCall = request.method === 'POST' && request.url === this.#path;
    response.statusCode = isCall ? await this.#kill(request).catch(() => 404) : 404;
    response.end();
  }

  /** Returns the status of the answer. */
  async #kill(request) {
    const body = Buffer.concat(await request.toArray());
    const { pid } = (await this.#owners())[JSON.parse(body.toString()).shard];
    const nowMs = performance.now();
    if (nowMs - this.#killedMs < PAUSE_MS) return 409;
    this.#killedMs = nowMs;
    setTimeout(() => kill(pid), ANSWERED_WITHIN_MS);
    return 204;
  }
}

/** @param {number} pid */
function kill(pid) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It is gone.
  }
}
