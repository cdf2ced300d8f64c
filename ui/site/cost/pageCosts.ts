// The costs of the transactions behind the page since it was opened, by label. Independent of React.
//
// Some requests are prefetches: pointing at a link fetches the data of the next page. Their cost belongs to the page that shows their
// answer, so it is kept here until a page does (`show`).
import { addCost, COST_LABELS_MAX, COST_OTHERS, readCost, type TransactionCost } from '../cost.ts';

const AHEAD_MAX = 50;
const SHOWN_MAX = 200;

const NONE: readonly TransactionCost[] = [];

export class PageCosts {
  private rows: readonly TransactionCost[] = NONE;
  private page = 0;
  /** paths whose answers the page shows */
  private readonly shown = new Set<string>();
  /** prefetched costs that no page has shown yet, by path */
  private readonly ahead = new Map<string, readonly TransactionCost[]>();
  private isAhead = false;
  private readonly listeners = new Set<() => void>();

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  };

  /** In the order of first appearance; a new array after each change. */
  snapshot = (): readonly TransactionCost[] => this.rows;

  /** Another page has opened. */
  turn(): void {
    this.page++;
    this.shown.clear();
    this.change(NONE);
  }

  /** Requests that `fetch` starts before it returns are prefetches. */
  fetchAhead(fetch: () => void): void {
    this.isAhead = true;
    try {
      fetch();
    } finally {
      this.isAhead = false;
    }
  }

  /** The page shows the answer of this path, or waits for it. */
  show(path: string): void {
    if (this.shown.size < SHOWN_MAX) this.shown.add(path);
    const rows = this.ahead.get(path);
    this.ahead.delete(path);
    if (rows) this.add(rows);
  }

  /**
   * A request starts: a read of this path, or a change if null. The returned function takes the answer's header. Costs of a page that has
   * been left are dropped.
   */
  begin(path: string | null): (header: string | null) => void {
    const { page, isAhead } = this;
    return (header) => {
      const rows = readCost(header);
      if (rows.length === 0) return;
      const isShown = path !== null && this.shown.has(path);
      if (isAhead && !isShown) this.keep(path, rows);
      else if (isShown || page === this.page) this.add(rows);
    };
  }

  private keep(path: string | null, rows: readonly TransactionCost[]): void {
    if (path === null) return;
    this.ahead.delete(path); // the newest come last, so that the oldest are dropped first
    this.ahead.set(path, rows);
    if (this.ahead.size > AHEAD_MAX) this.ahead.delete(this.ahead.keys().next().value!);
  }

  private add(costs: readonly TransactionCost[]): void {
    if (costs.length === 0) return;
    const rows = new Map(this.rows.map((row) => [row.label, row]));
    for (const cost of costs) {
      const isRoom = rows.has(cost.label) || rows.size < COST_LABELS_MAX - 1;
      const label = isRoom ? cost.label : COST_OTHERS;
      const row = rows.get(label);
      rows.set(label, row ? addCost(row, cost) : { ...cost, label });
    }
    this.change([...rows.values()]);
  }

  private change(rows: readonly TransactionCost[]): void {
    if (rows === this.rows) return;
    this.rows = rows;
    for (const listener of this.listeners) listener();
  }
}

/** shared by the whole window */
export const pageCosts = new PageCosts();
