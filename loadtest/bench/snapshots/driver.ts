// A driver process of the snapshot benchmark: it writes, or it scans.

import { connect, type Claret } from '@claret/client';
import { runClosedLoop } from '../../kit/closed-loop.ts';
import { answerParent } from '../../kit/driver-process.ts';
import { randomFrom } from '../../kit/random.ts';
import { median } from '../../kit/statistics.ts';
import type { Answer, Question, Scanning, Writing } from './question.ts';

const WARM_SECONDS = 0.5;

type Of<Role extends Question['role']> = Extract<Question, { role: Role }>;

/** Each transaction moves one from a record to another, so the sum of all stays 0. */
async function write(claret: Claret, { seconds, prefix, records, inFlight, seed }: Of<'write'>): Promise<Writing> {
  const random = randomFrom(seed);
  const key = () => `${prefix}${Math.floor(random() * records)}`;
  let waitedMs = 0;
  let ended = 0;
  const observed = claret.observed(({ waited_us }) => {
    waitedMs += waited_us / 1000;
    ended++;
  });
  const load = {
    begin(done: () => void) {
      void observed.transact('Move', [claret.on.counter(key()).add(1), claret.on.counter(key()).add(-1)]).then(done);
    },
    close: () => {},
  };
  const span = await runClosedLoop(load, { inFlight, seconds, warmSeconds: WARM_SECONDS, serverPids: [] });
  return { txn_per_s: span.count / span.seconds, waited_ms: waitedMs / ended };
}

async function scan(claret: Claret, { seconds, prefix, records, isolation, everyMs }: Of<'read'>): Promise<Scanning> {
  const keys = Array.from({ length: records }, (_, i) => `${prefix}${i}`);
  let waitedMs = 0;
  const observed = claret.observed((receipt) => (waitedMs += receipt.waited_us / 1000));
  const times: number[] = [];
  const before = { ...claret.counters };
  const untilMs = performance.now() + 1000 * (seconds + WARM_SECONDS);
  while (performance.now() < untilMs) {
    const begunMs = performance.now();
    const body = (tx: Parameters<Parameters<Claret['transaction']>[1]>[0]) => Promise.all(keys.map((key) => tx.counter(key).value()));
    const values = await observed.transaction('Scan', body, { isolation, timeoutMs: 60_000 });
    const sum = values.reduce<number>((all, value) => all + Number(value), 0);
    if (sum !== 0) throw new Error(`a scan saw a sum of ${sum}`);
    times.push(performance.now() - begunMs);
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, everyMs - times.at(-1)!)));
  }
  const { retries, snapshotsMoved } = claret.counters;
  return {
    scans: times.length,
    scan_ms: median(times),
    waited_ms: waitedMs / times.length,
    retries: retries - before.retries,
    moved: snapshotsMoved - before.snapshotsMoved,
  };
}

async function sumOf(claret: Claret, { prefix, records }: Of<'sum'>): Promise<number> {
  const body = (tx: Parameters<Parameters<Claret['transaction']>[1]>[0]) =>
    Promise.all(Array.from({ length: records }, (_, i) => tx.counter(`${prefix}${i}`).value()));
  const values = await claret.transaction('Sum', body, { isolation: 'snapshot' });
  return values.reduce<number>((all, value) => all + Number(value), 0);
}

answerParent<Question, Answer>(async (question) => {
  const claret = await connect({ addresses: question.addresses, name: `bench-${question.role}` });
  try {
    if (question.role === 'write') return { writing: await write(claret, question) };
    if (question.role === 'read') return { scanning: await scan(claret, question) };
    return { sum: await sumOf(claret, question) };
  } finally {
    await claret.close();
  }
});
