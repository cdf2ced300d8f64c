// Turns in a span in numbers: those of each client, and those in a short time, such as that of one pixel.
import type { TurnSeries, TurnSlice } from '../../store/telemetryStore.ts';
import type { Span } from '../../store/span.ts';

export interface ClientTurns {
  /** a mode of the series */
  client: number;
  turns: number;
  /** of the span, 0..1 */
  share: number;
  mean_ms: number;
  /** turns that are told together are short, and count with their mean */
  longest_ms: number;
  /** the most clients that waited for it at once */
  waiting: number;
  recalled: number;
  timedOut: number;
}

const keptWithin = ({ began_ms, ended_ms }: TurnSlice, { from_ms, to_ms }: Span): number =>
  Math.max(0, Math.min(to_ms, ended_ms) - Math.max(from_ms, began_ms));

/** The greatest share first. */
export function clientTurns(series: TurnSeries, span: Span): ClientTurns[] {
  const clients = new Map<number, ClientTurns>();
  series.slices(span, (slice) => {
    let of = clients.get(slice.client);
    if (of === undefined) {
      of = { client: slice.client, turns: 0, share: 0, mean_ms: 0, longest_ms: 0, waiting: 0, recalled: 0, timedOut: 0 };
      clients.set(slice.client, of);
    }
    const length_ms = slice.ended_ms - slice.began_ms;
    of.mean_ms = (of.mean_ms * of.turns + length_ms) / (of.turns + slice.turns);
    of.turns += slice.turns;
    of.share += keptWithin(slice, span) / (span.to_ms - span.from_ms);
    of.longest_ms = Math.max(of.longest_ms, length_ms / slice.turns);
    of.waiting = Math.max(of.waiting, slice.waiting);
    of.recalled += slice.recalled;
    of.timedOut += slice.timedOut;
  });
  return [...clients.values()].sort((one, other) => other.share - one.share || one.client - other.client);
}

export interface TurnsAt {
  /** the slice, if there was only one */
  only: TurnSlice | null;
  clients: ClientTurns[];
}

export function turnsAt(series: TurnSeries, span: Span): TurnsAt {
  const slices: TurnSlice[] = [];
  series.slices(span, (slice) => {
    if (keptWithin(slice, span) > 0) slices.push(slice);
  });
  return { only: slices.length === 1 ? slices[0]! : null, clients: slices.length > 1 ? clientTurns(series, span) : [] };
}
