// RecordOrder: hot records in the order of their rank, except that records already shown keep their position while they rank among
// the first. So rows do not move while they are read. Newcomers take the positions of records that have gone.

import type { RecordLane } from '../store/telemetryStore.ts';

export class RecordOrder {
  private places: readonly string[] = [];

  /** `ranked`: the records to show, first rank first. */
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

  /** The next order is the order of the ranks. */
  forget(): void {
    this.places = [];
  }
}
