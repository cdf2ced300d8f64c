// The JSON text of a FrameMessage. The text of a shard's report is taken as it is, since it was checked where it was made.
import type { Replication, Slots } from '@claret/client/telemetry';

/** A shard's report, on the time axis of this gateway's wall clock. */
export interface ShardReport {
  shard: number;
  at_ms: number;
  /** ShardTelemetry as JSON text */
  text: string;
}

export interface FrameParts {
  at_ms: number;
  reports: readonly ShardReport[];
  silent: readonly number[];
  /** absent in a cluster that is not replicated */
  replication: Replication | undefined;
  slots: Slots;
}

/** What differs for each viewer. */
export const frameHead = (number: number, missed: number): string => `{"kind":"frame","number":${number},"missed":${missed},`;

/** What follows. */
export function frameRest({ at_ms, reports, silent, replication, slots }: FrameParts): string {
  const shards = reports.map((report) => `{"shard":${report.shard},"at_ms":${report.at_ms},"telemetry":${report.text}}`);
  const more = replication === undefined ? '' : `,"replication":${JSON.stringify(replication)}`;
  return `"at_ms":${at_ms},"shards":[${shards.join(',')}],"silent":[${silent.join(',')}]${more},"slots":${JSON.stringify(slots)}}`;
}
