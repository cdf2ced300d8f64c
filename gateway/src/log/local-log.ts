// LocalLog: a log on this machine's disk (store.ts).
//
// One write at a time: what came while the last one was under way is the next, which is on its way before that one is told.
// Under `sync` each is synced, and only then told; under `async` entries count at once: they are gathered for some milliseconds,
// and synced once a second; checkpoints as under `sync`. Where the disk cannot keep up with that, entries wait as under `sync`, so
// that what waits stays bounded: callers wait too.
//
// A full disk is waited for. LevelDB takes nothing more after an error, and may have written a part: the store is closed and
// opened again, without the part, and the same write is made again, whole, under the same keys. What a failed sync has
// left on the disk nobody knows: then the log stops for good, and nothing is called durable any more.
import { checkLogs, cutStore } from './check-store.ts';
import { EntriesBytes } from './entries-bytes.ts';
import { NO_HASH } from './frame.ts';
import type { LogEndFile } from './log-end.ts';
import type { KeptPiece, Log, LogOptions } from './log.ts';
import { readKept } from './read-kept.ts';
import {
  FRAMES_FROM,
  FRAMES_TO,
  MARKER_KEY,
  SEAL_KEY,
  decodeMarker,
  encodeMarker,
  encodeSeal,
  frameKey,
  isFull,
  openStore,
  storeDir,
  storeError,
} from './store.ts';
import type { Seal, Store, StoreOperation } from './store.ts';
import { Synced } from './synced.ts';
import type { Tail } from './tail.ts';
import { addFrames, addPairs, sealAt } from './write-parts.ts';

/** Of all that is in one write: about, since what was given at once stays together. */
const WRITE_BYTES = 4 << 20;
/** Frames that are removed with one write. */
const TRIM_FRAMES = 512;
/** What has been removed is given back to the disk when it is as much as this. */
const COMPACT_BYTES = 8 << 20;
const SYNC_MS = 1000;
/** Under `async`: nobody waits for a write, and each costs the shard's thread as much as some transactions. */
const GATHER_MS = 5;
/** Under `async`: with more than this on its way to the disk, entries wait. */
const BEHIND_BYTES_MAX = 16 << 20;
const RETRY_MS = 500;
/** What may wait while the disk is full; the shard refuses changes then, so it is far from it. */
const WAITING_BYTES_MAX = 256 << 20;

const NOTHING = new Uint8Array(0);
const NO_TAIL: Tail = { last: 0, hash: NO_HASH };

/** A snapshot is one of the things written, so that it holds all before it, and nothing after it. */
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
  /** what the log is once it is written */
  tail: Tail;
  seal: Seal | undefined;
}

export interface LocalLogGround {
  store: Store;
  /** number of the last write; all up to it are on disk */
  write: number;
  seal: Seal;
  /** bytes on the disk that may be given back */
  garbageBytes: number;
  /** Called once, when the log is closed, with the last position, or undefined where not all was written. */
  release: (reached: number | undefined) => Promise<void>;
}

type Snapshot = ReturnType<Store['snapshot']>;
type Options = Pick<LogOptions, 'dir' | 'shard' | 'shards' | 'incarnation' | 'durability' | 'onTrouble' | 'onWrite'>;

export class LocalLog implements Log {
  readonly #options: Options;
  readonly #release: LocalLogGround['release'];
  #synced: Synced;
  #endFile: LogEndFile | undefined;
  readonly #bytes = new EntriesBytes();
  #store: Store;
  #lastWrite: number;
  #seal: Seal;
  /** undefined until what is kept has been read */
  #tail: Tail | undefined;
  #appended = 0;
  #items: Item[] = [];
  #waitingBytes = 0;
  /** under `async`: appends that wait, since the disk is behind */
  #behind = 0;
  /** keys of the frames that may go */
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

  constructor(options: Options, ground: LocalLogGround) {
    this.#options = options;
    this.#store = ground.store;
    this.#lastWrite = ground.write;
    this.#seal = ground.seal;
    this.#garbageBytes = ground.garbageBytes;
    this.#release = ground.release;
    this.#synced = new Synced({ number: ground.write, tail: NO_TAIL });
  }

  /** What is kept, entry by entry, is read; the log goes on there. `endFile` says so already. */
  begin(tail: Tail, endFile: LogEndFile | undefined): void {
    this.#tail = tail;
    this.#endFile = endFile;
    this.#synced = new Synced({ number: this.#lastWrite, tail });
    this.#appended = tail.last;
    this.#trimUpTo(this.#seal.last);
    this.#pump();
  }

  /** While what is kept is read: so many bytes will be replayed. */
  count(position: number, bytes: number): void {
    this.#bytes.add(position, bytes);
  }

  get replayBytes(): number {
    return this.#bytes.total;
  }

  get safePosition(): number {
    return this.#synced.write.tail.last;
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
    // An empty log begins where the checkpoint ends that it is given first.
    if (this.#appended === 0) this.#appended = position;
    if (position > this.#appended) throw new Error(`a checkpoint up to entry ${position}, of a log that ends at ${this.#appended}`);
    this.#push({ kind: 'seal', bytes, position, done: sealed });
  }

  snapshot(position: number): AsyncIterable<KeptPiece> {
    const taken = new Promise<Snapshot>((resolve, reject) => {
      if (this.#failed || this.#closing) reject(new Error('the log has stopped'));
      else this.#push({ kind: 'snapshot', bytes: NOTHING, resolve, reject });
    });
    taken.catch(() => {}); // told where it is read
    const reading = this.#readSnapshot(position, taken);
    let begun = false;
    const pieces: AsyncIterator<KeptPiece> = {
      next: () => {
        begun = true;
        return reading.next();
      },
      // A generator that has not begun ends without a word: what it would have read is let go here.
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
        this.#writeOn();
      }, GATHER_MS);
    } else {
      this.#writeOn();
    }
  }

  /** Entries alone, and few, that nobody waits for. */
  #isGathering(): boolean {
    const isPatient = this.#options.durability === 'async' && !this.#closing && !this.#syncDue && this.#waitingBytes < WRITE_BYTES;
    return isPatient && this.#items.length > 0 && this.#items.every(({ kind }) => kind === 'entries');
  }

  #writeOn(): void {
    if (this.#failed || this.#work !== undefined) return;
    this.#work = this.#write().then((goOn) => {
      this.#work = undefined;
      if (goOn && (this.#items.length > 0 || this.#syncDue)) this.#pump(); // it came while there was nothing
    });
  }

  /** Write after write, until there is nothing more (true) or it does not go on. */
  async #write(): Promise<boolean> {
    try {
      for (let before: Write | undefined; ;) {
        // On its way to the disk, which is another thread's work, while those who wait for the one before are told.
        const writing = before !== undefined && this.#isGathering() ? undefined : this.#writeNext();
        try {
          if (before !== undefined) tell(before);
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

  // ---- What is written next

  /** Undefined where there is nothing to write, or it is not written. Entries alone are on their way when the call returns. */
  async #writeNext(): Promise<Write | undefined> {
    const items = this.#takeItems();
    const trimmed = this.#trim === undefined || this.#closing ? [] : await this.#framesToTrim(this.#trim);
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

  /** With its marker and the items' entries. */
  #writeOf(items: Item[]): Write {
    const number = this.#lastWrite + 1;
    const operations: StoreOperation[] = [
      { type: 'put', key: MARKER_KEY, value: encodeMarker({ write: number, synced: this.#synced.write.number }) },
    ];
    const tail = addFrames(
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

  /** A seal is a write of its own: it looks at the frames before it. */
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

  // ---- What goes

  #trimUpTo(last: number): void {
    if (last > 0) this.#trim = { after: this.#trim?.after ?? FRAMES_FROM, upTo: frameKey(last) };
  }

  /** The next frames to go; when there are no more, the disk gets their space back. */
  async #framesToTrim(trim: { after: Uint8Array; upTo: Uint8Array }): Promise<Uint8Array[]> {
    const keys = await this.#store.keys({ gt: trim.after, lte: trim.upTo, limit: TRIM_FRAMES }).all();
    if (keys.length > 0) trim.after = keys.at(-1)!;
    else {
      this.#trim = undefined;
      this.#compact();
    }
    return keys;
  }

  /** What was removed is gone from the disk when LevelDB has merged the tables that it is in. */
  #compact(): void {
    if (this.#compaction !== undefined || this.#garbageBytes < COMPACT_BYTES) return;
    this.#garbageBytes = 0;
    this.#compaction = this.#store
      .compactRange(FRAMES_FROM, FRAMES_TO)
      .catch(() => {}) // the next write meets what is wrong
      .finally(() => (this.#compaction = undefined));
  }

  // ---- How it is written

  /** False where it will not be. */
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
    // LevelDB passes over what it cannot read in silence, also where it had counted, and goes on behind it.
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
    this.#options.onTrouble({ kind: 'failed', message });
  }
}

function tell({ items }: Write): void {
  for (const item of items) {
    if (item.kind === 'entries') item.done(item.position);
    else if (item.kind !== 'snapshot') item.done();
  }
}
