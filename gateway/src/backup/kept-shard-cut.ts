// A shard whose host, log and checkpointer are at hand, as a backup needs it.
import type { KeptPiece, Log } from '../log/log.ts';
import type { Checkpointer } from '../store/checkpointer.ts';
import type { ShardHost } from '../store/shard-host.ts';
import type { CutShard } from './shard-part.ts';

export interface KeptShardParts {
  shard: number;
  shards: number;
  incarnation: number;
  clusterName: string;
  host: Pick<ShardHost, 'prepareCut' | 'setCut' | 'cut' | 'callOffCut' | 'durable'>;
  log: Pick<Log, 'snapshot'>;
  checkpointer: Pick<Checkpointer, 'checkpoint' | 'hold'>;
}

export class KeptShardCut implements CutShard {
  readonly shard: number;
  readonly shards: number;
  readonly incarnation: number;
  readonly clusterName: string;
  private readonly parts: KeptShardParts;

  constructor(parts: KeptShardParts) {
    this.parts = parts;
    ({ shard: this.shard, shards: this.shards, incarnation: this.incarnation, clusterName: this.clusterName } = parts);
  }

  async checkpointAndHold(): Promise<() => void> {
    await this.parts.checkpointer.checkpoint();
    return this.parts.checkpointer.hold();
  }

  prepareCut(): bigint {
    return this.parts.host.prepareCut();
  }

  setCut(at: bigint): boolean {
    return this.parts.host.setCut(at);
  }

  cut(): number {
    return this.parts.host.cut();
  }

  callOffCut(): void {
    this.parts.host.callOffCut();
  }

  durable(position: number): Promise<void> {
    return this.parts.host.durable(position);
  }

  snapshot(position: number): AsyncIterable<KeptPiece> {
    return this.parts.log.snapshot(position);
  }
}
