// The BackupSource of a durable shard: forwards the steps of a backup to its host, log and checkpointer.
import type { SlotRun } from '@claret/client';
import type { KeptPiece, Log } from '../log/log.ts';
import type { Checkpointer } from '../store/checkpointer.ts';
import type { ShardHost } from '../store/shard-host.ts';
import type { BackupSource } from './shard-backup.ts';

export interface DurableShardSourceDependencies {
  shard: number;
  dealtShards: number;
  incarnation: number;
  clusterName: string;
  host: Pick<ShardHost, 'prepareCut' | 'setCut' | 'cut' | 'callOffCut' | 'durable' | 'moving'>;
  log: Pick<Log, 'snapshot'>;
  checkpointer: Pick<Checkpointer, 'checkpoint' | 'hold'>;
}

export class DurableShardSource implements BackupSource {
  readonly shard: number;
  readonly dealtShards: number;
  readonly incarnation: number;
  readonly clusterName: string;
  private readonly dependencies: DurableShardSourceDependencies;

  constructor(dependencies: DurableShardSourceDependencies) {
    this.dependencies = dependencies;
    ({ shard: this.shard, dealtShards: this.dealtShards, incarnation: this.incarnation, clusterName: this.clusterName } = dependencies);
  }

  async checkpointAndHold(): Promise<() => void> {
    await this.dependencies.checkpointer.checkpoint();
    return this.dependencies.checkpointer.hold();
  }

  prepareCut(): bigint | null {
    return this.dependencies.host.prepareCut();
  }

  slots(): SlotRun[] {
    return this.dependencies.host.moving.slots();
  }

  setCut(at: bigint): boolean {
    return this.dependencies.host.setCut(at);
  }

  cut(): number {
    return this.dependencies.host.cut();
  }

  callOffCut(): void {
    this.dependencies.host.callOffCut();
  }

  durable(position: number): Promise<void> {
    return this.dependencies.host.durable(position);
  }

  snapshot(position: number): AsyncIterable<KeptPiece> {
    return this.dependencies.log.snapshot(position);
  }
}
