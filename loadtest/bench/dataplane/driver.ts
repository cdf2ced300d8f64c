// The driver process of the data-plane benchmark: runs one load at a time and returns its measurements.

import { runClosedLoop, type Load, type Span } from '../../kit/closed-loop.ts';
import { answerParent } from '../../kit/driver-process.ts';
import { batchLoad } from './batch.ts';
import { messageLoad } from './message.ts';
import { Operations, checkCounters } from './operations.ts';
import type { Question } from './question.ts';
import { transactionLoad } from './transactions.ts';
import { unaryLoad } from './unary.ts';

const WARM_SHARE = 0.4;

let operations: Operations | null = null;

async function loadOf({ gateways, what, seed }: Question): Promise<Load> {
  const { addresses } = gateways;
  if (what === null) throw new Error('nothing to do');
  if ('shape' in what) return transactionLoad(addresses, what.shape, seed);
  operations ??= new Operations(seed);
  if (what.mode === 'unary') return unaryLoad(addresses[0]!, operations);
  if (what.mode === 'message') return messageLoad(addresses[0]!, operations);
  return batchLoad(addresses[0]!, operations, what.pollMicroseconds);
}

answerParent<Question, Span | null>(async (question) => {
  const { gateways, what, inFlight, seconds } = question;
  if (what === null) {
    await checkCounters(gateways.addresses[0]!, operations?.adds ?? 0);
    return null;
  }
  const load = await loadOf(question);
  const span = await runClosedLoop(load, { inFlight, seconds, warmSeconds: seconds * WARM_SHARE, serverPids: gateways.pids });
  await load.close();
  return span;
});
