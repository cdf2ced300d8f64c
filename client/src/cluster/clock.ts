// Clock: the cluster's time, which does not depend on the wall clock of this machine (API.md, "Time").

import type { Environment } from '../environment/environment.ts';
import { ClaretError } from '../errors/claret-error.ts';
import { codes } from '../errors/error-codes.ts';
import type { Cluster } from './cluster.ts';

export class Clock {
  readonly #environment: Environment;
  readonly #cluster: Cluster;

  constructor(environment: Environment, cluster: Cluster) {
    this.#environment = environment;
    this.#cluster = cluster;
  }

  /**
   * The present time of the shard that has the key, as commits there have it: whole milliseconds since 1970. Without a key, the time of the
   * shard with the lowest number. Until that shard has been met, the time of the first one that has. Throws `shard_unavailable` if none has been met.
   */
  nowMs(key?: string): number {
    const own = key === undefined ? null : this.#cluster.timeOf(key);
    const time = own?.known === true ? own : this.#cluster.times().find(({ known }) => known);
    if (time === undefined) throw unknown();
    return time.at(this.#environment.monotonicMs());
  }

  /** Resolves once each shard has been met. Rejects with `shard_unavailable` if that takes longer. */
  ready(timeoutMs = 10_000): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = this.#environment.setTimeout(() => end(() => reject(unknown())), timeoutMs);
      const end = (settle: () => void): void => {
        this.#environment.clearTimeout(timer);
        unfollow();
        settle();
      };
      const look = (): void => {
        if (this.#cluster.times().every(({ known }) => known)) end(resolve);
      };
      const unfollow = this.#cluster.onStatus(look);
      look();
    });
  }
}

const unknown = (): ClaretError =>
  new ClaretError({
    code: codes.shardUnavailable,
    message: 'No shard has told its time yet',
    retryable: true,
    cause: codes.shardUnavailable,
  });
