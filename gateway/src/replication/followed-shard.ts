// FollowedShard: the host of a shard that another gateway owns. It restores what the owner writes, and starts when this gateway has taken the
// shard and its log.
import type { Log } from '../log/log.ts';
import { ShardHost } from '../store/shard-host.ts';
import type { ShardHostDependencies, ShardHostOptions } from '../store/shard-host.ts';
import type { Ownership } from './ownership.ts';

export class FollowedShard {
  readonly host: ShardHost;
  #log: Log | undefined;
  #ownership: Ownership | undefined;

  constructor(options: ShardHostOptions, dependencies: Pick<ShardHostDependencies, 'environment' | 'createShard'> = {}) {
    this.host = new ShardHost(
      { ...options, incarnation: 0 },
      {
        ...dependencies,
        log: { append: (entries, position, durable) => this.#log!.append(entries, position, durable) },
        answersUntilMs: () => this.#ownership?.untilMs ?? -Infinity,
        wallMsLeast: () => this.#ownership?.wallMsLeast ?? 0,
      },
    );
  }

  /** Everything is restored; peers may be connected from now on. */
  start(log: Log, ownership: Ownership): void {
    this.#log = log;
    this.#ownership = ownership;
    this.host.restored(ownership.owner.incarnation);
  }
}
