// Disk: a shard's log, kept as a synchronous one would be: what was appended is durable a little later, in order, and a
// crash loses what was not, all but perhaps some of it that had reached the disk before anybody was told.
import type { Log } from '@claret/gateway/log/log.ts';
import type { Chance } from './chance.ts';
import type { SimulatedNode } from './node.ts';
import type { World } from './world.ts';

interface Write {
  entries: Uint8Array;
  position: number;
  durable: (position: number) => void;
}

export class Disk {
  /** as it would be read after a crash */
  readonly pieces: Uint8Array[] = [];
  /** how long a write takes */
  writeMs: readonly [least: number, most: number] = [0.05, 0.5];
  readonly #world: World;
  readonly #chance: Chance;
  #writes: Write[] = [];
  #busy = false;

  constructor(world: World, chance: Chance) {
    this.#world = world;
    this.#chance = chance;
  }

  /** The log as the process on `node` sees it. */
  open(node: SimulatedNode): Pick<Log, 'append'> {
    return {
      append: (entries, position, durable) => {
        this.#writes.push({ entries, position, durable });
        this.#write(node);
      },
    };
  }

  #write(node: SimulatedNode): void {
    if (this.#busy) return;
    this.#busy = true;
    const group = this.#writes.length;
    this.#world.after(this.#chance.between(...this.writeMs), () => {
      this.#busy = false;
      const written = this.#writes.splice(0, group);
      for (const { entries } of written) this.pieces.push(entries);
      const last = written.at(-1)!;
      last.durable(last.position);
      if (this.#writes.length > 0) this.#write(node);
    }, node);
  }

  /** The process that wrote is gone. */
  crash(): void {
    const reached = this.#writes.splice(0, this.#chance.below(this.#writes.length + 1));
    for (const { entries } of reached) this.pieces.push(entries);
    this.#writes = [];
    this.#busy = false;
  }
}
