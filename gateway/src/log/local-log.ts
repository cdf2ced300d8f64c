// LocalLog: a log on this machine's disk (store.ts).
//
// One write is in flight at a time. Everything that arrives meanwhile forms the next write, which starts before the callbacks of the last
// one run. Under `sync` each write is synced before its callbacks run. Under `async` entries are reported as durable at once, gathered for
// some milliseconds and synced once a second; checkpoints are handled as under `sync`. If the disk falls behind, entries wait as under
// `sync`: this backpressure bounds the memory of waiting entries.
//
// A full disk: LevelDB accepts no writes after an error, and may have written a part of the batch. The store is closed, reopened without
// that part, and the whole write is repeated under the same keys until there is space. A failed sync: the state of the disk is unknown, so
// the log stops for good and reports nothing as durable any more.
import { checkLogs, cutStore } from './check-store.ts';
import { EntriesBytes } from './entries-bytes.ts';
import { NO_HASH } from './segment.ts';
import type { LogEndFile } from './log-end.ts';
import type { KeptPiece, Log, LogOptions } from './log.ts';
import { readKept } from './read-kept.ts';
import {
  SEGMENTS_FROM,
  SEGMENTS_TO,
  MARKER_KEY,
  SEAL_KEY,
  decodeMarker,
  encodeMarker,
  encodeSeal,
  segmentKey,
  isFull,
  openStore,
  storeDir,
  storeError,
} from './store.ts';
import type { Seal, Store, StoreOperation } from './store.ts';
import { Synced } from './synced.ts';
import type { Tail } from './tail.ts';
import { addSegments, addPairs, sealAt } from './write-operations.ts';

/** approximate size of one write; the bytes of one call are never split */
const WRITE_BYTES = 4 << 20;
/** segments that are removed with one write */
const TRIM_SEGMENTS = 512;
/** the store is compacted once this many bytes have been removed */
const COMPACT_BYTES = 8 << 20;
const SYNC_MS = 1000;
/** Under `async` no reply waits for a write, and a write costs the shard's thread as much as some transactions, so writes are gathered. */
const GATHER_MS = 5;
/** under `async`: with more bytes than this not yet written, entries wait */
const BEHIND_BYTES_MAX = 16 << 20;
const RETRY_MS = 500;
/** limit on waiting bytes while the disk is full; not reached in practice, since the shard refuses changes then */
const WAITING_BYTES_MAX = 256 << 20;

const NOTHING = new Uint8Array(0);
const NO_TAIL: Tail = { last: 0, hash: NO_HASH };

/** A snapshot is queued like a write, so that it contains everything before it and nothing after it. */
type Item =
  | { kind: 'snapshot'; bytes: Uint8Array; resolve: (snapshot: Snapshot) => void; reject: (error: Error) => void }
  | { kind: 'entries'; bytes: Uint8Array; position: number; done: (position: number) => void }
  | { kind: 'pairs'; bytes: Uint8Array; done: () => void }
  | { kind: 'seal'; bytes: Uint8Array; position: number; done: () => void };

interface Write {
  number: number;
  operations: StoreOperation[];
  items: Item[];
  bytes: number;
  sync: boolean;
  /** the log's tail after this write */
  tail: Tail;
  seal: Seal | undefined;
}

export interface LocalLogDependencies {
  store: Store;
  /** number of the last write; all writes up to it are on disk */
  write: number;
  seal: Seal;
  /** bytes on the disk that a compaction can free */
  garbageBytes: number;
  /** Called once, when the log is closed. `reached`: the last position; undefined if not everything was written. */
  release: (reached: number | undefined) => Promise<void>;
}

type Snapshot = ReturnType<Store['snapshot']>;
type Options = Pick<LogOptions, 'dir' | 'shard' | 'shards' | 'incarnation' | 'durability' | 'onTrouble' | 'onWrite'>;

export class LocalLog implements Log {
  readonly #options: Options;
  readonly #release: LocalLogDependencies['release'];
  #synced: Synced;
  #endFile: LogEndFile | undefined;
  readonly #bytes = new EntriesBytes();
  #store: Store;
  #lastWrite: number;
  #seal: Seal;
  /** undefined until the log's contents have been read */
  #tail: Tail | undefined;
  #appended = 0;
  #items: Item[] = [];
  #waitingBytes = 0;
  /** under `async`: number of appends that wait because the disk is behind */
  #behind = 0;
  /** key range of the segments that can be removed */
  #trim: { after: Uint8Array; upTo: Uint8Array } | undefined;
  #garbageBytes: number;
  #compaction: Promise<void> | undefined;
  #work: Promise<void> | undefined;
  #syncDue = false;
  #syncTimer: NodeJS.Timeout | undefined;
  #gathering: NodeJS.Timeout | undefined;
  #full = false;
  #failed = false;
  #closing = false;
  #stopWaiting: () => void = () => {};

  constructor(options: Options, { store, write, seal, garbageBytes, release }: LocalLogDependencies) {
    this.#options = options;
    this.#store = store;
    this.#lastWrite = write;
    this.#seal = seal;
    this.#garbageBytes = garbageBytes;
    this.#release = release;
    this.#synced = new Synced({ number: write, tail: NO_TAIL });
  }

  /** Called once the contents have been read: appends are accepted from now on. `endFile` already names `tail`. */
  begin(tail: Tail, endFile: LogEndFile | undefined): void {
    this.#tail = tail;
    this.#endFile = endFile;
    this.#synced = new Synced({ number: this.#lastWrite, tail });
    this.#appended = tail.last;
    this.#trimUpTo(this.#seal.last);
    this.#pump();
  }

  /** Counts entries that are read at the start towards `replayBytes`. */
  count(position: number, bytes: number): void {
    this.#bytes.add(position, bytes);
  }

  get replayBytes(): number {
    return this.#bytes.total;
  }

  get safePosition(): number {
    return this.#synced.write.tail.last;
  }

  get unstored(): number {
    return this.#tail === undefined ? 0 : this.#appended - this.#tail.last;
  }

  get inFlight(): number {
    return this.#work === undefined ? 0 : 1;
  }

  append(bytes: Uint8Array, position: number, durable: (position: number) => void): void {
    this.#mustHaveBegun();
    if (position <= this.#appended) throw new Error(`entry ${position} is appended after entry ${this.#appended}`);
    this.#appended = position;
    this.#bytes.add(position, bytes.length);
    const isAsync = this.#options.durability === 'async';
    const countsAtOnce = isAsync && this.#behind === 0 && this.#waitingBytes < BEHIND_BYTES_MAX;
    this.#push({ kind: 'entries', bytes, position, done: countsAtOnce ? () => {} : isAsync ? this.#whenCaughtUp(durable) : durable });
    if (countsAtOnce && !this.#failed) durable(position);
  }

  #whenCaughtUp(durable: (position: number) => void): (position: number) => void {
    this.#behind++;
    return (position) => {
      this.#behind--;
      durable(position);
    };
  }

  keep(bytes: Uint8Array, kept: () => void): void {
    this.#mustHaveBegun();
    this.#push({ kind: 'pairs', bytes, done: kept });
  }

  seal(bytes: Uint8Array, position: number, sealed: () => void): void {
    this.#mustHaveBegun();
    // An empty log continues from the position of its first checkpoint.
    if (this.#appended === 0) this.#appended = position;
    if (position > this.#appended) throw new Error(`a checkpoint up to entry ${position}, of a log that ends at ${this.#appended}`);
    this.#push({ kind: 'seal', bytes, position, done: sealed });
  }

  snapshot(position: number): AsyncIterable<KeptPiece> {
    const taken = new Promise<Snapshot>((resolve, reject) => {
      if (this.#failed || this.#closing) reject(new Error('the log has stopped'));
      else this.#push({ kind: 'snapshot', bytes: NOTHING, resolve, reject });
    });
    taken.catch(() => {}); // reported to the reader
    const reading = this.#readSnapshot(position, taken);
    let begun = false;
    const pieces: AsyncIterator<KeptPiece> = {
      next: () => {
        begun = true;
        return reading.next();
      },
      // `return` on a generator that has not started does not run its `finally`, so the snapshot is closed here.
      return: async () => {
        if (!begun)
          await taken.then(
            (snapshot) => snapshot.close(),
            () => {},
          );
        return reading.return(undefined);
      },
    };
    return { [Symbol.asyncIterator]: () => pieces };
  }

  async *#readSnapshot(position: number, taken: Promise<Snapshot>): AsyncGenerator<KeptPiece> {
    const snapshot = await taken;
    yield* readKept(this.#store, { dir: this.#options.dir, snapshot, upTo: position, own: this.#options });
  }

  async close(): Promise<void> {
    this.#closing = true;
    clearTimeout(this.#syncTimer);
    clearTimeout(this.#gathering);
    this.#stopWaiting();
    this.#syncDue = this.#options.durability === 'async' && this.#tail !== undefined;
    this.#pump();
    while (this.#work !== undefined) await this.#work;
    await this.#compaction;
    const whole = this.#tail !== undefined && this.#items.length === 0 && !this.#failed && !this.#full;
    this.#dropSnapshots('the log is closed');
    await this.#store.close().catch(() => {});
    this.#endFile?.close();
    await this.#release(whole ? this.#tail!.last : undefined);
  }

  #dropSnapshots(why: string): void {
    for (const item of this.#items) if (item.kind === 'snapshot') item.reject(new Error(why));
    this.#items = this.#items.filter(({ kind }) => kind !== 'snapshot');
  }

  #mustHaveBegun(): void {
    if (this.#tail === undefined) throw new Error('what the log keeps has not been read');
    if (this.#closing) throw new Error('the log is closed');
  }

  #push(item: Item): void {
    if (this.#failed) return;
    this.#items.push(item);
    this.#waitingBytes += item.bytes.length;
    if (this.#waitingBytes > WAITING_BYTES_MAX && this.#full) this.#fail(`more than ${WAITING_BYTES_MAX} bytes wait for space on the disk`);
    this.#pump();
  }

  #pump(): void {
    if (this.#tail === undefined || this.#failed || this.#work !== undefined) return;
    if (this.#isGathering()) {
      this.#gathering ??= setTimeout(() => {
        this.#gathering = undefined;
        this.#startWriting();
      }, GATHER_MS);
    } else {
      this.#startWriting();
    }
  }

  /** Under `async`, writing waits GATHER_MS for more as long as only entries, and few, are queued. */
  #isGathering(): boolean {
    const isPatient = this.#options.durability === 'async' && !this.#closing && !this.#syncDue && this.#waitingBytes < WRITE_BYTES;
    return isPatient && this.#items.length > 0 && this.#items.every(({ kind }) => kind === 'entries');
  }

  #startWriting(): void {
    if (this.#failed || this.#work !== undefined) return;
    this.#work = this.#write().then((goOn) => {
      this.#work = undefined;
      if (goOn && (this.#items.length > 0 || this.#syncDue)) this.#pump(); // queued after the last look
    });
  }

  /** Writes until the queue is empty (true), or writing is not possible (false). */
  async #write(): Promise<boolean> {
    try {
      for (let before: Write | undefined; ;) {
        // The next write starts, on another thread, before the callbacks of the previous one run.
        const writing = before !== undefined && this.#isGathering() ? undefined : this.#writeNext();
        try {
          if (before !== undefined) runCallbacks(before);
        } finally {
          before = await writing;
        }
        if (before === undefined) return !this.#failed && !this.#full;
      }
    } catch (error) {
      this.#fail(storeError(error));
      return false;
    }
  }

  // ---- Composing a write

  /** Undefined if there is nothing to write, or writing failed. A write of entries alone has started when the call returns. */
  async #writeNext(): Promise<Write | undefined> {
    const items = this.#takeItems();
    const trimmed = this.#trim === undefined || this.#closing ? [] : await this.#segmentsToTrim(this.#trim);
    if (items.length === 0 && trimmed.length === 0 && !this.#syncDue) return undefined;
    const write = this.#writeOf(items);
    for (const item of items) {
      if (item.kind === 'pairs' || item.kind === 'seal') await addPairs(item.bytes, this.#store, write.operations);
      if (item.kind === 'seal') await this.#addSeal(item.position, write);
    }
    for (const key of trimmed) write.operations.push({ type: 'del', key });
    if (!(await this.#persist(write))) return undefined;
    this.#written(write);
    return write;
  }

  /** The next write, with its marker and the items' entries. */
  #writeOf(items: Item[]): Write {
    const number = this.#lastWrite + 1;
    const operations: StoreOperation[] = [
      { type: 'put', key: MARKER_KEY, value: encodeMarker({ write: number, synced: this.#synced.write.number }) },
    ];
    const tail = addSegments(
      items.filter((item) => item.kind === 'entries'),
      { ...this.#options, tail: this.#tail! },
      operations,
    );
    const sync = this.#options.durability === 'sync' || this.#syncDue || items.some(({ kind }) => kind === 'pairs' || kind === 'seal');
    return { number, operations, items, bytes: items.reduce((sum, item) => sum + item.bytes.length, 0), sync, tail, seal: undefined };
  }

  async #addSeal(position: number, write: Write): Promise<void> {
    if (write.tail.last === 0) write.tail = { last: position, hash: NO_HASH };
    write.seal = await sealAt(position, this.#store, { seal: this.#seal, tail: write.tail });
    write.operations.push({ type: 'put', key: SEAL_KEY, value: encodeSeal(write.seal) });
  }

  /** A seal is always in a separate write: it reads the segments before it from the store. */
  #takeItems(): Item[] {
    let bytes = 0;
    let count = 0;
    for (const item of this.#items) {
      if (count > 0 && (item.kind === 'seal' || bytes + item.bytes.length > WRITE_BYTES)) break;
      bytes += item.bytes.length;
      count++;
      if (item.kind === 'seal' || item.kind === 'snapshot') break;
    }
    return this.#items.splice(0, count);
  }

  // ---- Removing segments

  #trimUpTo(last: number): void {
    if (last > 0) this.#trim = { after: this.#trim?.after ?? SEGMENTS_FROM, upTo: segmentKey(last) };
  }

  /** Keys of the next segments to remove. After the last one, a compaction frees their disk space. */
  async #segmentsToTrim(trim: { after: Uint8Array; upTo: Uint8Array }): Promise<Uint8Array[]> {
    const keys = await this.#store.keys({ gt: trim.after, lte: trim.upTo, limit: TRIM_SEGMENTS }).all();
    if (keys.length > 0) trim.after = keys.at(-1)!;
    else {
      this.#trim = undefined;
      this.#compact();
    }
    return keys;
  }

  /** LevelDB frees the disk space of removed keys only when it merges the tables that contain them. */
  #compact(): void {
    if (this.#compaction !== undefined || this.#garbageBytes < COMPACT_BYTES) return;
    this.#garbageBytes = 0;
    this.#compaction = this.#store
      .compactRange(SEGMENTS_FROM, SEGMENTS_TO)
      .catch(() => {}) // the next write fails with the same error
      .finally(() => (this.#compaction = undefined));
  }

  // ---- Writing

  /** False if the write was not and will not be made. */
  async #persist(write: Write): Promise<boolean> {
    for (let again = false; !this.#failed; again = true) {
      try {
        if (again) await this.#reopen();
        const startMs = performance.now();
        await this.#store.batch(write.operations, { sync: write.sync });
        if (write.sync) this.#options.onWrite?.(performance.now() - startMs, write.bytes);
        if (this.#full) this.#options.onTrouble(null);
        this.#full = false;
        return true;
      } catch (error) {
        const why = storeError(error);
        if (isFull(why)) await this.#waitForSpace(why);
        else this.#fail(why);
        if (this.#closing) break;
      }
    }
    this.#items.unshift(...write.items);
    this.#dropSnapshots('the log has stopped');
    return false;
  }

  async #waitForSpace(why: string): Promise<void> {
    if (!this.#full) this.#options.onTrouble({ kind: 'full', message: why });
    this.#full = true;
    if (this.#closing) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, RETRY_MS);
      this.#stopWaiting = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  async #reopen(): Promise<void> {
    await this.#compaction;
    await this.#store.close();
    const dir = storeDir(this.#options.dir);
    // LevelDB silently skips data that it cannot read, even if it was durable, so the files are checked first.
    const end = await checkLogs(dir, { position: 0, closed: false, write: 0 }, undefined);
    if (end?.damaged === true) throw new Error(`${end.file}, offset ${end.at}: ${end.what}`);
    if (end !== undefined) await cutStore(dir, end);
    this.#store = await openStore(dir);
    const marker = await this.#store.get(MARKER_KEY);
    const found = marker === undefined ? 0 : (decodeMarker(marker)?.write ?? 0);
    if (found < this.#lastWrite) throw new Error(`the log ends at write ${found}, where ${this.#lastWrite} had been made`);
  }

  #written({ number, items, sync, bytes, tail, seal }: Write): void {
    this.#lastWrite = number;
    this.#tail = tail;
    this.#waitingBytes -= bytes;
    if (sync) {
      const more = this.#synced.reached({ number, tail }, this.#options.durability);
      if (more) this.#endFile?.note(this.#synced.write.number, this.#synced.write.tail);
      this.#syncDue = false;
    } else if (this.#syncTimer === undefined && !this.#closing) {
      this.#syncTimer = setTimeout(() => this.#sync(), SYNC_MS);
    }
    if (seal !== undefined) {
      this.#seal = seal;
      this.#garbageBytes += this.#bytes.drop(seal.position);
      this.#trimUpTo(seal.last);
    }
    for (const item of items) if (item.kind === 'snapshot') item.resolve(this.#store.snapshot());
  }

  #sync(): void {
    this.#syncTimer = undefined;
    this.#syncDue = true;
    this.#pump();
  }

  #fail(message: string): void {
    if (this.#failed) return;
    this.#failed = true;
    clearTimeout(this.#syncTimer);
    this.#stopWaiting();
    this.#options.onTrouble({ kind: 'failed', code: 'write_failed', message });
  }
}

function runCallbacks({ items }: Write): void {
  for (const item of items) {
    if (item.kind === 'entries') item.done(item.position);
    else if (item.kind !== 'snapshot') item.done();
  }
}
