// GrantWitness: remembers what a shard has said of one result.

import type { Witness } from '../operation/operation.ts';
import type { Grant } from './grant.ts';

export class GrantWitness implements Witness {
  /** The result follows from it. It has fallen if only the digest was told; null: nothing was said. */
  grant: Grant | null = null;

  told(grant: Grant): void {
    this.grant = grant;
  }
}
