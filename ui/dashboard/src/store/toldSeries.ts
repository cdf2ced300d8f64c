// What each frame repeats about the whole cluster, and what rarely changes: kept once a second, and at once when its essence has changed.
import { FadingLog } from './fadingLog.ts';

export type ToldAt<T> = T & { at_ms: number };

export interface ToldSeriesOptions<T> {
  /** limit on the weight of all entries together */
  keptMax: number;
  weight(told: T): number;
  /** an entry with another essence is kept at once */
  essence(told: T): unknown;
}

const EVERY_MS = 1_000;

export class ToldSeries<T extends object> {
  private readonly options: ToldSeriesOptions<T>;
  private readonly log: FadingLog<ToldAt<T> & { weight: number }>;
  private essence = '';

  constructor(options: ToldSeriesOptions<T>) {
    this.options = options;
    this.log = new FadingLog(options.keptMax);
  }

  /** Takes what the newest frame says; undefined: nothing. */
  take(at_ms: number, told: T | undefined, oldest_ms: number): void {
    if (told === undefined) return;
    const { newest } = this;
    const essence = JSON.stringify(this.options.essence(told));
    if (newest !== null && at_ms - newest.at_ms < EVERY_MS && essence === this.essence) return;
    this.essence = essence;
    this.log.add({ ...told, at_ms, weight: this.options.weight(told) }, oldest_ms);
  }

  /** Null: nothing is known yet, or this cluster has nothing of the kind. */
  get newest(): ToldAt<T> | null {
    return this.log.at(this.log.length - 1);
  }

  /** The newest entry at or before that time; null if there is none. */
  at(at_ms: number): ToldAt<T> | null {
    const after = this.log.search(at_ms);
    const exact = this.log.at(after);
    return exact?.at_ms === at_ms ? exact : this.log.at(after - 1);
  }

  clear(): void {
    this.log.clear();
  }
}
