// What a client makes of the answers of a transaction's home shard, against scripted shards.

import { afterEach, expect, it } from 'vitest';
import type { Claret } from '../claret.ts';
import { connect } from '../connect.ts';
import { CalmEnvironment } from '../testing/calm-environment.ts';
import { keyOn } from '../testing/keys.ts';
import { ScriptedShard } from '../testing/scripted-shard.ts';
import { evenTopology } from '../topology/topology.ts';
import { LocalTransport } from '../transport/local.ts';
import { encodeAnswer } from './answer.ts';

const [A, B] = [keyOn(0), keyOn(1)];
let claret: Claret;
afterEach(() => claret.close(0));

/** The request that begins the part of that attempt there. */
async function beginning(shard: ScriptedShard, retries: number): Promise<any> {
  const of = (frame: any) => frame.requests.find((request: any) => request.begin?.retries === retries);
  return of(await shard.frame(of));
}

it('that it has let an attempt begin says nothing of the next one: another caller may have committed in between', async () => {
  const [a, home] = [new ScriptedShard(0), new ScriptedShard(1)];
  const shards = new Map([
    ['s0', a],
    ['s1', home],
  ]);
  const transport = new LocalTransport({ shards, topology: () => evenTopology(['s0', 's1']) });
  claret = await connect({ addresses: ['s0'], transport, timeoutMs: 10_000, environment: new CalmEnvironment() });
  const paid = claret.transaction(
    'Pay',
    async (tx) => {
      if (tx.retries === 0) await tx.counter(B).value(); // its home lets it begin
      if (Number(await tx.counter(A).value()) > 0) throw new Error('nothing left');
      return 'paid';
    },
    { id: claret.transactionId(B) },
  );
  const first = await beginning(home, 0);
  home.say({ replies: [{ attempt: first.attempt, results: [{ integer: '0' }] }] });
  const there = await beginning(a, 0);
  // The next attempt does not begin with the locks of this one, so it does not ask its home by that.
  a.say({ replies: [{ attempt: there.attempt, error: { code: 'wrong_shard', message: 'it has moved', retryable: true } }] });
  // The effect of another call with the id, which the body takes for somebody else's.
  const again = await beginning(a, 1);
  a.say({ replies: [{ attempt: again.attempt, results: [{ integer: '1' }] }] });
  const asking = home.frame(({ requests }: any) => requests.some(({ begin }: any) => begin?.retries > 0));
  const asked = await Promise.race([asking, paid]); // or it fails with what its body has thrown
  const { attempt, begin } = asked.requests.find((request: any) => request.begin?.retries > 0);
  expect(begin.transaction).toHaveLength(first.begin.transaction.length);
  home.say({ replies: [{ attempt, committed: { at: '512', answer: Buffer.from(encodeAnswer('paid by another call')) } }] });
  expect(await paid).toBe('paid by another call');
});
