// A client in a process of its own, whose event loop stands still when it is told to. Reads orders from standard input, a line
// each, and tells on standard output how each transaction ended and how long that took.
//   {"begin": NAME, "kind": KIND, "timeoutMs": MS, "id": true | false}   {"standStillMs": MS}   {"end": true}
import { createInterface } from 'node:readline';
import { connect, type Claret, type ClaretError, type TransactionOptions } from '@claret/client';

export type Kind = 'hangs' | 'holds' | 'adds' | 'counts';

export interface Ended {
  name: string;
  /** the error's code; "ok": it committed */
  code: string;
  commitState: string;
  /** since it was begun */
  afterMs: number;
}

const KEY = 'standstill';

const never = () => new Promise<never>(() => {});

const kinds: Record<Kind, (claret: Claret, options: TransactionOptions) => Promise<unknown>> = {
  hangs: (claret, options) => claret.transaction('Hangs', never, options),
  holds: (claret, options) => claret.transaction('Holds', async (tx) => (await tx.counter('held').value(), never()), options),
  adds: (claret, options) => claret.transact('Adds', [claret.on.counter(KEY).add(1)], options),
  counts: (claret, options) => claret.transaction('Counts', async (tx) => (tx.counter(KEY).add(1), tx.counter(KEY).value()), options),
};

const tell = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`);

const claret = await connect({ addresses: process.argv.slice(2) });
claret.onStatus(({ shards }) => tell({ states: shards.map(({ state }) => state) }));
tell({ states: claret.status.shards.map(({ state }) => state) });

for await (const line of createInterface({ input: process.stdin })) {
  const order = JSON.parse(line) as { begin?: string; kind: Kind; timeoutMs: number; id: boolean; standStillMs?: number };
  if (order.begin !== undefined) {
    const options = { timeoutMs: order.timeoutMs, ...(order.id ? { id: claret.transactionId(KEY) } : {}) };
    const sinceMs = performance.now();
    const end = (code: string, commitState: string) => tell({ name: order.begin, code, commitState, afterMs: performance.now() - sinceMs });
    kinds[order.kind](claret, options).then(
      () => end('ok', 'applied'),
      (error: ClaretError) => end(error.code, error.commitState),
    );
  } else if (order.standStillMs !== undefined) {
    // What has been begun leaves first, at the end of this turn and of the next.
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, order.standStillMs);
    tell({ stoodStill: true });
  }
}
await claret.close(0);
process.exit(0);
