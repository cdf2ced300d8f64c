// The configuration that both streams of a shard must have: nothing expires, nothing is discarded, every acknowledged message is on the
// disks of most replicas. A stream with another configuration could lose entries, so a start on it is refused.
import { DiscardPolicy, PersistMode, RetentionPolicy, StorageType, StoreCompression } from '@nats-io/jetstream';
import type { StreamConfig } from '@nats-io/jetstream';

const MILLISECOND_NS = 1_000_000;
/** How long a server recognizes a message that is sent again. The expected sequence prevents a repetition by itself, for any time. */
const DUPLICATE_WINDOW_MS = 30_000;

export type WantedConfig = Partial<StreamConfig> & { name: string };

export const wantedConfig = (name: string, subjects: string, replicas: number): WantedConfig => ({
  name,
  subjects: [subjects],
  storage: StorageType.File,
  num_replicas: replicas,
  persist_mode: PersistMode.Default, // `async` would acknowledge messages that are on no disk
  retention: RetentionPolicy.Limits,
  max_msgs: -1,
  max_bytes: -1,
  max_age: 0,
  max_msg_size: -1,
  max_msgs_per_subject: -1,
  discard: DiscardPolicy.New,
  duplicate_window: DUPLICATE_WINDOW_MS * MILLISECOND_NS,
  compression: StoreCompression.None,
  allow_direct: false, // answers of replicas that lag behind
  mirror_direct: false,
  allow_rollup_hdrs: false,
  allow_msg_ttl: false,
  no_ack: false,
  sealed: false,
  deny_delete: true, // no single message can be taken out
  deny_purge: false,
});

/** Members that no stream of a log may have. */
const FORBIDDEN = ['mirror', 'sources', 'republish', 'subject_transform', 'allow_msg_counter', 'allow_msg_schedules'] as const;

/** A server leaves out what has its default. */
const DEFAULTS: Partial<StreamConfig> = { persist_mode: PersistMode.Default, compression: StoreCompression.None, max_age: 0 };

/** What is different from the wanted configuration, in words; empty: nothing. */
export function differences(wanted: WantedConfig, found: Partial<StreamConfig>): string[] {
  const compared = (Object.keys(wanted) as (keyof StreamConfig)[]).flatMap((member) => {
    const want = JSON.stringify(wanted[member]);
    const has = JSON.stringify(found[member] ?? DEFAULTS[member] ?? (typeof wanted[member] === 'boolean' ? false : undefined));
    return want === has ? [] : [`${member} is ${has}, and has to be ${want}`];
  });
  const forbidden = FORBIDDEN.filter((member) => isSet(found[member])).map((member) => `${member} is set, and must not be`);
  return [...compared, ...forbidden];
}

const isSet = (value: unknown): boolean => value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0);
