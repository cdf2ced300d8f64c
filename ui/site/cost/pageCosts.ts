// What the transactions behind the page have cost since one came to it, by label. Knows nothing of React.
//
// Some requests are made ahead: pointing at a link fetches what the next page will read. They belong to the page that
// shows their answer, so they wait here until one does (`show`).
import { addCost, COST_LABELS_MAX, COST_OTHERS, readCost, type TransactionCost } from '../cost.ts';

const AHEAD_MAX = 50;
const SHOWN_MAX = 200;

const NONE: readonly TransactionCost[] = [];

export class PageCosts {
  private rows: readonly TransactionCost[] = NONE;
  private page = 0;
  /** paths whose answers the page shows */
  private readonly shown = new Set<string>();
  /** what was fetched ahead and not shown yet, by path */
  private readonly ahead = new Map<string, readonly TransactionCost[]>();
  private isAhead = false;
  private readonly listeners = new Set<() => void>();

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  };

  /** In the order in which they were first heard of; another array when something was added. */
  snapshot = (): readonly TransactionCost[] => this.rows;

  /** One has come to another page. */
  turn(): void {
    this.page++;
    this.shown.clear();
    this.change(NONE);
  }

  /** What `fetch` begins, until it returns, is for a page that may come. */
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
   * A request begins that reads this path, or, with null, one that changes something; the function takes the answer's
   * header. What was for a page that one has left is dropped.
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
    this.ahead.delete(path); // the newest stand last, so that the oldest are forgotten first
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

/** The costs of the page in this window. */
export const pageCosts = new PageCosts();
