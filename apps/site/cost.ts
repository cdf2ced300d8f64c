// The cost of a request's transactions. Routes use `request.claret`, a view of the server's client that adds up the receipts of this
// request's transactions; the answer reports the sum in a header (ui/site/cost.ts), also if the answer is an error.
//
// A transaction is charged to the request that ran it: a cached answer (/popular) is charged to the request that filled the cache. A value
// that a computation had in memory (kept.ts) counts as a transaction whose operations all needed no message; the run of a computation
// serves whoever asks for it, and is charged to nobody. Transactions that end after the answer has been sent are not reported. Neither are
// those of live streams: a stream has no end to report at, and its data is watched, not read in transactions. Native operations are no
// transactions.
import { NATIVE_LABEL, type Receipt } from '@claret/client';
import { COST_HEADER, COST_LABELS_MAX, COST_OTHERS, NO_COST, costHeader, type TransactionCost } from '@claret/ui/site/cost.ts';

import type { App } from './http.ts';

/** Headers are small: longer names are cut. */
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
    row.warranted += receipt.warranted;
    row.locks_waited += receipt.locks_waited;
    row.waited_us += receipt.waited_us;
    row.retries += receipt.retries;
    row.body_runs += receipt.body_runs;
    row.forecasts_out += receipt.forecasts_out;
    row.turn_waited_us += receipt.turn_waited_us;
    row.batched += receipt.batch === null ? 0 : 1;
    row.batch_members += receipt.batch?.members ?? 0;
    row.chains_broken += receipt.chains_broken;
    row.duration_ms += receipt.duration_ms;
  }

  addFromMemory(label: string, operations: number): void {
    const row = this.#row(label);
    row.count++;
    row.operations += operations;
    row.warranted += operations;
  }

  #row(label: string): TransactionCost {
    const name = label.length <= LABEL_LENGTH_MAX ? label : `${label.slice(0, LABEL_LENGTH_MAX - 1)}…`;
    const row = this.#rows.get(name);
    if (row !== undefined) return row;
    if (name !== COST_OTHERS && this.#rows.size >= COST_LABELS_MAX - 1) return this.#row(COST_OTHERS);
    const fresh = { ...NO_COST, label: name };
    this.#rows.set(name, fresh);
    return fresh;
  }

  toHeader(): string {
    return costHeader(this.#rows.values());
  }
}

const sheets = new WeakMap<object, CostSheet>();

/** The request was told a value that rests on so many operations, without a message. Nothing happens if its cost is not reported. */
export function countFromMemory(request: object, label: string, operations: number): void {
  sheets.get(request)?.addFromMemory(label, operations);
}

/** For all routes of `api`. REQUIRES: their requests already have a client (overload/deadline.ts). */
export function reportCost(api: App): void {
  api.addHook('onRequest', async (request) => {
    const sheet = new CostSheet();
    sheets.set(request, sheet);
    request.claret = request.claret.observed((receipt) => {
      if (receipt.label !== NATIVE_LABEL) sheet.add(receipt);
    });
  });
  api.addHook('onSend', async (request, reply) => {
    const sheet = sheets.get(request);
    if (sheet !== undefined && !sheet.empty) reply.header(COST_HEADER, sheet.toHeader());
  });
}
