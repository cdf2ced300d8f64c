// Opens the log of the kind that the configuration names, and refuses data directories of the other kind.
import type { CommonLogOptions, LogDurability, OpenedLog } from '../log/log.ts';
import type { NatsAccess } from '../log/jetstream/connection.ts';
import { openJetStreamLog } from '../log/jetstream/open-jetstream-log.ts';
import { openLog } from '../log/open-log.ts';
import {
  endFile,
  logDir,
  mirrorDir,
  readReplicatedLogs,
  refuseLocalLog,
  refuseLostLog,
  refuseReplicatedLog,
  writeReplicatedLog,
} from './data-dir.ts';

/** `local`: on this machine's disk; `jetstream`: replicated, on NATS servers. */
export type LogChoice = { kind: 'local'; durability: LogDurability } | { kind: 'jetstream'; access: NatsAccess; replicas: number };

/** `knownId`: of the shard's replicated log, as others know it. Throws LogRefused, LogDamaged. */
export async function openLogOf(dataDir: string, choice: LogChoice, common: CommonLogOptions, knownId?: string): Promise<OpenedLog> {
  if (choice.kind === 'local') {
    refuseReplicatedLog(dataDir);
    refuseLostLog(dataDir);
    return openLog({ ...common, dir: logDir(dataDir), endFile: endFile(dataDir), durability: choice.durability });
  }
  const { shard } = common;
  const known = knownReplicatedLog(dataDir, shard, knownId);
  const opened = await openJetStreamLog({ ...common, ...choice, mirrorDir: mirrorDir(dataDir, shard), knownId: known });
  noteReplicatedLog(dataDir, shard, opened.id);
  return opened;
}

/** The id of the log that the shard must have; undefined: it has had none. Throws LogRefused, LogDamaged. */
export function knownReplicatedLog(dataDir: string, shard: number, known: string | undefined): string | undefined {
  refuseLocalLog(dataDir);
  return known ?? readReplicatedLogs(dataDir)[shard];
}

export function noteReplicatedLog(dataDir: string, shard: number, id: string): void {
  if (readReplicatedLogs(dataDir)[shard] !== id) writeReplicatedLog(dataDir, shard, id);
}
