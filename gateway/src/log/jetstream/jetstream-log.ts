// JetStreamLog: a log on several machines, in two streams of NATS JetStream (docs/wire-format.md, "The log on JetStream"). A message is
// acknowledged when most replicas have it on their disks.
//
// The entries of one turn make up a message, and up to eight messages are under way; what arrives while there is no room makes up the next
// one. Entries and checkpoint pairs are in different streams, so pairs wait until the entries before them are durable, and a seal until all
// pairs are. Entries do not wait for pairs.
//
// Where nothing is acknowledged for some time, the log is unavailable: what was appended waits, and the log recovers by itself. Where
// another writer has appended, this log has stopped for good.
import { EntriesBytes } from '../entries-bytes.ts';
import type { CommonLogOptions, KeptPiece, Log, LogFailure } from '../log.ts';
import { encodeBody } from './bodies.ts';
import type { Lineage, SealBody } from './bodies.ts';
import { Changes } from './changes.ts';
import { CheckpointLane } from './checkpoint-lane.ts';
import type { Sealed } from './checkpoint-lane.ts';
import type { Nats } from './connection.ts';
import { EntriesReader } from './entries-reader.ts';
import { CONNECTION_BROKE, FencedStream } from './fenced-stream.ts';
import { BODY_BYTES, cutEntries, markOf } from './frames.ts';
import type { Tail, Writer } from './frames.ts';
import { Marks } from './marks.ts';
import type { Mirror, MirrorSnapshot } from './mirror.ts';
import type { StreamNames } from './names.ts';
import { readMessages } from './read-messages.ts';

/** Limit on waiting bytes while the log is unavailable; not reached in practice, since the shard refuses changes then. */
const WAITING_BYTES_MAX = 256 << 20;

const NOTHING = (): void => {};

interface Entries {
  bytes: Uint8Array;
  position: number;
  durable: (position: number) => void;
}

export interface JetStreamLogDependencies {
  nats: Nats;
  names: StreamNames;
  writer: Writer;
  /** unique among all starts */
  token: string;
  /** the number of the newest checkpoint, its position, and where the entries after it begin */
  checkpoint: number;
  position: number;
  from: Tail;
}

/** What is known once the contents have been read. */
export interface ReadState {
  lineage: Lineage;
  /** the own first messages */
  log: Tail;
  parts: Tail;
  mirror: Mirror;
  base: Tail;
  baseBytes: number;
  laterBytes: number;
  rebaseBytesLeast?: number | undefined;
}

type Options = Pick<CommonLogOptions, 'onTrouble' | 'onWrite'>;

export class JetStreamLog implements Log {
  readonly #options: Options;
  readonly #own: JetStreamLogDependencies;
  readonly #changes = new Changes();
  readonly #bytes = new EntriesBytes();
  readonly #marks: Marks;
  #begun: (ReadState & { stream: FencedStream; checkpoints: FencedStream; lane: CheckpointLane }) | undefined;
  #waiting: Entries[] = [];
  #waitingBytes = 0;
  #appended = 0;
  #safe = 0;
  #checkpoint: number;
  #position: number;
  #from: Tail;
  /** the first checkpoint of an empty log is being sealed: entries continue from its position */
  #isFilling = false;
  /** reads that need messages which could be removed */
  #readers = 0;
  #silent = new Map<'log' | 'checkpoint', string>();
  #stopped = false;
  #closing = false;

  constructor(options: Options, dependencies: JetStreamLogDependencies) {
    this.#options = options;
    this.#own = dependencies;
    this.#checkpoint = dependencies.checkpoint;
    this.#position = dependencies.position;
    this.#from = dependencies.from;
    this.#marks = new Marks(dependencies.from);
  }

  /** Called once the contents have been read: appends are accepted from now on. */
  begin(state: ReadState): void {
    const stream = this.#open('log', state.log);
    const checkpoints = this.#open('checkpoint', state.parts);
    const lane = new CheckpointLane({
      ...state,
      names: this.#own.names.checkpoint,
      parts: checkpoints,
      changes: this.#changes,
      safePosition: () => this.#safe,
      writeSeal: (sealed, written) => this.#writeSeal(sealed, written),
      onSealed: (sealed) => this.#onSealed(sealed),
      onFailed: (code, message) => this.#fail(code, message),
    });
    this.#begun = { ...state, stream, checkpoints, lane };
    this.#appended = this.#safe = state.log.last;
    this.#own.nats.onReconnected = () => {
      stream.doubt(CONNECTION_BROKE);
      checkpoints.doubt(CONNECTION_BROKE);
    };
  }

  #open(kind: 'log' | 'checkpoint', tail: Tail): FencedStream {
    const { nats, names, writer, token } = this.#own;
    return new FencedStream({
      nats,
      stream: names[kind].stream,
      tail,
      writer,
      token,
      onSilent: (why) => this.#onSilent(kind, why),
      onFailed: (code, message) => this.#fail(code, message),
      onProgress: () => this.#pump(),
      onWrite: (ms, bytes) => this.#options.onWrite?.(ms, bytes),
    });
  }

  /** Counts entries that are read at the start. `place`: the one behind them, if no entry has begun there. */
  count(position: number, bytes: number, place: Tail | undefined): void {
    this.#bytes.add(position, bytes);
    if (place !== undefined) this.#marks.add(place, bytes);
  }

  get replayBytes(): number {
    return this.#bytes.total;
  }

  get safePosition(): number {
    return this.#safe;
  }

  get unstored(): number {
    return this.#appended - this.#safe;
  }

  get inFlight(): number {
    return this.#begun === undefined ? 0 : this.#begun.stream.inFlight + this.#begun.checkpoints.inFlight;
  }

  append(bytes: Uint8Array, position: number, durable: (position: number) => void): void {
    this.#state();
    if (position <= this.#appended) throw new Error(`entry ${position} is appended after entry ${this.#appended}`);
    this.#appended = position;
    this.#bytes.add(position, bytes.length);
    if (this.#stopped) return;
    this.#waiting.push({ bytes, position, durable });
    this.#waitingBytes += bytes.length;
    if (this.#waitingBytes > WAITING_BYTES_MAX && this.#silent.size > 0)
      this.#fail('write_failed', `more than ${WAITING_BYTES_MAX} bytes wait for the log, which is unavailable`);
    this.#pump();
  }

  keep(bytes: Uint8Array, kept: () => void): void {
    this.#state().lane.give({ kind: 'pairs', bytes, after: this.#appended, done: kept });
  }

  seal(bytes: Uint8Array, position: number, sealed: () => void): void {
    const { lane } = this.#state();
    // An empty log continues from the position of its first checkpoint.
    this.#isFilling ||= this.#appended === 0 && position > 0;
    if (this.#isFilling) this.#appended = this.#safe = position;
    if (position > this.#appended) throw new Error(`a checkpoint up to entry ${position}, of a log that ends at ${this.#appended}`);
    lane.give({ kind: 'seal', bytes, after: position, position, done: sealed });
  }

  snapshot(position: number): AsyncIterable<KeptPiece> {
    const { lane } = this.#state();
    const [from, sealed] = [this.#from, this.#position];
    this.#readers++;
    const taken = new Promise<MirrorSnapshot>((resolve, reject) => {
      if (this.#stopped || this.#closing) reject(new Error('the log has stopped'));
      else lane.give({ kind: 'snapshot', after: position, resolve, reject });
    });
    taken.catch(() => {}); // reported to the reader
    const reading = this.#readSnapshot(taken, { from, position: sealed, upTo: position });
    let begun = false;
    const pieces: AsyncIterator<KeptPiece> = {
      next: () => {
        begun = true;
        return reading.next();
      },
      // `return` on a generator that has not started does not run its `finally`.
      return: async () => {
        if (!begun) {
          await taken.then(
            (snapshot) => snapshot.close(),
            () => {},
          );
          this.#released();
        }
        return reading.return(undefined);
      },
    };
    return { [Symbol.asyncIterator]: () => pieces };
  }

  async *#readSnapshot(taken: Promise<MirrorSnapshot>, range: { from: Tail; position: number; upTo: number }): AsyncGenerator<KeptPiece> {
    try {
      const { nats, names, writer } = this.#own;
      yield* (await taken).read();
      const reader = new EntriesReader({ names: names.log, own: writer, ...range });
      if (range.upTo <= range.position) return;
      for await (const message of readMessages(nats, names.log.stream, range.from.sequence, this.#state().stream.tail.sequence)) {
        const piece = reader.take(message);
        if (piece !== undefined) yield piece;
        if (reader.tail.last >= range.upTo) return;
      }
    } finally {
      this.#released();
    }
  }

  #released(): void {
    this.#readers--;
    this.#removeOld();
  }

  async close(): Promise<void> {
    this.#closing = true;
    const begun = this.#begun;
    if (begun !== undefined) {
      begun.lane.close();
      const isWritten = () => this.#waiting.length === 0 && this.inFlight === 0 && begun.lane.isIdle;
      await this.#changes.until(() => this.#stopped || this.#silent.size > 0 || isWritten());
      this.#stop(new Error('the log is closed'));
      await begun.mirror.close().catch(() => {});
    }
    await this.#own.nats.connection.close();
  }

  #state() {
    if (this.#begun === undefined) throw new Error('what the log keeps has not been read');
    if (this.#closing) throw new Error('the log is closed');
    return this.#begun;
  }

  // ---- Entries

  #pump(): void {
    const { stream } = this.#begun ?? {};
    while (stream !== undefined && stream.hasRoom && this.#waiting.length > 0 && !this.#isFilling) this.#send(stream, this.#takeWaiting());
    this.#changes.happened();
  }

  /** The next entries that fit into a message together, or those of one call. */
  #takeWaiting(): Entries[] {
    let bytes = 0;
    let count = 0;
    for (const entries of this.#waiting) {
      if (count > 0 && bytes + entries.bytes.length > BODY_BYTES) break;
      bytes += entries.bytes.length;
      count++;
    }
    this.#waitingBytes -= bytes;
    return this.#waiting.splice(0, count);
  }

  #send(stream: FencedStream, run: Entries[]): void {
    const { position } = run.at(-1)!;
    const done = (): void => {
      this.#safe = position;
      for (const entries of run) entries.durable(entries.position);
    };
    const { entries } = this.#own.names.log;
    const [only] = run;
    const pieces = run.length === 1 ? cutEntries(only!.bytes, stream.tail.last) : [{ last: position, body: run.map(({ bytes }) => bytes) }];
    for (const piece of pieces) {
      stream.append(entries, piece, piece.last === position ? done : NOTHING);
    }
    this.#marks.add(
      stream.tail,
      run.reduce((sum, { bytes }) => sum + bytes.length, 0),
    );
  }

  // ---- Checkpoints

  #writeSeal({ position, base, baseBytes, part }: Sealed, written: () => void): void {
    const { stream, lineage } = this.#begun!;
    if (this.#isFilling) stream.continueAfter(position);
    // No entry comes after the position: nothing up to here is needed.
    const from = position >= stream.tail.last ? stream.tail : this.#marks.before(position);
    const checkpoint = position === this.#position ? this.#checkpoint : this.#checkpoint + 1;
    const seal: SealBody = {
      ...lineage,
      checkpoint,
      position,
      part: part.sequence,
      hash: markOf(part).hash,
      base: markOf(base),
      baseBytes,
      from: markOf(from),
    };
    // Starts look for the newest one: it must not be one that was shut out.
    stream.appendAlone(this.#own.names.log.seal, { last: stream.tail.last, body: [encodeBody(seal)] }, () => {
      this.#checkpoint = checkpoint;
      this.#position = position;
      this.#from = from;
      written();
    });
  }

  #onSealed({ position, base }: Sealed): void {
    this.#isFilling = false;
    this.#bytes.drop(position);
    this.#marks.drop(this.#from);
    this.#begun!.base = base;
    this.#removeOld();
    this.#pump();
  }

  /** Removes the messages before the newest seal's places, in the background. One that fails is made up for by the next. */
  #removeOld(): void {
    const { names, nats } = this.#own;
    if (this.#begun === undefined || this.#readers > 0 || this.#stopped || this.#closing) return;
    const upTo = [
      [names.log.stream, this.#from.sequence],
      [names.checkpoint.stream, this.#begun.base.sequence],
    ] as const;
    for (const [stream, sequence] of upTo) if (sequence > 0) void nats.jsm.streams.purge(stream, { seq: sequence + 1 }).catch(() => {});
  }

  // ---- Trouble

  #onSilent(kind: 'log' | 'checkpoint', why: string | null): void {
    const before = this.#silent.size;
    if (why === null) this.#silent.delete(kind);
    else this.#silent.set(kind, why);
    if (this.#stopped || this.#closing) return this.#changes.happened();
    if (before === 0 && why !== null) this.#options.onTrouble({ kind: 'unavailable', message: why });
    else if (before > 0 && this.#silent.size === 0) this.#options.onTrouble(null);
  }

  #fail(code: LogFailure, message: string): void {
    if (this.#stopped) return;
    this.#stop(new Error('the log has stopped'));
    this.#options.onTrouble({ kind: 'failed', code, message });
  }

  #stop(why: Error): void {
    this.#stopped = true;
    this.#begun?.stream.stop();
    this.#begun?.checkpoints.stop();
    this.#begun?.lane.stop(why);
    this.#changes.happened();
  }
}
