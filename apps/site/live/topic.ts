// A topic: one thing that pages show live, put together from watched records, and encoded once for all who look.
//
// A record that everybody writes changes far more often than a page can show. So a topic looks at its records at most
// every TELL_EVERY_MS, and tells its followers only if what they would be sent has changed. The cost of a viral post is then
// one encoding and one write for each viewer, ten times a second, however fast it is written.
import type { Description } from '@claret/client';

import type { WatchedRecord, WatchedRecords } from './records.ts';
import { frame, type Shown } from './stream.ts';

export const TELL_EVERY_MS = 100;

/** The operation's newest answer; undefined while the store has not given one. The topic is made anew when it changes. */
export type Look = <Value>(operation: Description<Value>) => Value | undefined;

export type TopicOptions<Seen> = {
  event: string;
  /** tells several topics of one event apart */
  key: string;
  /** undefined: not everything is known yet */
  compose: (look: Look) => Seen | undefined;
  /** what followers are sent, beside server_time_ms: an object with members; null: nothing */
  data: (seen: Seen) => object | null;
  /** its last follower has gone */
  onIdle: () => void;
  onError: OnTopicError;
};

/** A topic could not be made or told, as when a record has a shape that this site never writes. Others are not touched by it. */
export type OnTopicError = (error: unknown, topic: string) => void;

type Listener = () => void;

export class Topic<Seen = unknown> implements Shown {
  readonly name: string;
  readonly #records: WatchedRecords;
  readonly #options: TopicOptions<Seen>;
  readonly #followers = new Set<Listener>();
  // what the present state was made of, and how each is let go
  #watched = new Map<WatchedRecord<unknown>, () => void>();
  #timer: NodeJS.Timeout | null = null;
  #toldAt = 0;
  #isOld = true;
  // told once, until it can be made again
  #isBroken = false;
  #seen: Seen | undefined = undefined;
  // undefined until the store has answered
  #json: string | null | undefined = undefined;
  #toldJson: string | null | undefined = undefined;
  #frame: string | null = null;

  constructor(records: WatchedRecords, options: TopicOptions<Seen>) {
    this.#records = records;
    this.#options = options;
    this.name = `${options.event} ${options.key}`;
  }

  /** Undefined: the store has not answered yet. REQUIRES: somebody follows. */
  get seen(): Seen | undefined {
    this.#makeAnew();
    return this.#seen;
  }

  /** What to send: an event of a stream, but for its id; null: nothing, or nothing yet. REQUIRES: somebody follows. */
  get frame(): string | null {
    this.#makeAnew();
    return this.#frame;
  }

  /** The listener is told of changes to come, not of the present state. Returns what ends the following. */
  follow(listener: Listener): () => void {
    const follower = (): void => listener(); // the same listener may follow twice
    this.#followers.add(follower);
    this.#makeAnew();
    return () => {
      if (this.#followers.delete(follower) && this.#followers.size === 0) this.#rest();
    };
  }

  /** What it is made of may be other records now. */
  renew = (): void => {
    this.#isOld = true;
    if (this.#timer !== null || this.#followers.size === 0) return;
    const wait_ms = Math.max(0, this.#toldAt + TELL_EVERY_MS - performance.now());
    this.#timer = setTimeout(() => this.#tell(), wait_ms);
  };

  #tell(): void {
    this.#timer = null;
    this.#toldAt = performance.now();
    this.#makeAnew();
    if (this.#json === this.#toldJson) return;
    this.#toldJson = this.#json;
    for (const follower of this.#followers) this.#tellOne(follower);
  }

  // One viewer's trouble is not another's.
  #tellOne(follower: Listener): void {
    try {
      follower();
    } catch (error) {
      this.#options.onError(error, this.name);
    }
  }

  #makeAnew(): void {
    if (!this.#isOld || this.#followers.size === 0) return;
    this.#isOld = false;
    const before = this.#watched;
    const watched = new Map<WatchedRecord<unknown>, () => void>();
    const look: Look = (operation) => {
      const record = this.#records.get(operation);
      if (!watched.has(record)) watched.set(record, before.get(record) ?? record.follow(this.renew));
      return record.value;
    };
    try {
      const seen = this.#options.compose(look);
      if (seen !== undefined) this.#encode(seen);
      this.#isBroken = false;
    } catch (error) {
      if (!this.#isBroken) this.#options.onError(error, this.name);
      this.#isBroken = true;
    }
    this.#watched = watched;
    for (const [record, end] of before) if (!watched.has(record)) end();
  }

  // While a part is not known or cannot be read, the last whole state stands.
  #encode(seen: Seen): void {
    const data = this.#options.data(seen);
    const json = data === null ? null : JSON.stringify(data);
    this.#seen = seen;
    if (json === this.#json) return;
    this.#json = json;
    this.#frame = json === null ? null : frame(this.#options.event, `{"server_time_ms":${Date.now()},${json.slice(1)}`);
  }

  #rest(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    for (const end of this.#watched.values()) end();
    this.#watched.clear();
    this.#isOld = true;
    this.#options.onIdle();
  }
}

/** The topics that pages look at now, by name: all who look at one thing share one. */
export class Topics {
  readonly #records: WatchedRecords;
  readonly #onError: OnTopicError;
  readonly #topics = new Map<string, Topic>();

  constructor(records: WatchedRecords, onError: OnTopicError) {
    this.#records = records;
    this.#onError = onError;
  }

  get size(): number {
    return this.#topics.size;
  }

  has(event: string, key: string): boolean {
    return this.#topics.has(`${event} ${key}`);
  }

  /** REQUIRES: the same `compose` and `data` for the same event and key, every time. */
  get<Seen>(options: Omit<TopicOptions<Seen>, 'onIdle' | 'onError'>): Topic<Seen> {
    const name = `${options.event} ${options.key}`;
    const present = this.#topics.get(name) as Topic<Seen> | undefined;
    if (present !== undefined) return present;
    const onIdle = (): void => {
      if (this.#topics.get(name) === (topic as Topic)) this.#topics.delete(name);
    };
    const topic = new Topic<Seen>(this.#records, { ...options, onIdle, onError: this.#onError });
    this.#topics.set(name, topic as Topic);
    return topic;
  }
}
