// Latencies of single operations, alone and beside transactions (Mediator, Table 1).

import { setTimeout as pause } from 'node:timers/promises';
import { connect } from '@claret/client';
import { randomFrom } from '../../kit/random.ts';
import { quantile } from '../../kit/statistics.ts';
import { optionsOf, throwUnlessNothingDone } from './cell.ts';
import type { AcknowledgedAdds } from './counters.ts';
import type { Latencies, LatencyAnswer, LatencyQuestion } from './question.ts';
import { asNative, asTransaction, transactionOf } from './sending.ts';
import { Traffic, type Item } from './traffic.ts';

const READS = 0.5;

export async function runLatencies(question: LatencyQuestion, acknowledged: AcknowledgedAdds): Promise<LatencyAnswer> {
  const { alpha, beside, sent, clients, seed } = question;
  // Another client, as of another app server: else the operations would wait for the frames of the transactions.
  const [claret, other] = await Promise.all([connect(optionsOf(question)), connect(optionsOf(question))]);
  const single = (sent === 'native' ? asNative : asTransaction)(claret);
  const traffic = new Traffic({ natives: 1, reads: READS, size: 1, alpha }, randomFrom(seed));
  const background = new Traffic({ natives: 0, reads: READS, size: beside?.size ?? 1, alpha }, randomFrom(seed + 1));
  const times = { read: [] as number[], write: [] as number[] };
  let stopping = false;
  const loop = async (next: () => Item, send: (item: Item) => Promise<unknown>) => {
    while (!stopping) {
      const item = next();
      try {
        await send(item);
        acknowledged.acknowledge(item);
      } catch (error) {
        throwUnlessNothingDone(error);
        await pause(0);
      }
    }
  };
  const timed = async (item: Item) => {
    const [step] = item.steps;
    const begunMs = performance.now();
    await single(step!);
    times[step!.reads ? 'read' : 'write'].push(performance.now() - begunMs);
  };
  const running = [
    ...Array.from({ length: clients }, () => loop(() => traffic.next(), timed)),
    ...Array.from({ length: beside?.clients ?? 0 }, () =>
      loop(
        () => background.next(),
        ({ steps }) => transactionOf(other, steps),
      ),
    ),
  ];
  await pause(1000 * question.warm_seconds);
  times.read = [];
  times.write = [];
  await pause(1000 * question.seconds);
  const measured = { read: latenciesOf(times.read), write: latenciesOf(times.write) };
  stopping = true;
  await Promise.all(running);
  const mismatches = await acknowledged.mismatches(claret);
  await Promise.all([claret.close(), other.close()]);
  return { ...measured, mismatches };
}

function latenciesOf(times: readonly number[]): Latencies {
  if (times.length === 0) throw new Error('no operation was answered in the span');
  return { count: times.length, p50_ms: quantile(times, 0.5), p99_ms: quantile(times, 0.99) };
}
