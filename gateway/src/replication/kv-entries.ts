// The entries of a cluster in a bucket of NATS KV, on the servers of its logs. Reads go to the leader of the bucket's stream: a replica that
// lags behind is never asked.
import { JetStreamApiCodes, JetStreamApiError, PersistMode, StorageType } from '@nats-io/jetstream';
import { Kvm } from '@nats-io/kv';
import type { KV } from '@nats-io/kv';
import { LogRefused } from '../log/log.ts';
import { ANSWER_MS, connectNats } from '../log/jetstream/connection.ts';
import type { Nats, NatsAccess } from '../log/jetstream/connection.ts';
import { insisting } from '../log/jetstream/streams.ts';
import type { ClusterEntries, Entry } from './entries.ts';

const FOLLOW_AGAIN_MS = 500;

export interface KvEntriesOptions {
  access: NatsAccess;
  clusterName: string;
  replicas: number;
  /** shown to operators */
  name: string;
}

export class KvEntries implements ClusterEntries {
  readonly #nats: Nats;
  readonly #kv: KV;
  readonly #closing = new AbortController();

  private constructor(nats: Nats, kv: KV) {
    this.#nats = nats;
    this.#kv = kv;
  }

  /** Creates the bucket if there is none. Throws LogRefused. */
  static async open({ access, clusterName, replicas, name }: KvEntriesOptions): Promise<KvEntries> {
    const nats = await connectNats(access, name);
    try {
      const bucket = `claret-${clusterName}`;
      const options = { replicas, storage: StorageType.File, history: 1, allow_direct: false };
      const kv = await insisting(nats, `KV_${bucket}`, () => new Kvm(nats.js).create(bucket, options));
      const { config } = (await insisting(nats, `KV_${bucket}`, () => kv.status())).streamInfo;
      const { num_replicas: found, storage, allow_direct: direct = false, persist_mode: mode = PersistMode.Default } = config;
      if (found !== replicas || storage !== StorageType.File || direct || mode !== PersistMode.Default)
        throw new LogRefused(
          `the stream KV_${bucket} is not configured as the entries of a cluster have to be: num_replicas ${replicas}, storage file, allow_direct off. Correct it, and start again`,
        );
      return new KvEntries(nats, kv);
    } catch (error) {
      await nats.connection.close();
      throw error;
    }
  }

  async get(key: string): Promise<Entry | undefined> {
    const found = await this.#kv.get(key);
    return found === null || found.operation !== 'PUT' ? undefined : { value: found.string(), revision: found.revision };
  }

  async replace(key: string, value: string, after: number): Promise<number | undefined> {
    try {
      return await this.#kv.put(key, value, { previousSeq: after, timeout: ANSWER_MS });
    } catch (error) {
      if (error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamWrongLastSequence) return undefined;
      throw error;
    }
  }

  async set(key: string, value: string): Promise<void> {
    await this.#kv.put(key, value);
  }

  follow(listener: (key: string, entry: Entry | undefined) => void): void {
    void this.#follow(listener);
  }

  async #follow(listener: (key: string, entry: Entry | undefined) => void): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      try {
        const watch = await this.#kv.watch();
        const stop = () => watch.stop();
        signal.addEventListener('abort', stop, { once: true });
        if (signal.aborted) stop();
        for await (const entry of watch)
          listener(entry.key, entry.operation === 'PUT' ? { value: entry.string(), revision: entry.revision } : undefined);
        signal.removeEventListener('abort', stop);
      } catch {
        // the servers are away
      }
      if (!signal.aborted) await new Promise((resolve) => setTimeout(resolve, FOLLOW_AGAIN_MS).unref());
    }
  }

  async remove(key: string): Promise<void> {
    await this.#kv.delete(key);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#nats.connection.close();
  }
}
