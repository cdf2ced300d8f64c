// Opens the log of the kind that the configuration names, and refuses data directories of the other kind.
import type { CommonLogOptions, LogDurability, OpenedLog } from '../log/log.ts';
import type { NatsAccess } from '../log/jetstream/connection.ts';
import { openJetStreamLog } from '../log/jetstream/open-jetstream-log.ts';
import { openLog } from '../log/open-log.ts';
import {
  endFile,
  logDir,
  mirrorDir,
  readReplicatedLog,
  refuseLocalLog,
  refuseLostLog,
  refuseReplicatedLog,
  writeReplicatedLog,
} from './data-dir.ts';

/** `local`: on this machine's disk; `jetstream`: replicated, on NATS servers. */
export type LogChoice = { kind: 'local'; durability: LogDurability } | { kind: 'jetstream'; access: NatsAccess; replicas: number };

/** Throws LogRefused, LogDamaged. */
export async function openLogOf(dataDir: string, choice: LogChoice, common: CommonLogOptions): Promise<OpenedLog> {
  if (choice.kind === 'local') {
    refuseReplicatedLog(dataDir);
    refuseLostLog(dataDir);
    return openLog({ ...common, dir: logDir(dataDir), endFile: endFile(dataDir), durability: choice.durability });
  }
  refuseLocalLog(dataDir);
  const knownId = readReplicatedLog(dataDir);
  const opened = await openJetStreamLog({ ...common, ...choice, mirrorDir: mirrorDir(dataDir), knownId });
  if (knownId === undefined) writeReplicatedLog(dataDir, opened.id);
  return opened;
}
