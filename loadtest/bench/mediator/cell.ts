// One cell in the driver: a closed loop of logical clients, each of which sends its next native or transaction when the last has been
// answered.

import { ClaretError, connect, type Claret, type ConnectOptions } from '@claret/client';
import { runClosedLoop, type Load } from '../../kit/closed-loop.ts';
import { quantile } from '../../kit/statistics.ts';
import type { AcknowledgedAdds } from './counters.ts';
import { readTotals } from './gateways.ts';
import type { CellAnswer, CellQuestion } from './question.ts';
import { sendingOf, type Send } from './sending.ts';
import type { Item, Traffic } from './traffic.ts';

/** Transactions are limited by time, not by the number of attempts. */
const ATTEMPTS_MAX = 100_000;
/** Where long transactions wait for each other, it takes very long until each client has been answered once. */
const STRETCH_MAX = 4;

export const optionsOf = ({ addresses, poll_us }: Pick<CellQuestion, 'addresses' | 'poll_us'>): ConnectOptions => ({
  addresses,
  name: 'bench',
  pollMicroseconds: poll_us,
  attemptsMax: ATTEMPTS_MAX,
});

/** The error must say that nothing was applied: otherwise the check could not tell it from a lost update. */
export function throwUnlessNothingDone(error: unknown): void {
  if (!(error instanceof ClaretError) || error.commitState !== 'none') throw error;
}

export async function runCell(question: CellQuestion, traffic: Traffic, acknowledged: AcknowledgedAdds): Promise<CellAnswer> {
  const claret = await connect(optionsOf(question));
  try {
    const before = await readTotals(question.rests);
    const load = new MixLoad(claret, sendingOf(question.curve, claret), traffic, acknowledged);
    const span = await runClosedLoop(load, {
      inFlight: question.clients,
      warmSeconds: question.warm_seconds,
      seconds: question.seconds,
      stretchMax: STRETCH_MAX,
      serverPids: question.pids,
    });
    const after = await readTotals(question.rests);
    const [first, last] = span.totals! as [MixTotals, MixTotals];
    const grown = (figure: keyof MixTotals) => last[figure] - first[figure];
    const latencies = load.latenciesMs.slice(first.transactions, last.transactions);
    const operations = Math.max(1, grown('operations'));
    return {
      seconds: span.seconds,
      ops_per_s: grown('operations') / span.seconds,
      natives_per_s: grown('natives') / span.seconds,
      txn_per_s: grown('transactions') / span.seconds,
      txn_p50_ms: latencies.length === 0 ? null : quantile(latencies, 0.5),
      txn_p99_ms: latencies.length === 0 ? null : quantile(latencies, 0.99),
      retries_per_txn: grown('retries') / Math.max(1, grown('transactions')),
      gateway_us_per_op: span.server_cpu_us / operations,
      client_us_per_op: span.client_cpu_us / operations,
      failures: load.failures,
      natives: after.natives - before.natives,
      begun: after.begun - before.begun,
      breaks: after.breaks - before.breaks,
      mismatches: await acknowledged.mismatches(claret),
    };
  } finally {
    await claret.close();
  }
}

type MixTotals = ReturnType<MixLoad['totals']>;

class MixLoad implements Load {
  failures = 0;
  /** of all transactions that have committed, in order */
  readonly latenciesMs: number[] = [];
  readonly #claret: Claret;
  readonly #send: Send;
  readonly #traffic: Traffic;
  readonly #acknowledged: AcknowledgedAdds;
  #operations = 0;
  #natives = 0;

  constructor(claret: Claret, send: Send, traffic: Traffic, acknowledged: AcknowledgedAdds) {
    this.#claret = claret;
    this.#send = send;
    this.#traffic = traffic;
    this.#acknowledged = acknowledged;
  }

  begin(done: () => void): void {
    const item = this.#traffic.next();
    const begunMs = item.isNative ? 0 : performance.now();
    this.#send(item).then(
      () => {
        this.#count(item, begunMs);
        done();
      },
      (error: unknown) => {
        throwUnlessNothingDone(error);
        this.failures++;
        setImmediate(done);
      },
    );
  }

  #count(item: Item, begunMs: number): void {
    this.#operations += item.steps.length;
    if (item.isNative) this.#natives++;
    else this.latenciesMs.push(performance.now() - begunMs);
    this.#acknowledged.acknowledge(item);
  }

  totals() {
    const { retries } = this.#claret.counters;
    return { operations: this.#operations, natives: this.#natives, transactions: this.latenciesMs.length, retries };
  }

  close(): void {}
}
