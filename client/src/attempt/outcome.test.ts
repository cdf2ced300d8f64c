// The end of an attempt at the client, against scripted shards: its messages if answers are late, lost or doubled.

import { afterEach, expect, it } from 'vitest';
import type { Claret } from '../claret.ts';
import { connect } from '../connect.ts';
import { CalmEnvironment } from '../testing/calm-environment.ts';
import { keyOn } from '../testing/keys.ts';
import { ScriptedShard } from '../testing/scripted-shard.ts';
import { evenTopology } from '../topology/topology.ts';
import { LocalTransport } from '../transport/local.ts';

const A = keyOn(0);
const B = keyOn(1);
const SECOND_OF_TICKS = 1_000n * 4_000n * 256n;
let claret: Claret;
let a: ScriptedShard;
let b: ScriptedShard;
/** how long the machine was suspended: its steady clock stood still */
let suspendedMs = 0;
const calm = new CalmEnvironment();
const environment = { ...calm, civilMs: () => calm.civilMs() + suspendedMs };
afterEach(async () => {
  suspendedMs = 0;
  await claret.close(0);
});

async function start(timeoutMs = 3000): Promise<void> {
  a = new ScriptedShard(0);
  b = new ScriptedShard(1);
  const transport = new LocalTransport({
    shards: new Map([
      ['s0', a],
      ['s1', b],
    ]),
    topology: () => ({ ...evenTopology(['s0', 's1']), durability: 'sync' }),
  });
  claret = await connect({ addresses: ['s0'], transport, timeoutMs, environment });
}

const adds = () => claret.transact('Adds', [claret.on.counter(A).add(1), claret.on.counter(B).add(1)]);
const reads = () => claret.transact('Reads', [claret.on.counter(A).value(), claret.on.counter(B).value()]);
const retried = (shard: ScriptedShard) => shard.frame((frame) => frame.requests.some((request: any) => request.begin?.retries === 1));
const result = { results: [{ integer: '4' }] };

it('a prepare is marked as observing only if no operation on any shard changes anything', async () => {
  await start();
  void reads().catch(() => {});
  void adds().catch(() => {});
  void claret.transact('Mixed', [claret.on.counter(A).value(), claret.on.counter(B).add(1)]).catch(() => {});
  for (const shard of [a, b]) {
    expect((await shard.request('Reads')).prepare).toMatchObject({ participants: [0, 1], observesOnly: true });
    expect((await shard.request('Adds')).prepare.observesOnly).toBe(false);
    expect((await shard.request('Mixed')).prepare.observesOnly).toBe(false);
  }
});

const HOLDS_UNTIL = String(1n * SECOND_OF_TICKS);
const LATE = String(6n * SECOND_OF_TICKS);

/** A read whose commit timestamp is beyond the limit of shard a's vote. Its caller must wait until that shard has the outcome. */
async function readThatOutlivesItsVote(): Promise<{ attempt: string; reading: Promise<unknown>; state: { isSettled: boolean } }> {
  const reading = reads();
  const state = { isSettled: false };
  reading.then(
    () => (state.isSettled = true),
    () => {},
  );
  const { attempt } = await a.request('Reads');
  await b.request('Reads');
  a.acknowledges = false;
  a.say({ replies: [{ attempt, ...result, votedAt: '256', holdsUntil: HOLDS_UNTIL }] });
  b.say({ replies: [{ attempt, ...result, votedAt: LATE, holdsUntil: LATE }] });
  expect(await a.frame((frame) => frame.committed.length > 0)).toMatchObject({ committed: [attempt], committedAt: [LATE] });
  return { attempt, reading, state };
}

it('a read resolves at once if all votes hold for its commit timestamp', async () => {
  await start();
  const reading = reads();
  const { attempt } = await a.request('Reads');
  await b.request('Reads');
  a.acknowledges = b.acknowledges = false;
  a.say({ replies: [{ attempt, ...result, votedAt: '256', holdsUntil: LATE }] });
  b.say({ replies: [{ attempt, ...result, votedAt: LATE, holdsUntil: LATE }] });
  expect(await reading).toEqual([4, 4]);
});

it("a read whose commit timestamp is beyond a vote's limit resolves once that shard has acknowledged the outcome", async () => {
  await start();
  const { reading, state } = await readThatOutlivesItsVote();
  a.say({});
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(state.isSettled).toBe(false);
  a.acknowledges = true;
  a.say({});
  expect(await reading).toEqual([4, 4]);
});

it('a read is not told if the machine was suspended beyond its time before the shard acknowledged the outcome', async () => {
  await start(60_000);
  const { reading } = await readThatOutlivesItsVote();
  suspendedMs = 60_000;
  a.acknowledges = true;
  a.say({});
  await expect(reading).rejects.toMatchObject({ code: 'gave_up', commitState: 'none' });
});

it('a read is retried if the session is lost before the shard has acknowledged the outcome', async () => {
  await start();
  const { reading, state } = await readThatOutlivesItsVote();
  a.acknowledges = true;
  a.breakSession();
  const again = (await retried(a)).requests[0].attempt;
  await retried(b);
  expect(state.isSettled).toBe(false);
  a.say({ replies: [{ attempt: again, ...result, votedAt: LATE }] });
  b.say({ replies: [{ attempt: again, ...result, votedAt: LATE }] });
  expect(await reading).toEqual([4, 4]);
});

it('a read whose vote was lost is retried without an inquiry', async () => {
  await start();
  void reads().catch(() => {});
  const { attempt } = await a.request('Reads');
  await b.request('Reads');
  a.say({ replies: [{ attempt, ...result, votedAt: '256' }] });
  b.breakSession();
  await retried(a);
  expect(b.heard.every((frame) => frame.inquiries.length === 0)).toBe(true);
  expect(a.heard.some((frame) => frame.aborted.includes(attempt))).toBe(true);
});

it('after all prepares are sent, no abort is announced until a shard has reported one', async () => {
  await start(500);
  const adding = adds();
  const { attempt } = await a.request('Adds');
  await b.request('Adds');
  a.say({ replies: [{ attempt, votedAt: '5' }] });
  // The attempt's time is over, so the client asks repeatedly for the outcome.
  const { inquiries } = await b.frame((frame) => frame.inquiries.length > 0);
  expect([...a.heard, ...b.heard].every((frame) => frame.aborted.length === 0)).toBe(true);
  b.say({ answers: [{ ticket: inquiries[0].ticket, state: 'ABORTED' }] });
  await expect(adding).rejects.toMatchObject({ commitState: 'none' });
  expect((await a.frame((frame) => frame.aborted.length > 0)).aborted).toEqual([attempt]);
  expect(b.heard.every((frame) => frame.aborted.length === 0)).toBe(true);
});

it('after the machine was suspended, a shard that does not know an attempt may have forgotten its commit', async () => {
  await start(60_000);
  const adding = adds();
  const { attempt } = await a.request('Adds');
  await b.request('Adds');
  a.say({ replies: [{ attempt, votedAt: '5' }] });
  suspendedMs = 70_000;
  b.breakSession();
  const { inquiries } = await b.frame((frame) => frame.inquiries.length > 0);
  b.say({ answers: [{ ticket: inquiries[0].ticket, state: 'ABORTED' }] });
  const again = retried(a).then(() => 'it runs again');
  expect(await Promise.race([adding.catch((error: unknown) => error), again])).toMatchObject({ code: 'outcome_unknown' });
});

it('an attempt whose outcome cannot be found out is abandoned to the shards and never retried', async () => {
  await start(100);
  const adding = adds();
  const { attempt } = await a.request('Adds');
  await b.request('Adds');
  a.say({ replies: [{ attempt, votedAt: '5' }] });
  const prepares = b.heard.length;
  await expect(adding).rejects.toMatchObject({ code: 'outcome_unknown', commitState: 'unknown', retryable: false });
  expect((await a.frame((frame) => frame.abandoned.length > 0)).abandoned).toEqual([attempt]);
  expect((await b.frame((frame) => frame.abandoned.length > 0)).abandoned).toEqual([attempt]);
  expect(b.heard.slice(prepares).every((frame) => frame.requests.length === 0 && frame.aborted.length === 0)).toBe(true);
});

it('a duplicate frame is dropped silently', async () => {
  await start();
  const adding = claret.transact('Add', [claret.on.counter(A).add(1)]);
  const { attempt } = await a.request('Add');
  a.say({ replies: [{ attempt, committedAt: '5' }] });
  a.repeat();
  await adding;
  a.repeat();
  expect(claret.counters.sessionsLost).toBe(0);
});

it('a missing frame ends the session, and the client asks for the outcome of the commit', async () => {
  await start();
  const adding = claret.transact('Add', [claret.on.counter(A).add(1)]);
  await a.request('Add');
  a.skip();
  a.say({});
  const { inquiries } = await a.frame((frame) => frame.inquiries.length > 0);
  expect(a.sessions).toBe(2);
  a.say({ answers: [{ ticket: inquiries[0].ticket, state: 'COMMITTED', timestamp: '5' }] });
  await adding;
});
