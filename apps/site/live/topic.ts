// A topic: one piece of live page content, computed from watched records and encoded once for all viewers.
//
// A hot record changes far more often than a page can show. So a topic reads its records at most every TELL_EVERY_MS, and notifies its
// followers only if the event to send has changed. A viral post then costs one encoding and one write per viewer, ten times a second,
// however fast it is written.
import type { Description } from '@claret/client';

import type { WatchedRecord, WatchedRecords } from './records.ts';
import { eventText, type Shown } from './stream.ts';

export const TELL_EVERY_MS = 100;

/** The operation's newest answer; undefined before the store's first answer. The topic is computed again when it changes. */
export type Look = <Value>(operation: Description<Value>) => Value | undefined;

export type TopicOptions<Seen> = {
  event: string;
  /** tells several topics of one event apart */
  key: string;
  /** undefined: some records are not known yet */
  compose: (look: Look) => Seen | undefined;
  /** the event's data without server_time_ms: an object with members; null: nothing to send */
  data: (seen: Seen) => object | null;
  /** called when the last follower has gone */
  onIdle: () => void;
  onError: OnTopicError;
};

/** Reports a topic that could not be computed or sent, such as a record with a shape this site never writes. Other topics go on. */
export type OnTopicError = (error: unknown, topic: string) => void;

type Listener = () => void;

export class Topic<Seen = unknown> implements Shown {
  readonly name: string;
  readonly #records: WatchedRecords;
  readonly #options: TopicOptions<Seen>;
  readonly #followers = new Set<Listener>();
  // the records from which the present state was computed, each with its unsubscribe function
  #watched = new Map<WatchedRecord<unknown>, () => void>();
  #timer: NodeJS.Timeout | null = null;
  #toldAt = 0;
  #isOld = true;
  // what was seen is not in #json yet: nobody has asked for the event
  #isEncoded = true;
  // what has failed: reported once, until it works again
  readonly #failed = new Set<'compose' | 'data'>();
  #seen: Seen | undefined = undefined;
  // undefined until the store's first answer
  #json: string | null | undefined = undefined;
  #toldJson: string | null | undefined = undefined;
  #text: string | null = null;

  constructor(records: WatchedRecords, options: TopicOptions<Seen>) {
    this.#records = records;
    this.#options = options;
    this.name = `${options.event} ${options.key}`;
  }

  /** Undefined: the store has not answered yet. REQUIRES: at least one follower. */
  get seen(): Seen | undefined {
    this.#makeAnew();
    return this.#seen;
  }

  /** The event to send, without its id; null: nothing, or nothing yet. REQUIRES: at least one follower. */
  get text(): string | null {
    this.#encodeAnew();
    return this.#text;
  }

  /** The listener is called for later changes, not for the present state. Returns a function that unsubscribes. */
  follow(listener: Listener): () => void {
    const follower = (): void => listener(); // the same listener may follow twice
    this.#followers.add(follower);
    this.#makeAnew();
    return () => {
      if (this.#followers.delete(follower) && this.#followers.size === 0) this.#rest();
    };
  }

  /** Computes the topic again; the records it reads may have changed. */
  renew = (): void => {
    this.#isOld = true;
    if (this.#timer !== null || this.#followers.size === 0) return;
    const wait_ms = Math.max(0, this.#toldAt + TELL_EVERY_MS - performance.now());
    this.#timer = setTimeout(() => this.#tell(), wait_ms);
  };

  #tell(): void {
    this.#timer = null;
    this.#toldAt = performance.now();
    this.#encodeAnew();
    if (this.#json === this.#toldJson) return;
    this.#toldJson = this.#json;
    for (const follower of this.#followers) this.#tellOne(follower);
  }

  // An error of one viewer must not affect the others.
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
    this.#reported('compose', () => {
      const seen = this.#options.compose(look);
      // While some data is unknown or cannot be read, the last complete state stands.
      if (seen === undefined) return;
      this.#seen = seen;
      this.#isEncoded = false;
    });
    this.#watched = watched;
    for (const [record, end] of before) if (!watched.has(record)) end();
  }

  // Apart from what is seen: a topic that is only looked at, as before a bid, needs no event.
  #encodeAnew(): void {
    this.#makeAnew();
    if (this.#isEncoded) return;
    this.#isEncoded = true;
    this.#reported('data', () => {
      const data = this.#options.data(this.#seen!);
      const json = data === null ? null : JSON.stringify(data);
      if (json === this.#json) return;
      this.#json = json;
      this.#text = json === null ? null : eventText(this.#options.event, `{"server_time_ms":${this.#records.nowMs()},${json.slice(1)}`);
    });
  }

  #reported(step: 'compose' | 'data', work: () => void): void {
    try {
      work();
      this.#failed.delete(step);
    } catch (error) {
      if (!this.#failed.has(step)) this.#options.onError(error, this.name);
      this.#failed.add(step);
    }
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

/** The topics that pages show now, by name: all viewers of a topic share it. */
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
