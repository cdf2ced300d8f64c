// What a request's transactions cost. Routes use `request.claret`, a view of the server's client that adds up what the
// transactions of this request are told to have cost; the answer says it in a header (ui/site/cost.ts), also an answer that
// is an error.
//
// Whoever runs a transaction is charged with it: where an answer is kept for others (/popular), the request that had it
// read. What ends after the answer has left is told to nobody. Neither are live streams: they are no answers, and what
// they tell of is watched, not read in transactions.
import type { Receipt } from '@claret/client';
import { COST_HEADER, COST_LABELS_MAX, COST_OTHERS, type TransactionCost } from '@claret/ui/site/cost.ts';

import type { App } from './http.ts';

/** A header has little room: names are cut. */
const LABEL_LENGTH_MAX = 40;

class CostSheet {
  readonly #rows = new Map<string, TransactionCost>();

  get empty(): boolean {
    return this.#rows.size === 0;
  }

  add(receipt: Receipt): void {
    const row = this.#row(receipt.label);
    row.count++;
    row.operations += receipt.operations;
    row.locks_waited += receipt.locks_waited;
    row.waited_us += receipt.waited_us;
    row.retries += receipt.retries;
    row.duration_ms += receipt.duration_ms;
  }

  #row(label: string): TransactionCost {
    const name = label.length <= LABEL_LENGTH_MAX ? label : `${label.slice(0, LABEL_LENGTH_MAX - 1)}…`;
    const row = this.#rows.get(name);
    if (row !== undefined) return row;
    if (name !== COST_OTHERS && this.#rows.size >= COST_LABELS_MAX - 1) return this.#row(COST_OTHERS);
    const fresh = { label: name, count: 0, operations: 0, locks_waited: 0, waited_us: 0, retries: 0, duration_ms: 0 };
    this.#rows.set(name, fresh);
    return fresh;
  }

  /** JSON in ASCII, as headers have to be. */
  toHeader(): string {
    const rows = [...this.#rows.values()].map((row) => ({ ...row, duration_ms: Math.round(row.duration_ms * 100) / 100 }));
    return JSON.stringify(rows).replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  }
}

/** For all routes of `api`. REQUIRES: their requests have a client already (overload/deadline.ts). */
export function tellCost(api: App): void {
  const sheets = new WeakMap<object, CostSheet>();
  api.addHook('onRequest', async (request) => {
    const sheet = new CostSheet();
    sheets.set(request, sheet);
    request.claret = request.claret.observed((receipt) => sheet.add(receipt));
  });
  api.addHook('onSend', async (request, reply) => {
    const sheet = sheets.get(request);
    if (sheet !== undefined && !sheet.empty) reply.header(COST_HEADER, sheet.toHeader());
  });
}
