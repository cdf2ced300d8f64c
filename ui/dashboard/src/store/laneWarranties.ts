// The warranties of one hot record: results that the shard had promised, and how long changes waited for their ends.
//
// One that stands is told with every frame, and once more when it has ended. So only those that have ended are kept in a track, by their ends;
// those that stand are the ones of the last report. A record that has cooled down is reported no more: what stood there is taken as ended.
import type { HotRecord, Warranty } from '@claret/client/telemetry';
import type { Span } from './span.ts';
import { Track } from './track.ts';

const ENDED_MAX = 8_192;
const NAMES_MAX = 64;
const OTHER = '(other)';

// Columns.
const [ENDED, BEGAN, RECALLED, LOOK] = [0, 1, 2, 3]; // LOOK: twice the operation's number, plus one if it lapsed

export interface ToldWarranty {
  /** "TopK.top" */
  operation: string;
  began_ms: number;
  ended_ms: number;
  /** since when a change waited for its end; that of its end if none did */
  recalled_ms: number;
  /** clients that have it; 0 once it has ended */
  holders: number;
  lapsed: boolean;
  stands: boolean;
}

export class LaneWarranties {
  private readonly track = new Track(4, ENDED_MAX);
  private readonly names: string[] = [];
  private standing: ToldWarranty[] = [];

  get room(): number {
    return this.track.room;
  }

  take({ warranties }: HotRecord, told_ms: number): void {
    this.standing = [];
    for (const warranty of warranties) {
      const told = toldOf(warranty, told_ms);
      if (told.stands) this.standing.push(told);
      else this.keep(told);
    }
  }

  /** The record is not in its shard's newest frame. */
  rest(): void {
    for (const told of this.standing) this.keep({ ...told, stands: false });
    this.standing = [];
  }

  dropBefore(oldest_ms: number): void {
    this.track.dropTo(this.track.search(oldest_ms));
  }

  /** Those that touch the span. One that stands goes on to `goesOnTo(end)`, of its end as it was told. */
  visit(span: Span, goesOnTo: (told_ms: number) => number, visit: (warranty: ToldWarranty) => void): void {
    const { track } = this;
    for (let row = track.search(span.from_ms); row < track.end; row += 1) {
      const began_ms = track.get(row, BEGAN);
      if (began_ms >= span.to_ms) continue;
      const look = track.get(row, LOOK);
      visit({
        operation: this.names[look >> 1]!,
        began_ms,
        ended_ms: track.get(row, ENDED),
        recalled_ms: track.get(row, RECALLED),
        holders: 0,
        lapsed: (look & 1) === 1,
        stands: false,
      });
    }
    for (const told of this.standing) {
      if (told.began_ms >= span.to_ms) continue;
      const ended_ms = goesOnTo(told.ended_ms);
      if (ended_ms < span.from_ms) continue;
      visit({ ...told, ended_ms, recalled_ms: told.recalled_ms < told.ended_ms ? told.recalled_ms : ended_ms });
    }
  }

  private keep({ operation, began_ms, ended_ms, recalled_ms, lapsed }: ToldWarranty): void {
    const { track } = this;
    const at_ms = track.isEmpty ? ended_ms : Math.max(ended_ms, track.get(track.end - 1, ENDED));
    const row = track.add(at_ms);
    track.set(row, BEGAN, began_ms);
    track.set(row, RECALLED, recalled_ms);
    track.set(row, LOOK, 2 * this.numberOf(operation) + Number(lapsed));
  }

  private numberOf(operation: string): number {
    const known = this.names.indexOf(operation);
    if (known >= 0) return known;
    if (this.names.length === NAMES_MAX) return NAMES_MAX - 1;
    this.names.push(this.names.length === NAMES_MAX - 1 ? OTHER : operation);
    return this.names.length - 1;
  }
}

function toldOf({ operation, holders, agoMs, lengthMs, recalledMs, ended, lapsed }: Warranty, told_ms: number): ToldWarranty {
  const began_ms = told_ms - agoMs;
  const ended_ms = began_ms + lengthMs;
  return { operation, began_ms, ended_ms, recalled_ms: ended_ms - recalledMs, holders, lapsed, stands: !ended };
}
