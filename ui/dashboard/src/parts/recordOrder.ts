// RecordOrder: hot records in the order of their rank, but those that are shown stay where they are for as long as they
// rank among the first: what one reads does not move. Newcomers take the places of those that have gone.

import type { RecordLane } from '../store/telemetryStore.ts';

export class RecordOrder {
  private places: readonly string[] = [];

  /** `ranked`: those to be shown, first rank first. */
  arrange(ranked: readonly RecordLane[]): RecordLane[] {
    const byKey = new Map(ranked.map((lane) => [lane.key, lane]));
    const before = new Set(this.places);
    const newcomers = ranked.filter((lane) => !before.has(lane.key));
    let next = 0;
    const placed = this.places.map((key) => byKey.get(key) ?? newcomers[next++]).filter((lane) => lane !== undefined);
    const lanes = [...placed, ...newcomers.slice(next)];
    this.places = lanes.map(({ key }) => key);
    return lanes;
  }

  /** The next order is that of the ranks. */
  forget(): void {
    this.places = [];
  }
}
