// Which gateway owns which shard of a replicated cluster, as the gateways say.
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { Problem } from './problem.js';

/** Somebody else may know: a gateway that is frozen must not hold up the question. */
const ANSWER_WITHIN_MS = 1_000;
/** On a busy machine. */
const ANY_ANSWER_WITHIN_MS = 30_000;
const LOOK_EVERY_MS = 500;
/** While a shard has no owner. */
const LOOK_CLOSELY_MS = 100;

/** @param {string} url @returns {Promise<any>} the JSON of the answer, whatever its status; undefined: there is none */
const ask = (url) =>
  fetch(url, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) }).then(
    (answer) => answer.json().catch(() => undefined),
    () => undefined,
  );

/** @param {string} rest base URL of a gateway @returns {Promise<string | undefined>} serving, standby, …; undefined: it does not answer */
export const phaseOf = async (rest) => (await ask(`${rest}/readyz`))?.phase;

/**
 * What the gateways at these base URLs say; undefined: none answers.
 * @param {string[]} rests @returns {Promise<{version: number, owners: string[]} | undefined>} the newest; owners are base URLs in shard order
 */
export async function topologyBy(rests) {
  const topologies = (await Promise.all(rests.map((rest) => ask(`${rest}/v1/topology`)))).filter((each) => Array.isArray(each?.shards));
  const newest = topologies.reduce((one, other) => (other.version > (one?.version ?? 0) ? other : one), undefined);
  return newest && { version: newest.version, owners: newest.shards.map((shard) => `http://${shard.rest_address}`) };
}

/**
 * A shard has an owner again, or another one. `before`: the last one; `awayMs`: since its death, if it has died.
 * @typedef {{shard: number, owner: string, before: string, awayMs: number | null}} Move
 * @typedef {{name: string, rest: string}} Gateway
 */

/** Watches the owners of all shards, and tells when another gateway serves a shard. */
export class OwnerWatch {
  #gateways;
  #onMove;
  /**
   * A gateway that has just started again may be the only one that answers in time, and it knows no take-over yet.
   * @type {{version: number, owners: string[]} | undefined}
   */
  #newest;
  /** by shard: the owner, and since when it is dead @type {{name: string, deadSinceMs: number | null}[]} */
  #owners = [];
  #isStopped = false;
  /** @type {NodeJS.Timeout | undefined} */
  #timer;

  /** @param {Gateway[]} gateways @param {(move: Move) => void} [onMove] */
  constructor(gateways, onMove) {
    this.#gateways = gateways;
    this.#onMove = onMove;
  }

  /** Settles when all shards have an owner that serves, or after a while. */
  async start() {
    for (const giveUpMs = performance.now() + ANY_ANSWER_WITHIN_MS; performance.now() < giveUpMs; await sleep(LOOK_CLOSELY_MS)) {
      if ((await this.#look()) || this.#isStopped) break;
    }
    this.#lookLater();
  }

  stop() {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  /** Base URLs in shard order, as the newest topology of all that were seen names them. @returns {Promise<string[]>} */
  async owners() {
    for (const giveUpMs = performance.now() + ANY_ANSWER_WITHIN_MS; performance.now() < giveUpMs; await sleep(LOOK_CLOSELY_MS)) {
      const owners = await this.#askOwners();
      if (owners !== undefined) return owners;
    }
    throw new Problem('No gateway says which one owns which shard.');
  }

  /** How many shards have an owner that has not died. */
  get owned() {
    return this.#owners.filter(({ deadSinceMs }) => deadSinceMs === null).length;
  }

  /** A gateway has died. @param {string} name @returns {number | null} its shard; null: it had none */
  noteDeath(name) {
    const shard = this.#owners.findIndex((owner) => owner.name === name && owner.deadSinceMs === null);
    if (shard < 0) return null;
    this.#owners[shard].deadSinceMs = performance.now();
    this.#lookLater();
    return shard;
  }

  #lookLater() {
    clearTimeout(this.#timer);
    if (this.#isStopped) return;
    const isAway = this.#owners.some(({ deadSinceMs }) => deadSinceMs !== null);
    this.#timer = setTimeout(() => void this.#look().then(() => this.#lookLater()), isAway ? LOOK_CLOSELY_MS : LOOK_EVERY_MS);
  }

  async #askOwners() {
    const answer = await topologyBy(this.#gateways.map(({ rest }) => rest));
    if (answer !== undefined && answer.version >= (this.#newest?.version ?? 0)) this.#newest = answer;
    return this.#newest?.owners;
  }

  /** Resolves with whether an owner of each shard is known. */
  async #look() {
    const rests = await this.#askOwners();
    await Promise.all((rests ?? []).map((rest, shard) => this.#lookAt(shard, rest)));
    return rests !== undefined && rests.every((_, shard) => this.#owners[shard] !== undefined);
  }

  /** A gateway that has the shard but does not serve it yet, or that is dead and still named as the owner, is left for a later look. */
  async #lookAt(shard, rest) {
    const found = this.#gateways.find((gateway) => gateway.rest === rest);
    const known = this.#owners[shard];
    if (found === undefined || (known?.name === found.name && known.deadSinceMs === null)) return;
    if ((await phaseOf(rest)) !== 'serving' || this.#isStopped || this.#owners[shard] !== known) return;
    this.#owners[shard] = { name: found.name, deadSinceMs: null };
    if (known === undefined) return;
    const awayMs = known.deadSinceMs === null ? null : performance.now() - known.deadSinceMs;
    this.#onMove?.({ shard, owner: found.name, before: known.name, awayMs });
  }
}
