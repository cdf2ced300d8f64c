// LogFollower: a standby's copy of a shard. It restores the newest sealed checkpoint, and then each entry as the owner appends it, into a
// core that has not started. When the standby takes the shard over, it goes on to follow while `takeOver` shuts the owner out of both streams
// (start.ts). So it gets its own first messages there as it got all others, and gives the log, which continues at this gateway.
//
// What it follows may be removed before it was read, after a long silence for instance. Then it begins anew, with the checkpoint that made
// the removed entries needless. So it does where a stream is damaged: the take-over would find the damage, too, and say so.
import type { Environment } from '@claret/client';
import { pause } from '../../store/environment.ts';
import type { ShardHost } from '../../store/shard-host.ts';
import { LogDamaged } from '../log.ts';
import type { CommonLogOptions, KeptPiece, OpenedLog } from '../log.ts';
import { unlessStopped } from './asking.ts';
import type { Nats } from './connection.ts';
import { namesOf } from './names.ts';
import type { SealBody } from './bodies.ts';
import type { Mirror } from './mirror.ts';
import type { StreamNames } from './names.ts';
import { openingOf } from './open-jetstream-log.ts';
import type { LogOnNatsOptions, Opening } from './open-jetstream-log.ts';
import { Reading } from './reading.ts';
import { beginStart, newestSeal } from './start.ts';
import { findStreams, streamInfo } from './streams.ts';

/** Its host takes what the log holds, in order: the checkpoint, then the entries. */
export interface RestoredShard {
  readonly host: Pick<ShardHost, 'restoreCheckpoint' | 'restore'>;
}

export interface LogFollowerOptions<T extends RestoredShard> {
  environment: Environment;
  /** Connects to the servers. Throws LogRefused. */
  connect(): Promise<Nats>;
  replicas: number;
  clusterName: string;
  shard: number;
  shards: number;
  /** an empty copy of the checkpoint, for each time that the follower begins anew */
  createMirror(): Promise<Mirror>;
  /** a shard that has not started, for each time that the follower begins anew */
  createShard(): T;
  /** The follower cannot go on, and why: it tries again, or begins anew. */
  onInterrupted(why: Error): void;
}

export type TakeOverOptions = Omit<CommonLogOptions, 'clusterName' | 'shard' | 'shards'> &
  Pick<LogOnNatsOptions, 'rebaseBytesLeast'> & {
    /** the id of the log that this shard is known to have */
    knownId: string | undefined;
  };

/** Entries that were left to read, and their bytes. */
interface Rest {
  entries: number;
  bytes: number;
}

/** A shard that holds everything that its log does. */
export interface TakenOver<T extends RestoredShard> extends Rest {
  shard: T;
  opened: Omit<OpenedLog, 'kept'>;
}

const AGAIN_MS = 500;
/** limit on the wait for the own first messages, before they are read in another way */
const FOLLOWED_WITHIN_MS = 100;
const REST_AGAIN_MS = 100;
const REST_WITHIN_MS = 30_000;
/** the event loop gets a turn after this time */
const SLICE_MS = 10;

interface Followed<T> {
  shard: T;
  reading: Reading;
  /** the checkpoint is restored, so entries may follow */
  hasCheckpoint: boolean;
  /** the shard refused a piece, and cannot be used any more */
  isBroken: boolean;
}

export class LogFollower<T extends RestoredShard> {
  readonly #options: LogFollowerOptions<T>;
  readonly #names: StreamNames;
  #nats: Nats | undefined;
  #stopping = new AbortController();
  #running: Promise<void> | undefined;
  #followed: Followed<T> | undefined;
  #isReady = false;

  constructor(options: LogFollowerOptions<T>) {
    this.#options = options;
    this.#names = namesOf(options.clusterName, options.shard);
  }

  start(): void {
    this.#running ??= this.#run();
  }

  /** The last entry that was restored; 0: none. */
  get position(): number {
    return this.#followed?.reading.position ?? 0;
  }

  /** It has reached the end of the log once since it began. */
  get isReady(): boolean {
    return this.#isReady;
  }

  /**
   * The shard, restored up to the last entry that an earlier owner can have written, and its log, which takes appends. Undefined if there is
   * nothing yet to take over: the log has to be opened as at any start. Throws LogRefused, LogDamaged; the follower cannot be used again in
   * any case.
   */
  async takeOver(options: TakeOverOptions): Promise<TakenOver<T> | undefined> {
    const [nats, followed] = [this.#nats, this.#followed];
    if (nats === undefined || !followed?.hasCheckpoint) {
      await this.close();
      return undefined;
    }
    try {
      return await this.#takeOver(nats, followed, options);
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  async #takeOver(nats: Nats, followed: Followed<T>, options: TakeOverOptions): Promise<TakenOver<T>> {
    const { replicas, shard, shards, environment } = this.#options;
    const { incarnation, knownId } = options;
    const names = this.#names;
    const [begun, streams] = await Promise.all([
      beginStart({ nats, names, writer: { shard, shards, incarnation }, knownId }),
      findStreams(nats, names, replicas, false),
    ]);
    const opening = openingOf({ ...options, shard, shards }, { nats, names, streams, begun });
    const untilMs = environment.monotonicMs() + FOLLOWED_WITHIN_MS;
    while (!followed.reading.hasReached(begun) && environment.monotonicMs() < untilMs) await pause(environment, 1);
    await this.#stop();
    const { current, ...rest } = await this.#complete(nats, followed, opening);
    opening.complete(current.reading);
    return { shard: current.shard, opened: opening.opened, ...rest };
  }

  /** Reads what is left. If what was yet to be read has been removed, it begins anew, with the checkpoint that made it needless. */
  async #complete(nats: Nats, followed: Followed<T>, opening: Opening): Promise<Rest & { current: Followed<T> }> {
    if (this.#followed === followed) {
      try {
        return { current: followed, ...(await this.#readRest(followed, opening)) };
      } catch (error) {
        if (!isFinal(followed, error)) throw error;
        this.#options.onInterrupted(error as Error);
      }
    }
    await this.#forget();
    const current = (this.#followed = await this.#beginWith(nats, opening.begun.seal));
    return { current, ...(await this.#readRest(current, opening)) };
  }

  /** What the follower did not get in time. A leader that died with the owner delivers nothing for a while. */
  async #readRest(followed: Followed<T>, { begun }: Opening): Promise<Rest> {
    const { environment } = this.#options;
    const rest = { entries: 0, bytes: 0 };
    for (const giveUpMs = environment.monotonicMs() + REST_WITHIN_MS; ;) {
      try {
        await followed.reading.readParts(begun.parts.sequence);
        if (!followed.hasCheckpoint) await this.#restoreCheckpoint(followed);
        for await (const { entries, count } of followed.reading.readEntries(begun.log.sequence)) {
          restore(followed, entries);
          rest.entries += count;
          rest.bytes += entries.length;
        }
        return rest;
      } catch (error) {
        if (isFinal(followed, error) || environment.monotonicMs() > giveUpMs) throw error;
        await pause(environment, REST_AGAIN_MS);
      }
    }
  }

  /** Follows no longer. */
  async close(): Promise<void> {
    await this.#stop();
    await this.#forget();
    await this.#nats?.connection.close();
    this.#nats = undefined;
  }

  async #stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #forget(): Promise<void> {
    const { reading } = this.#followed ?? {};
    this.#followed = undefined;
    this.#isReady = false;
    await reading?.mirror.close().catch(() => {});
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        const nats = (this.#nats ??= await this.#options.connect());
        this.#followed ??= await this.#begin(nats);
        if (this.#followed !== undefined) await this.#follow(nats, this.#followed, signal);
      } catch (error) {
        if (signal.aborted) return;
        this.#options.onInterrupted(error as Error);
        if (this.#followed === undefined || isFinal(this.#followed, error)) await this.#forget();
      }
      if (!signal.aborted) await pauseUnlessStopped(this.#options.environment, AGAIN_MS, signal);
    }
  }

  /** Undefined if the shard has no log yet. */
  async #begin(nats: Nats): Promise<Followed<T> | undefined> {
    const ends = await endsOf(nats, this.#names);
    if (ends.log === 0 || ends.parts === 0) return undefined;
    return this.#beginWith(nats, await newestSeal(nats, this.#names));
  }

  async #beginWith(nats: Nats, seal: SealBody | undefined): Promise<Followed<T>> {
    const { shard, shards, createMirror, createShard } = this.#options;
    const reading = await Reading.begin({ nats, names: this.#names, own: { shard, shards }, createMirror, seal });
    return { shard: createShard(), reading, hasCheckpoint: false, isBroken: false };
  }

  /** Returns when it is stopped. */
  async #follow(nats: Nats, followed: Followed<T>, signal: AbortSignal): Promise<void> {
    const { reading } = followed;
    const ends = await unlessStopped(endsOf(nats, this.#names), signal);
    await reading.readParts(ends.parts, signal);
    if (!followed.hasCheckpoint) await this.#restoreCheckpoint(followed, signal);
    await this.#feed(followed, ends.log, signal);
    if (signal.aborted) return;
    this.#isReady = true;
    const otherEnded = new AbortController();
    const either = AbortSignal.any([signal, otherEnded.signal]);
    const both = [reading.readParts(Infinity, either), this.#feed(followed, Infinity, either)];
    const ended = await Promise.allSettled(both.map((one) => one.finally(() => otherEnded.abort())));
    for (const one of ended) if (one.status === 'rejected') throw one.reason;
  }

  async #restoreCheckpoint(followed: Followed<T>, signal?: AbortSignal): Promise<void> {
    followed.isBroken = true; // until the whole checkpoint is there
    await this.#inSlices(followed.reading.checkpoint(), signal, (piece) => {
      if ('checkpoint' in piece) followed.shard.host.restoreCheckpoint(piece.checkpoint);
    });
    if (signal?.aborted === true) return;
    followed.isBroken = false;
    followed.hasCheckpoint = true;
  }

  #feed(followed: Followed<T>, upTo: number, signal: AbortSignal): Promise<void> {
    return this.#inSlices(followed.reading.readEntries(upTo, signal), signal, ({ entries }) => restore(followed, entries));
  }

  /** Gives the pieces to `take`, with a turn of the event loop from time to time. */
  async #inSlices<P extends KeptPiece>(pieces: AsyncIterable<P>, signal: AbortSignal | undefined, take: (piece: P) => void): Promise<void> {
    const { environment } = this.#options;
    let sliceBeganMs = environment.monotonicMs();
    for await (const piece of pieces) {
      take(piece);
      if (signal?.aborted === true) return;
      if (environment.monotonicMs() - sliceBeganMs < SLICE_MS) continue;
      await new Promise<void>((resolve) => environment.setImmediate(resolve));
      sliceBeganMs = environment.monotonicMs();
    }
  }
}

function restore(followed: Followed<RestoredShard>, entries: Uint8Array): void {
  try {
    followed.shard.host.restore(entries);
  } catch (error) {
    followed.isBroken = true;
    throw error;
  }
}

/** Nothing can be read behind it: the follower has to begin anew. */
const isFinal = ({ isBroken }: Followed<RestoredShard>, error: unknown): boolean => isBroken || error instanceof LogDamaged;

/** The last messages of both streams; 0: there is none yet. */
async function endsOf(nats: Nats, names: StreamNames): Promise<{ log: number; parts: number }> {
  const endOf = async (stream: string) => (await streamInfo(nats, stream))?.state.last_seq ?? 0;
  const [log, parts] = await Promise.all([endOf(names.log.stream), endOf(names.checkpoint.stream)]);
  return { log, parts };
}

const pauseUnlessStopped = (environment: Environment, ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const over = () => {
      environment.clearTimeout(timer);
      signal.removeEventListener('abort', over);
      resolve();
    };
    const timer = environment.setTimeout(over, ms);
    signal.addEventListener('abort', over);
  });
