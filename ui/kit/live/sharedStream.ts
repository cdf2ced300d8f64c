// One event stream for all pages of a site in one browser, which opens only six connections to a server that speaks HTTP/1.1.
//
// The visible pages elect a leader. It alone has a stream, which carries what all of them ask for, and passes on to the others what it
// hears. A page that is at rest takes no part. A page that joins has the leader open the stream anew: the server then sends every state
// again, and what has happened since the event that the page heard last. So a page may hear an event twice, but misses none.
//
// The leader is the page that holds a lock, so the browser elects another one when it closes, breaks or comes to rest. A leader that is
// silent has been frozen by the browser, and is robbed of the lock.
import { EventStream, type ConnectionState, type EventStreamWorld } from './eventStream.ts';
import type { StreamEvent } from './sseParser.ts';

/** How the pages of one browser find each other. */
export interface Pages {
  /** a name of this page that no other one has */
  readonly me: string;
  /** Sends to and receives from the other pages that have opened the channel. */
  open(name: string, onMessage: (message: unknown) => void): { post(message: unknown): void; close(): void };
  /**
   * Calls `onLead` once no other page leads, or at once if it is to `rob` the leader; and `onLost` if another page robs this one. Returns
   * a function that gives the lead, or the wish for it, up.
   */
  contend(name: string, how: { rob: boolean; onLead(): void; onLost(): void }): () => void;
}

export interface SharedStreamWorld extends EventStreamWorld {
  /** missing where the browser has no locks, as on pages that came over plain HTTP from another machine: each page is on its own */
  readonly pages?: Pages;
}

export interface SharedStreamOptions<Query> {
  /** pages with the same name share; what they send each other must have the same form */
  name: string;
  /** the URL of the stream that carries all these queries, the latest last */
  address(queries: readonly Query[]): string;
  onEvent(event: StreamEvent): void;
  onState(state: ConnectionState): void;
  /** called with what the leader says with `tell` */
  onTold?(told: unknown): void;
  /** see EventStream */
  silence_ms?: number;
}

type Message<Query> =
  | { kind: 'join'; from: string; query: Query; seen: string; anew: boolean }
  | { kind: 'leave'; from: string }
  | { kind: 'lead' }
  | { kind: 'state'; state: ConnectionState | null; told: unknown }
  | { kind: 'event'; event: StreamEvent };

/** Pages that are opened together get one stream. */
const SETTLE_MS = 100;
/** A stream that takes the place of one that was live counts as lost only after this time. */
const CHANGE_MS = 2_000;
const BEAT_MS = 2_500;
export const LEADER_SILENCE_MS = 10_000;

export class SharedStream<Query> {
  private readonly options: SharedStreamOptions<Query>;
  private readonly world: SharedStreamWorld;
  /** null: at rest */
  private part: { channel: { post(message: Message<Query>): void; close(): void } | null; giveUp: () => void } | null = null;
  private query: Query | null = null;
  private isAwake = false;
  private isLeading = false;
  private state: ConnectionState | null = null;
  private wasLive = false;
  private told: unknown = null;
  /** the id of the last event */
  private seen = '';

  /** The leader's: what each page asks for, the latest last. */
  private readonly queries = new Map<string, Query>();
  private stream: EventStream | null = null;
  private url = '';
  /** the earliest event that a page which has joined has heard last; '': none is owed any */
  private owed = '';
  private isAnew = false;
  private settling: number | null = null;
  private changing: number | null = null;
  /** the leader's next beat; in other pages, the end of their patience with it */
  private beat: number | null = null;

  constructor(options: SharedStreamOptions<Query>, world: SharedStreamWorld) {
    this.options = options;
    this.world = world;
  }

  /** What this page wants to hear from now on; `anew`: with all states, even if the stream carries it already. */
  ask(query: Query, anew = true): void {
    this.query = query;
    if (this.part !== null) this.join(anew);
    else if (this.isAwake) this.takePart();
  }

  /** The page is visible, or the network is back. */
  wake(): void {
    this.isAwake = true;
    if (this.part === null && this.query !== null) this.takePart();
    else this.stream?.wake();
  }

  /** The browser reports that the network is gone. */
  sleep(): void {
    this.stream?.sleep();
  }

  /** The page is hidden: it has no part in the stream until `wake()`. */
  rest(): void {
    this.isAwake = false;
    if (this.part === null) return;
    const { channel, giveUp } = this.part;
    channel?.post({ kind: 'leave', from: this.me });
    this.lose();
    channel?.close();
    giveUp();
    this.part = null;
    this.state = null;
  }

  close(): void {
    this.rest();
    this.query = null;
  }

  /** Opens the stream anew, if this page leads. */
  reopen(): void {
    if (this.stream === null) return;
    this.isAnew = true;
    this.openStream();
  }

  /** Tells every page, this one too, if this page leads. */
  tell(told: unknown): void {
    if (!this.isLeading) return;
    this.told = told;
    this.options.onTold?.(told);
    this.say();
  }

  private get me(): string {
    return this.world.pages?.me ?? '';
  }

  private takePart(): void {
    const { pages } = this.world;
    if (pages === undefined) {
      this.part = { channel: null, giveUp: () => {} };
      this.isLeading = true;
      return this.join(true);
    }
    const channel = pages.open(this.options.name, (message) => this.receive(message as Message<Query>));
    this.part = { channel, giveUp: () => {} };
    this.contend(false);
    this.join(true);
  }

  private contend(rob: boolean): void {
    if (this.part === null) return;
    this.part.giveUp();
    this.part.giveUp = this.world.pages!.contend(this.options.name, { rob, onLead: () => this.lead(), onLost: () => this.isRobbed() });
    this.watchLeader();
  }

  private join(anew: boolean): void {
    const asked = { from: this.me, query: this.query!, seen: this.seen, anew };
    if (this.isLeading) this.admit(asked);
    else this.part!.channel!.post({ kind: 'join', ...asked });
  }

  private lead(): void {
    this.isLeading = true;
    this.queries.clear();
    this.part!.channel!.post({ kind: 'lead' });
    this.join(true);
    this.say();
  }

  private isRobbed(): void {
    this.lose();
    this.contend(false);
    this.join(true);
  }

  /** Ends all that a leader has. */
  private lose(): void {
    this.isLeading = false;
    this.stream?.close();
    this.stream = null;
    this.url = '';
    this.owed = '';
    for (const timer of [this.settling, this.changing, this.beat]) if (timer !== null) this.world.clearTimeout(timer);
    this.settling = this.changing = this.beat = null;
  }

  private receive(message: Message<Query>): void {
    if (this.part === null) return;
    if (this.isLeading) {
      if (message.kind === 'join') {
        this.admit(message);
        this.say();
      } else if (message.kind === 'leave') this.queries.delete(message.from);
      return;
    }
    if (message.kind === 'join' || message.kind === 'leave') return;
    this.watchLeader();
    if (message.kind === 'lead') this.join(true);
    else if (message.kind === 'event') this.hear(message.event);
    else {
      this.options.onTold?.(message.told);
      if (message.state !== null) this.become(message.state);
    }
  }

  private admit({ from, query, seen, anew }: { from: string; query: Query; seen: string; anew: boolean }): void {
    this.queries.delete(from);
    this.queries.set(from, query);
    this.owed = earlier(seen, this.owed);
    this.isAnew ||= anew;
    // A page on its own knows all that is asked for.
    if (this.world.pages === undefined) this.openStream();
    else this.settling ??= this.world.setTimeout(() => this.openStream(), SETTLE_MS);
  }

  private openStream(): void {
    if (this.settling !== null) this.world.clearTimeout(this.settling);
    this.settling = null;
    const url = this.options.address([...this.queries.values()]);
    if (url === this.url && !this.isAnew && this.stream !== null) return;
    this.url = url;
    this.isAnew = false;
    this.stream?.close();
    const { owed } = this;
    const from = earlier(owed, this.seen);
    let isFirst = this.wasLive;
    this.stream = new EventStream(
      {
        url,
        lastEventId: from,
        wasLive: this.wasLive,
        silence_ms: this.options.silence_ms,
        onEvent: (event) => {
          // The server gives a new id to the last event of those that it sends together. When that id comes, nothing is owed any more.
          if (event.id !== from && this.owed === owed && this.settling === null) this.owed = '';
          this.hear(event);
          this.part?.channel?.post({ kind: 'event', event });
        },
        onState: (state) => {
          if (this.changing !== null) this.world.clearTimeout(this.changing);
          this.changing = null;
          // A quick change to another stream is not reported: what pages show stays as current as it was.
          if (isFirst && state !== 'offline' && state !== 'live') {
            this.changing = this.world.setTimeout(() => this.announce(state), CHANGE_MS);
          } else this.announce(state);
          isFirst = false;
        },
      },
      this.world,
    );
  }

  private hear(event: StreamEvent): void {
    this.seen = event.id;
    this.options.onEvent(event);
  }

  private announce(state: ConnectionState): void {
    this.become(state);
    this.say();
  }

  private become(state: ConnectionState): void {
    if (state === this.state) return;
    this.state = state;
    this.wasLive ||= state === 'live';
    this.options.onState(state);
  }

  /** The leader says how the stream is, and that it is still there. */
  private say(): void {
    if (this.world.pages === undefined || this.part === null) return;
    this.part.channel!.post({ kind: 'state', state: this.state, told: this.told });
    if (this.beat !== null) this.world.clearTimeout(this.beat);
    this.beat = this.world.setTimeout(() => this.say(), BEAT_MS);
  }

  private watchLeader(): void {
    if (this.beat !== null) this.world.clearTimeout(this.beat);
    // not all at the same time
    const patience_ms = LEADER_SILENCE_MS * (1 + this.world.random() / 2);
    this.beat = this.world.setTimeout(() => this.contend(true), patience_ms);
  }
}

/** Of two ids, the one that was sent earlier: the ids of sites are times. Of others, the second, or the only one. */
function earlier(one: string, other: string): string {
  if (one === '' || other === '') return one || other;
  return Number(one) < Number(other) ? one : other;
}
