// The source of the page's telemetry: the cluster that serves the page, or a recording. The live feed continues while a recording
// is shown, into a store of its own, so that viewing a recording loses nothing.
//
// When no cluster has answered within NO_CLUSTER_MS, the shipped recording plays until one does. A recording that the user opened
// stays until it is closed.
import type { TelemetryMessage } from '@claret/client/telemetry';
import { TelemetryStore } from '../store/telemetryStore.ts';
import { Gateways, servingAddresses } from './gateways.ts';
import { LiveFeed, type LiveFeedWorld, type LiveStatus } from './liveFeed.ts';
import { Past } from './past.ts';
import { Recorder } from './recorder.ts';
import { readRecording, writeRecording, type Recording, type RecordingProblem } from './recording.ts';
import { ReplayFeed } from './replayFeed.ts';

export const SHIPPED_RECORDING = '/bid-spike.claret.gz';
export const NO_CLUSTER_MS = 3_000;

/** `recording` while one is shown; otherwise the state of the connection to the cluster. */
export type FeedState = LiveStatus['state'] | 'recording';

export interface ReplayView {
  name: string;
  made_at_ms: number;
  /** the recording's bounds, on the recording's clock */
  from_ms: number;
  to_ms: number;
  isPlaying: boolean;
  isAtEnd: boolean;
  /** the views do not show the position yet */
  isCatchingUp: boolean;
  /** shown because no cluster answers; false if the user opened it */
  isShipped: boolean;
  /** lines that could not be read */
  malformed: number;
  /** the file ends early, or is damaged */
  isCutOff: boolean;
}

/** What is shown, and the state of its source. A new object after each change. */
export interface FeedView {
  state: FeedState;
  source: 'live' | 'recording';
  store: TelemetryStore;
  /** the connection to the cluster, also while a recording is shown */
  live: LiveStatus;
  replay: ReplayView | null;
  /** why the last recording could not be shown; the page keeps showing what it showed before */
  problem: RecordingProblem | null;
  /** a file is being read */
  isOpening: boolean;
}

export class Feed {
  /** the cluster's store, also while a recording is shown */
  readonly liveStore = new TelemetryStore();
  private readonly world: LiveFeedWorld;
  private readonly live: LiveFeed;
  private readonly gateways: Gateways;
  private readonly past: Past;
  private readonly recorder = new Recorder();
  private readonly listeners = new Set<() => void>();
  private shown: { replay: ReplayFeed; store: TelemetryStore; isShipped: boolean } | null = null;
  private problem: RecordingProblem | null = null;
  private openings = 0;
  private isOpening = false;
  private noClusterTimer: number | null;
  private current: FeedView;

  constructor(world: LiveFeedWorld, isAtRest = false) {
    this.world = world;
    const gateways = (this.gateways = new Gateways(world));
    this.past = new Past(
      {
        fetch: (url, init) => gateways.fetch(url, init),
        setTimeout: (run, delay_ms) => world.setTimeout(run, delay_ms),
        clearTimeout: (timer) => world.clearTimeout(timer),
      },
      () => this.liveStore.newest_ms,
      (message, data, isPast) => this.hear(message, data, isPast),
    );
    this.live = new LiveFeed(
      { gateways, isAtRest, onMessage: (message, data) => this.meet(message, data), onStatus: () => this.tell() },
      world,
    );
    this.noClusterTimer = isAtRest ? null : this.planShipped();
    this.current = this.look();
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  };

  readonly view = (): FeedView => this.current;

  /** The position in the recording, on the recording's clock; null while none is shown. */
  get at_ms(): number | null {
    return this.shown?.replay.at_ms ?? null;
  }

  /** Shows a recording from a file. If that fails, `view().problem` says why, and the page keeps showing what it showed before. */
  async open(file: Blob): Promise<void> {
    await this.show(() => Promise.resolve(file), false);
  }

  /** Shows the shipped recording. */
  async openShipped(): Promise<void> {
    await this.show(async () => {
      const response = await this.world.fetch(SHIPPED_RECORDING, { headers: {}, signal: new AbortController().signal });
      if (!response.ok) throw new Error(`status ${response.status}`);
      return response.blob();
    }, true);
  }

  /** Returns to the cluster. */
  close(): void {
    this.openings += 1;
    this.isOpening = false;
    this.problem = null;
    this.shown?.replay.close();
    this.shown = null;
    this.tell();
  }

  play(): void {
    this.shown?.replay.play();
  }

  pause(): void {
    this.shown?.replay.pause();
  }

  /** Jumps to a time on the recording's clock. */
  jump(to_ms: number): void {
    this.shown?.replay.jump(to_ms);
  }

  /** The last minutes from the cluster as a file; null when nothing was received yet. */
  async save(name: string, made_at_ms: number): Promise<Blob | null> {
    return this.recorder.isEmpty ? null : writeRecording({ name, made_at_ms }, this.recorder.messages());
  }

  /** The page is hidden: closes the connection until `wake()`. */
  rest(): void {
    this.stopWaiting();
    this.live.rest();
  }

  /** The page is visible again, or the network is back. */
  wake(): void {
    if (this.noClusterTimer === null && this.liveStore.newest_ms === null && this.shown === null) this.noClusterTimer = this.planShipped();
    this.live.wake();
  }

  /** The browser reports that the network is gone. */
  sleep(): void {
    this.live.sleep();
  }

  end(): void {
    this.stopWaiting();
    this.shown?.replay.close();
    this.live.close();
    this.past.end();
    this.listeners.clear();
  }

  /** A cluster answers, even if its history is loaded first. */
  private meet(message: TelemetryMessage, data: string): void {
    this.stopWaiting();
    if (message.kind === 'welcome') this.liveStore.greet(message);
    if (message.kind === 'frame' && message.replication !== undefined) this.gateways.learn(servingAddresses(message.replication));
    this.past.take(message, data);
  }

  private hear(message: TelemetryMessage, data: string, isPast: boolean): void {
    this.liveStore.take(message, isPast);
    this.recorder.take(message, data);
    if (message.kind === 'frame' && this.shown?.isShipped) this.close();
  }

  private planShipped(): number {
    return this.world.setTimeout(() => {
      this.noClusterTimer = null;
      if (this.live.current.otherVersion === null && this.shown === null && !this.isOpening) void this.openShipped();
    }, NO_CLUSTER_MS);
  }

  private stopWaiting(): void {
    if (this.noClusterTimer !== null) this.world.clearTimeout(this.noClusterTimer);
    this.noClusterTimer = null;
  }

  private async show(get: () => Promise<Blob>, isShipped: boolean): Promise<void> {
    const opening = ++this.openings;
    this.isOpening = true;
    this.problem = null;
    this.tell();
    const read = await get()
      .then(readRecording)
      .catch(() => ({ problem: { code: 'unreachable' } as const }));
    // A later opening has replaced this one.
    if (opening !== this.openings) return;
    this.isOpening = false;
    if ('problem' in read) this.problem = read.problem;
    else if (!isShipped || this.live.current.state !== 'live') this.replay(read.recording, isShipped);
    this.tell();
  }

  private replay(recording: Recording, isShipped: boolean): void {
    this.shown?.replay.close();
    const store = new TelemetryStore();
    const replay = new ReplayFeed(recording, store, this.world, () => this.tell());
    this.shown = { replay, store, isShipped };
    // Whoever opens a file wants to see what is in it: all of it is there at its end.
    if (isShipped) replay.play();
    else replay.jump(replay.to_ms);
  }

  private tell(): void {
    this.current = this.look();
    for (const listener of this.listeners) listener();
  }

  private look(): FeedView {
    const { problem, isOpening } = this;
    const live = this.live.current;
    if (this.shown === null) return { state: live.state, source: 'live', store: this.liveStore, live, replay: null, problem, isOpening };
    const { replay, store, isShipped } = this.shown;
    const { name, made_at_ms, malformed, isCutOff } = replay.recording;
    const { from_ms, to_ms, isPlaying, isAtEnd, isCatchingUp } = replay;
    const shown: ReplayView = { name, made_at_ms, from_ms, to_ms, isPlaying, isAtEnd, isCatchingUp, isShipped, malformed, isCutOff };
    return { state: 'recording', source: 'recording', store, live, replay: shown, problem, isOpening };
  }
}
