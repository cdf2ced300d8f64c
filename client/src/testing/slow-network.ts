// SlowNetwork: the ways between the processes of a simulated world. Each frame takes its time, in order, and a way may be cut for a while: what
// was sent meanwhile arrives afterwards.

import type { Environment } from '../environment/environment.ts';
import type { LocalShard } from '../transport/local.ts';
import type { Link, LinkHandlers } from '../transport/transport.ts';
import type { Random } from './random.ts';

interface Way {
  /** nothing sent before arrives later */
  arrivesMs: number;
}

export class SlowNetwork {
  readonly #world: Environment;
  readonly #random: Random;
  readonly #cutUntilMs = new Map<string, number>();

  constructor(world: Environment, random: Random) {
    this.#world = world;
    this.#random = random;
  }

  /** Frames from one process to the other arrive after so long at the earliest. */
  cut(from: string, to: string, forMs: number): void {
    this.#cutUntilMs.set(`${from} ${to}`, this.#world.monotonicMs() + forMs);
  }

  #send(way: Way, from: string, to: string, deliver: () => void): void {
    const nowMs = this.#world.monotonicMs();
    const soonest = Math.max(way.arrivesMs, this.#cutUntilMs.get(`${from} ${to}`) ?? 0);
    way.arrivesMs = Math.max(soonest + 0.001, nowMs + 0.2 + 2 * this.#random.next());
    this.#world.setTimeout(deliver, way.arrivesMs - nowMs);
  }

  /**
   * The shard as a client in another process reaches it.
   * @param runs runs what arrives at the client, and at the shard
   */
  between(
    client: string,
    shard: string,
    there: LocalShard,
    runs: { here: (callback: () => void) => void; there: (callback: () => void) => void },
  ): LocalShard {
    return {
      attach: (handlers: LinkHandlers): Link => {
        const [up, down]: [Way, Way] = [{ arrivesMs: 0 }, { arrivesMs: 0 }];
        let open = true;
        const here = (callback: () => void) => this.#send(down, shard, client, () => runs.here(() => open && callback()));
        const link = there.attach({
          onFrame: (bytes) => here(() => handlers.onFrame(bytes)),
          onClose: () =>
            here(() => {
              open = false;
              handlers.onClose();
            }),
        });
        return {
          send: (bytes) => {
            this.#send(up, client, shard, () => runs.there(() => void link.send(bytes)));
            return true;
          },
          close: () => {
            open = false;
            this.#send(up, client, shard, () => runs.there(() => link.close()));
          },
        };
      },
    };
  }
}
