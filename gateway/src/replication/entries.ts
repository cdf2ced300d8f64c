// Entries: small texts under keys, each of which is replaced only as of the revision that the writer has seen (compare-and-set). NATS holds
// them for the gateways of a cluster (kv-entries.ts). Revisions grow with each change.
export interface Entry {
  value: string;
  /** > 0 */
  revision: number;
}

/** The entries of a cluster. Implemented once, since the simulation of a cluster has them without NATS. */
export interface ClusterEntries {
  /** The newest value, as the leader of the servers knows it; undefined: there is none. Throws if there is no answer. */
  get(key: string): Promise<Entry | undefined>;
  /**
   * Replaces the value of the revision `after`, 0 for none. Resolves with the new revision; undefined: the entry has another revision. Throws
   * if there is no answer: the value may have been replaced, or may be later.
   */
  replace(key: string, value: string, after: number): Promise<number | undefined>;
  /** Sets the value whatever it was. Throws without an answer. */
  set(key: string, value: string): Promise<void>;
  remove(key: string): Promise<void>;
  /** Calls `listener` with each entry, now and whenever it changes, until `close`; undefined: it was removed. */
  follow(listener: (key: string, entry: Entry | undefined) => void): void;
  close(): Promise<void>;
}

export type Entries = Pick<ClusterEntries, 'get' | 'replace'>;
