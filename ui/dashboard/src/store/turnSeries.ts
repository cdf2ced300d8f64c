// Turns: which client may send wide members, over time (server-core/src/shard/sequencer.h).
//
// A slice is one turn, or several short ones of one session, which then lie beside those of others at that time. A turn that goes on is
// reported with every frame, and once more when it has ended; here it is one slice, which grows.
//
// Invariants: slices do not overlap; their times never decrease.
import type { ShardTelemetry, Turns } from '@claret/client/telemetry';
import type { NativesVisitor, PhaseVisitor, QueueVisitor } from './recordLane.ts';
import { turnOf, WAITING_FOR_TURN } from './runs.ts';
import type { Span } from './span.ts';
import { Track } from './track.ts';

const SLICES_MAX = 65_536;
/** The mode of those that wait for a turn, in `modes`. */
const WAITING_MODE = 0;
/** Clients that are kept apart. */
const CLIENTS_MAX = 24;
const OTHER_CLIENT = 'another client';

// Columns.
const [BEGAN, ENDED, CLIENT, TURNS, WAITING, RECALLED, TIMED_OUT] = [0, 1, 2, 3, 4, 5, 6];
const COLUMNS = 7;

/** Figures of a shard are rounded. */
const ROUNDED_MS = 0.01;
/** Without a report from its shard, a turn is assumed to go on for this long. */
const SILENCE_MS = 1_000;
/** Then a new session of the same name is taken for the same client, which has connected again. */
const GONE_MS = 2_000;

export interface TurnSlice {
  /** an index of `modes` */
  client: number;
  began_ms: number;
  ended_ms: number;
  /** that it stands for */
  turns: number;
  /** the most clients that waited at once */
  waiting: number;
  /** turns that another client wanted, and those of them that were waited for no longer */
  recalled: number;
  timedOut: number;
  /** it had not ended at the last report */
  isOpen: boolean;
}

type Told = { shard: number; at_ms: number; telemetry: Pick<ShardTelemetry, 'turnSlices' | 'turn' | 'elapsedMs'> };

export class TurnSeries {
  private readonly track = new Track(COLUMNS, SLICES_MAX);
  private modeNames: readonly string[] = [WAITING_FOR_TURN];
  private readonly names = new Map<string, number>();
  /** the session that has each name, at each shard, and when it last had a turn */
  private readonly peers = new Map<string, { peer: number; seen_ms: number }>();
  /** the shard with the newest slice, if that has not ended */
  private openAt: number | null = null;
  private newest_ms = -Infinity;

  /** The names of clients as modes, by number; the first is that of those that wait. */
  get modes(): readonly string[] {
    return this.modeNames;
  }

  get isEmpty(): boolean {
    return this.track.isEmpty;
  }

  take(tick_ms: number, told: readonly Told[], oldest_ms: number): void {
    this.newest_ms = tick_ms;
    for (const { shard, at_ms, telemetry } of told) {
      let mayContinue = this.openAt === shard;
      if (mayContinue) this.openAt = null;
      const take = (turns: Turns) => {
        const client = this.clientOf(shard, turns, at_ms);
        const beganBefore = turns.agoMs >= telemetry.elapsedMs - ROUNDED_MS;
        const isKnown = mayContinue && beganBefore && this.track.get(this.track.end - 1, CLIENT) === client;
        mayContinue = false;
        this.put(isKnown, client, at_ms - turns.agoMs, turns);
      };
      for (const turns of telemetry.turnSlices) take(turns);
      if (telemetry.turn === null) continue;
      take(telemetry.turn);
      this.openAt = shard;
    }
    // The last slice that began before that time may extend beyond it.
    this.track.dropTo(this.track.search(oldest_ms) - 1);
  }

  /** Slices that touch the span, oldest first; one that goes on ends at the newest known time. */
  slices(span: Span, visit: (slice: TurnSlice) => void): void {
    const { track } = this;
    for (let row = Math.max(track.first, track.search(span.from_ms) - 1); row < track.end; row += 1) {
      const began_ms = track.get(row, BEGAN);
      if (began_ms >= span.to_ms) return;
      const isOpen = this.openAt !== null && row === track.end - 1;
      const told_ms = track.get(row, ENDED);
      const ended_ms = isOpen && this.newest_ms - told_ms <= SILENCE_MS ? Math.max(told_ms, this.newest_ms) : told_ms;
      if (ended_ms < span.from_ms) continue;
      visit({
        client: track.get(row, CLIENT),
        began_ms,
        ended_ms,
        turns: track.get(row, TURNS),
        waiting: track.get(row, WAITING),
        recalled: track.get(row, RECALLED),
        timedOut: track.get(row, TIMED_OUT),
        isOpen,
      });
    }
  }

  // As a lane (views/phases): a turn is a phase of its client, and its queue is those that wait for the next one.

  phases(span: Span, visit: PhaseVisitor): void {
    this.slices(span, ({ client, began_ms, ended_ms, turns, timedOut }) => visit(client, began_ms, ended_ms, turns, timedOut > 0));
  }

  queues(span: Span, visit: QueueVisitor): void {
    this.slices(span, ({ began_ms, ended_ms, waiting }) => {
      visit(began_ms, WAITING_MODE, 0, waiting);
      visit(ended_ms, WAITING_MODE, 0, 0);
    });
  }

  natives(_span: Span, _visit: NativesVisitor): void {}

  clear(): void {
    this.track.dropTo(this.track.end);
    this.openAt = null;
  }

  /** A slice begins when it was first seen, and not before the end of the one before. */
  private put(isKnown: boolean, client: number, began_ms: number, turns: Turns): void {
    const { track } = this;
    const earliest_ms = track.isEmpty ? -Infinity : track.get(track.end - 1, ENDED);
    const row = isKnown ? track.end - 1 : track.add(Math.max(began_ms, earliest_ms));
    track.set(row, ENDED, Math.max(began_ms + turns.lengthMs, track.get(row, BEGAN)));
    track.set(row, CLIENT, client);
    track.set(row, TURNS, turns.turns);
    track.set(row, WAITING, turns.waiting);
    track.set(row, RECALLED, turns.recalled);
    track.set(row, TIMED_OUT, turns.timedOut);
  }

  /** Sessions that have one name at the same time are kept apart. */
  private clientOf(shard: number, { session, peer }: Turns, at_ms: number): number {
    const number = `session ${peer} at shard ${shard}`;
    if (session === '') return this.numberOf(number);
    const name = `${shard} ${session}`;
    let known = this.peers.get(name);
    if (known === undefined && this.peers.size === CLIENTS_MAX) this.peers.clear();
    if (known === undefined || at_ms - known.seen_ms > GONE_MS) this.peers.set(name, (known = { peer, seen_ms: at_ms }));
    if (known.peer !== peer) return this.numberOf(`${session} (${number})`);
    known.seen_ms = at_ms;
    return this.numberOf(session);
  }

  private numberOf(name: string): number {
    const known = this.names.get(name);
    if (known !== undefined) return known;
    if (name !== OTHER_CLIENT && this.names.size >= CLIENTS_MAX) return this.numberOf(OTHER_CLIENT);
    this.names.set(name, this.modeNames.length);
    this.modeNames = [...this.modeNames, turnOf(name)];
    return this.modeNames.length - 1;
  }
}
