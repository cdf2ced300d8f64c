// Figures by name that add up over the ticks: times by cause, counts by reason. The number of names is bounded; further ones count as OTHER.
import { RunningTotals, type Ticks } from './ticks.ts';

const OTHER = '(other)';

export class NamedTotals {
  private readonly totals: RunningTotals;
  private readonly names_max: number;
  private known: readonly string[] = [];

  constructor(ticks: Ticks, names_max: number) {
    this.totals = new RunningTotals(ticks, names_max);
    this.names_max = names_max;
  }

  /** In the order in which they were first reported. */
  get names(): readonly string[] {
    return this.known;
  }

  /** Begins the newest tick, with all figures at zero. */
  begin(): void {
    this.totals.begin();
  }

  add(name: string, amount: number): void {
    this.totals.add(this.numberOf(name), amount);
  }

  /** The sum over the ticks [first, end); 0 for an unknown name. */
  sum(first: number, end: number, name: string): number {
    const figure = this.known.indexOf(name);
    return figure < 0 ? 0 : this.totals.sum(first, end, figure);
  }

  /** The sum of all names. */
  sumOfAll(first: number, end: number): number {
    let sum = 0;
    for (let figure = 0; figure < this.known.length; figure += 1) sum += this.totals.sum(first, end, figure);
    return sum;
  }

  /** A new name gets the next column, while there is room. */
  private numberOf(name: string): number {
    const found = this.known.indexOf(name);
    if (found >= 0) return found;
    if (this.known.length >= this.names_max) return this.names_max - 1;
    this.known = [...this.known, this.known.length === this.names_max - 1 ? OTHER : name];
    return this.known.length - 1;
  }
}
