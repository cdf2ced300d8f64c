// A client in a separate process, whose event loop can be blocked on command. It reads commands from standard input, one in each line, and
// reports the result and the duration of each transaction on standard output.
//   {"begin": NAME, "kind": KIND, "timeoutMs": MS, "id": true | false}   {"standStillMs": MS}   {"end": true}
import { createInterface } from 'node:readline';
import { connect, type Claret, type ClaretError, type TransactionOptions } from '@claret/client';

export type Kind = 'hangs' | 'holds' | 'adds' | 'counts';

export interface Ended {
  name: string;
  /** the error's code; "ok": the transaction committed */
  code: string;
  commitState: string;
  /** duration of the transaction */
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

const report = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`);

const claret = await connect({ addresses: process.argv.slice(2) });
claret.onStatus(({ shards }) => report({ states: shards.map(({ state }) => state) }));
report({ states: claret.status.shards.map(({ state }) => state) });

for await (const line of createInterface({ input: process.stdin })) {
  const command = JSON.parse(line) as { begin?: string; kind: Kind; timeoutMs: number; id: boolean; standStillMs?: number };
  if (command.begin !== undefined) {
    const options = { timeoutMs: command.timeoutMs, ...(command.id ? { id: claret.transactionId(KEY) } : {}) };
    const sinceMs = performance.now();
    const end = (code: string, commitState: string) =>
      report({ name: command.begin, code, commitState, afterMs: performance.now() - sinceMs });
    kinds[command.kind](claret, options).then(
      () => end('ok', 'applied'),
      (error: ClaretError) => end(error.code, error.commitState),
    );
  } else if (command.standStillMs !== undefined) {
    // The transactions begun before are sent first, at the end of this turn and of the next.
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, command.standStillMs);
    report({ stoodStill: true });
  }
}
await claret.close(0);
process.exit(0);
