// The feed from a running cluster: an event stream, shared by the visible dashboards of a browser, whose messages are decoded and passed
// on, and the state of its connection.
//
// Frames count only after a welcome of our version. A connection that is up but behind real time by more than BEHIND_MS_MAX is
// `stale` too. Unreadable messages are counted and skipped.
import type { ConnectionState } from '@claret/ui/kit/live/eventStream.ts';
import { SharedStream, type SharedStreamWorld } from '@claret/ui/kit/live/sharedStream.ts';
import type { StreamEvent } from '@claret/ui/kit/live/sseParser.ts';
import type { TelemetryMessage } from '@claret/client/telemetry';
import { decode } from '@claret/client/telemetry';
import type { Gateways, GatewaysWorld } from './gateways.ts';
import { Lag } from './lag.ts';

export const STREAM_PATH = '/v1/telemetry/stream';
export const BEHIND_MS_MAX = 2_000;
const CHECK_MS = 500;
/** While another gateway sends the stream, the page's own is looked at so often. */
const LOOK_BACK_MS = 5_000;
/** Frames arrive several times a second: a connection without one for this long is broken. */
const SILENCE_MS = 8_000;

export type LiveState = ConnectionState | 'other_version';

export interface LiveStatus {
  state: LiveState;
  /** whole seconds behind real time, while the connection is up and the lag exceeds BEHIND_MS_MAX; otherwise 0 */
  behind_s: number;
  /** messages that could not be read */
  malformed: number;
  /** the version of the cluster's messages, if it differs from ours */
  otherVersion: number | null;
  /** the HTTP status with which the cluster refused the last request for the stream */
  refusal: number | null;
  /** host:port of the gateway that sends the stream in place of the page's own, which does not answer; null: the page's own */
  elsewhere: string | null;
}

type Answer = Pick<LiveStatus, 'refusal' | 'elsewhere'>;

export interface LiveFeedWorld extends SharedStreamWorld, GatewaysWorld {
  /** monotonic clock, ms */
  now(): number;
}

export interface LiveFeedOptions {
  gateways: Gateways;
  onMessage(message: TelemetryMessage, data: string): void;
  /** Called with each new status; each one is a new object. */
  onStatus(status: LiveStatus): void;
  isAtRest?: boolean;
}

export class LiveFeed {
  private readonly options: LiveFeedOptions;
  private readonly world: LiveFeedWorld;
  private readonly stream: SharedStream<true>;
  private readonly lag = new Lag();
  private line: ConnectionState = 'connecting';
  private hasWelcome = false;
  private wasLive = false;
  private malformed = 0;
  private timer: number | null = null;
  private lookedBack_ms = 0;
  private isClosed = false;
  private status: LiveStatus = { state: 'connecting', behind_s: 0, malformed: 0, otherVersion: null, refusal: null, elsewhere: null };

  constructor(options: LiveFeedOptions, world: LiveFeedWorld) {
    this.options = options;
    this.world = world;
    this.stream = new SharedStream(
      {
        name: `telemetry ${import.meta.url}`,
        address: () => STREAM_PATH,
        silence_ms: SILENCE_MS,
        onEvent: (event) => this.hear(event),
        onState: (line) => this.lineIs(line),
        onTold: (told) => this.isAnsweredBy(told as Answer | null),
      },
      { ...bound(world), fetch: (url, init) => this.ask(url, init) },
    );
    this.stream.ask(true);
    if (!options.isAtRest) this.stream.wake();
    this.check();
  }

  get current(): LiveStatus {
    return this.status;
  }

  /** See SharedStream. */
  wake(): void {
    this.stream.wake();
  }

  sleep(): void {
    this.stream.sleep();
  }

  rest(): void {
    this.stream.rest();
    this.lineIs(this.wasLive ? 'stale' : 'connecting');
  }

  close(): void {
    this.isClosed = true;
    if (this.timer !== null) this.world.clearTimeout(this.timer);
    this.stream.close();
  }

  private async ask(url: string, init: { headers: Record<string, string>; signal: AbortSignal }): Promise<Response> {
    const { gateways } = this.options;
    const response = await gateways.open(url, init);
    this.lookedBack_ms = this.world.now();
    this.stream.tell({ refusal: response.ok ? null : response.status, elsewhere: gateways.elsewhere } satisfies Answer);
    return response;
  }

  /** The leader of the dashboards has asked for the stream. */
  private isAnsweredBy(answer: Answer | null): void {
    if (answer === null) return;
    this.options.gateways.follow(answer.elsewhere);
    this.change(answer);
  }

  private lineIs(line: ConnectionState): void {
    this.line = line;
    // Each connection begins with its own welcome.
    this.hasWelcome = false;
    this.lag.reset();
    this.change({});
  }

  private hear({ type, data }: StreamEvent): void {
    if (type !== 'welcome' && type !== 'frame' && type !== 'mark') return;
    const decoded = decode(data);
    if ('fault' in decoded) {
      this.malformed += 1; // reported by the next check, because there may be many
      return;
    }
    if ('otherVersion' in decoded) {
      this.hasWelcome = false;
      return this.change({ otherVersion: decoded.otherVersion });
    }
    const { message } = decoded;
    if (message.kind === 'welcome') {
      this.hasWelcome = true;
      this.wasLive = true;
    }
    if (!this.hasWelcome) return;
    if (message.kind !== 'mark') this.lag.heard(message.at_ms, this.world.now());
    this.options.onMessage(message, data);
    if (message.kind === 'welcome') this.change({ otherVersion: null });
  }

  private check(): void {
    this.change({ malformed: this.malformed });
    if (this.status.elsewhere !== null && this.world.now() - this.lookedBack_ms >= LOOK_BACK_MS) void this.lookBack();
    this.timer = this.world.setTimeout(() => this.check(), CHECK_MS);
  }

  /** Returns to the page's own gateway once that can serve: only there can the page change anything. */
  private async lookBack(): Promise<void> {
    this.lookedBack_ms = this.world.now();
    const isBack = await this.options.gateways.isOwnBack();
    if (!isBack || this.isClosed || this.line !== 'live' || this.status.elsewhere === null) return;
    this.stream.reopen();
  }

  private change(part: Partial<LiveStatus>): void {
    const next = { ...this.status, ...part };
    const behind_ms = this.hasWelcome ? this.lag.behind(this.world.now()) : 0;
    next.behind_s = behind_ms > BEHIND_MS_MAX ? Math.floor(behind_ms / 1_000) : 0;
    next.state = this.stateOf(next);
    const isNews = (Object.keys(next) as (keyof LiveStatus)[]).some((name) => next[name] !== this.status[name]);
    if (!isNews) return;
    this.status = next;
    this.options.onStatus(next);
  }

  private stateOf({ otherVersion, behind_s }: LiveStatus): LiveState {
    if (this.line !== 'live') return this.line === 'connecting' && this.wasLive ? 'stale' : this.line;
    if (otherVersion !== null) return 'other_version';
    if (!this.hasWelcome) return this.wasLive ? 'stale' : 'connecting';
    return behind_s > 0 ? 'stale' : 'live';
  }
}

/** The world's functions as plain ones, for a world with another `fetch`. */
function bound(world: LiveFeedWorld): SharedStreamWorld {
  return {
    ...(world.pages === undefined ? {} : { pages: world.pages }),
    fetch: (url, init) => world.fetch(url, init),
    setTimeout: (run, delay_ms) => world.setTimeout(run, delay_ms),
    clearTimeout: (timer) => world.clearTimeout(timer),
    random: () => world.random(),
    isOnline: () => world.isOnline(),
  };
}
