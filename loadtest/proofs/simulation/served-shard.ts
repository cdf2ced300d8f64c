// A shard, whoever serves it at present.
import type { ShardHost } from '@claret/gateway/store/shard-host.ts';

export interface ServedShard {
  readonly name: string;
  /** null: nobody serves it */
  readonly host: ShardHost | null;
  /** Everything that its host has logged is durable. */
  readonly isDurable: boolean;
  /** Entries that have become durable since the last call, in order. */
  takeLog(): Uint8Array[];
}
