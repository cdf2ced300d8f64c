// One fresh client process of the benchmark: keeps one-shot rawmix transactions in flight, checks what they stored, and ends.

import { connect } from '@claret/client';
import { answerParent } from '../../kit/driver-process.ts';
import { randomFrom } from '../../kit/random.ts';
import { Rawmix } from '../../workloads/rawmix.ts';
import { runCell } from '../peers/cell.ts';
import { countCollections, type Collected } from './collections.ts';
import type { Answer, Question } from './question.ts';

const ALPHA = 1;
const UPDATE = 0.5;

answerParent<Question, Answer>(async ({ address, pid, inFlight, warm_seconds, seconds, seed }) => {
  const claret = await connect({ addresses: [address], name: 'bench' });
  const rawmix = new Rawmix({ alpha: ALPHA, update: UPDATE, name: `process-${seed}-${inFlight}` }, randomFrom(seed));
  const run = async () => {
    await rawmix.run(claret, rawmix.draw(claret), 'one-shot');
    return true;
  };
  let collected: Collected | null = null;
  setTimeout(() => {
    const end = countCollections();
    setTimeout(() => (collected = end()), 1000 * seconds);
  }, 1000 * warm_seconds);
  const cell = await runCell(
    { run, aborts: () => claret.counters.retries, mismatches: () => rawmix.mismatches(claret), close: () => claret.close() },
    { clients: inFlight, warm_seconds, seconds, server_pids: [pid] },
  );
  await claret.close();
  const { total_ms, longest_ms, promoted_share } = collected!;
  return {
    txn_per_s: cell.txn_per_s,
    p99_ms: cell.p99_ms,
    driver_us_per_txn: cell.driver_us_per_txn,
    others_cpu: cell.others_cpu,
    collecting_share: total_ms / (1000 * seconds),
    longest_collection_ms: longest_ms,
    promoted_share,
    mismatches: cell.mismatches,
  };
});
