// The client against scripted shards, for behaviour that real shards cannot easily be made to show.

import { afterEach, describe, expect, it } from 'vitest';
import type { Claret } from '../claret.ts';
import { connect } from '../connect.ts';
import type { RetryPolicy } from '../limits/retry-policy.ts';
import type { Tx } from '../transaction/tx.ts';
import { CalmEnvironment } from '../testing/calm-environment.ts';
import { keyOn } from '../testing/keys.ts';
import { ScriptedShard } from '../testing/scripted-shard.ts';
import { evenTopology, type TopologyDescription } from '../topology/topology.ts';
import { LocalTransport } from '../transport/local.ts';
import { steered } from '../transaction/steered-options.ts';

const A = keyOn(0);
const B = keyOn(1);
const environment = new CalmEnvironment();
const pause = (ms: number) => environment.pause(ms);
let claret: Claret;
afterEach(() => claret.close(0));

async function scripted(
  prepare: (shards: ScriptedShard[]) => void = () => {},
  topology?: () => TopologyDescription,
  retryPolicy: Partial<RetryPolicy> = {},
) {
  const shards = [new ScriptedShard(0), new ScriptedShard(1)];
  prepare(shards);
  const byAddress = new Map(shards.map((shard) => [`s${shard.number}`, shard]));
  byAddress.set('old', new ScriptedShard(5));
  const transport = new LocalTransport({ shards: byAddress, topology: topology ?? (() => evenTopology(['s0', 's1'])) });
  claret = await connect({ addresses: ['s0'], transport, timeoutMs: 3000, retryPolicy, environment });
  return shards as [ScriptedShard, ScriptedShard];
}

describe('a session', () => {
  it('sends hello first, and then the incarnation from the welcome', async () => {
    const [a] = await scripted();
    void claret.transact('One', [claret.on.counter(A).add(1)]).catch(() => {});
    await a.request('One');
    expect(a.heard[0]).toMatchObject({ sequence: '1', incarnation: '0', hello: { protocol: 1 } });
    expect(a.heard[1]).toMatchObject({ sequence: '2', incarnation: '7', hello: null });
    expect(a.heard[1].requests[0].begin.id).toHaveLength(16);
  });

  it('holds requests back after eight unacknowledged frames, but never aborts', async () => {
    const [a] = await scripted();
    await expect.poll(() => claret.status.shards[0]!.state, { interval: 1 }).toBe('live');
    a.acknowledges = false;
    const gone = new Error('gone');
    let leave = () => {};
    const left = new Promise<void>((resolve) => (leave = resolve));
    const leaving = claret.transaction('Leave', async (tx) => {
      void tx
        .counter(A)
        .value()
        .then(undefined, () => {});
      await left;
      throw gone;
    });
    await a.request('Leave');
    for (let i = 0; i < 12; i++) {
      void claret.transact(`T${i}`, [claret.on.counter(A).add(1)]).catch(() => {});
      await pause(2);
    }
    const labels = () => a.heard.flatMap((frame) => frame.requests.map((request: any) => request.begin.label));
    expect(a.heard.filter((frame) => frame.requests.length > 0)).toHaveLength(8);
    const before = labels();
    expect(before).toEqual(['Leave', 'T0', 'T1', 'T2', 'T3', 'T4', 'T5', 'T6', 'T7', 'T8', 'T9', 'T10'].slice(0, before.length));
    leave();
    await expect(leaving).rejects.toBe(gone);
    const { aborted } = await a.frame((frame) => frame.aborted.length > 0);
    expect(aborted).toHaveLength(1);
    expect(labels()).toEqual(before);
    a.acknowledges = true;
    a.say({});
    await a.request('T11');
    expect(labels()).toHaveLength(13);
  });

  it('sends a large transaction in pieces, the first of them before the transaction ends', async () => {
    const [a] = await scripted();
    let go = () => {};
    const rest = new Promise<void>((resolve) => (go = resolve));
    const filling = claret.transaction('Fill', async (tx) => {
      await tx.counter(A).value();
      for (let i = 0; i < 1_100; i++) tx.set(A).add(`member ${i}`);
      await rest;
    });
    const { attempt } = await a.request('Fill');
    a.say({ replies: [{ attempt, results: [{ integer: '0' }] }] });
    const piece = (sentBefore: number) => (frame: any) => frame.requests.some((request: any) => request.sentBefore === sentBefore);
    const pieces: any[] = [];
    for (const sentBefore of [1, 513, 1_025]) {
      if (sentBefore === 1_025) go();
      const { requests } = await a.frame(piece(sentBefore));
      pieces.push(...requests);
      if (sentBefore !== 1_025) a.say({ replies: [{ attempt }] });
    }
    expect(pieces.map(({ operations, prepare }) => [operations.length, prepare !== null])).toEqual([
      [512, false],
      [512, false],
      [76, true],
    ]);
    a.say({ replies: [{ attempt, committedAt: '9' }] });
    await filling;
  });

  it('does not request a watch that was closed before it was sent', async () => {
    const [a] = await scripted();
    void claret.transact('One', [claret.on.counter(A).add(1)]).catch(() => {});
    await a.request('One');
    claret.watch([claret.on.counter(A).value()], () => {}).close();
    claret.watch([claret.on.set(A).size()], () => {});
    void claret.transact('Two', [claret.on.counter(A).add(1)]).catch(() => {});
    await a.request('Two');
    const watches = a.heard.flatMap((frame) => frame.watches);
    expect(watches).toHaveLength(1);
    expect(a.heard.flatMap((frame) => frame.unwatched ?? [])).toEqual([]);
  });

  it('ends an unanswered retry at its deadline, also if no other transaction runs', async () => {
    const [a] = await scripted((shards) => shards.forEach((shard) => (shard.leaseMs = 60_000)), undefined, {
      attemptFirstUs: 200_000,
      attemptLongestUs: 200_000,
    });
    const reading = claret.transaction('Read', async (tx) => tx.counter(A).value(), { timeoutMs: 500 });
    reading.catch(() => {});
    const { attempt } = await a.request('Read');
    a.heard = [];
    a.say({ replies: [{ attempt, error: { code: 'wounded', message: 'w', retryable: true } }] });
    await a.request('Read');
    await expect(reading).rejects.toMatchObject({ code: 'gave_up', commitState: 'none', retries: 1 });
  });

  it('ends on malformed bytes, and transactions in flight are retried', async () => {
    const [a] = await scripted();
    const beforeMs = environment.monotonicMs();
    const reading = claret.transaction('Read', async (tx) => Number(await tx.counter(A).value()) + 1);
    await a.request('Read');
    await pause(5);
    a.heard = [];
    a.sayBytes(Buffer.from([0xff, 0xff, 0xff]));
    const again = await a.request('Read');
    expect(again.begin.retries).toBe(1);
    // The age counts from the begin of the transaction, not of this attempt.
    expect(again.begin.ageUs).toBeGreaterThan(1000 * 4);
    expect(again.begin.ageUs).toBeLessThan(1000 * (environment.monotonicMs() - beforeMs));
    expect(a.sessions).toBe(2);
    a.say({ replies: [{ attempt: again.attempt, results: [{ integer: '4' }] }] });
    const prepare = (frame: any) => frame.requests.some((request: any) => request.prepare !== null);
    await a.frame(prepare);
    a.say({ replies: [{ attempt: again.attempt, committedAt: '9' }] });
    expect(await reading).toBe(5);
  });

  it('reports to the home shard the times thrown away and backing off before the attempt', async () => {
    const [a, b] = await scripted(undefined, undefined, { attemptFirstUs: 20_000, attemptLongestUs: 20_000 });
    const reading = claret.transaction('Read', async (tx) => Promise.all([tx.counter(A).value(), tx.counter(B).value()]));
    reading.catch(() => {});
    const first = await a.request('Read');
    expect(first.begin).toMatchObject({ thrownAwayUs: 0, backingOffUs: 0 });
    await pause(40);
    a.heard = [];
    b.heard = [];
    a.say({
      replies: [
        { attempt: first.attempt, error: { code: 'wounded', message: 'w', retryable: true }, waited: { locks: 1, microseconds: 15_000 } },
      ],
    });
    const { thrownAwayUs, backingOffUs, ageUs } = (await a.request('Read')).begin;
    // At least 40 ms, less the reported wait of 15 ms.
    expect(thrownAwayUs).toBeGreaterThan(20_000);
    expect(thrownAwayUs + backingOffUs).toBeLessThanOrEqual(ageUs - 15_000 + 1_000);
    expect(backingOffUs).toBeGreaterThan(0);
    expect((await b.request('Read')).begin).toMatchObject({ thrownAwayUs: 0, backingOffUs: 0, ageUs: 0 });
  });

  it('ends on a reply that lacks a result', async () => {
    const [a] = await scripted();
    void claret.transaction('Read', async (tx) => tx.counter(A).value().then(Number)).catch(() => {});
    const { attempt } = await a.request('Read');
    a.say({ replies: [{ attempt, results: [] }] });
    while (a.sessions < 2) await pause(1);
    expect(claret.counters.sessionsLost).toBe(1);
  });

  it('is lost when the shard falls silent for longer than the lease', async () => {
    const [a] = await scripted(([shard]) => (shard!.leaseMs = 600));
    while (a.sessions < 2) await pause(5);
    expect(a.heard.length).toBeGreaterThan(2);
  });

  it('with a shard that has moved reconnects to its new address in the topology', async () => {
    let addresses = ['old', 's1'];
    const [a] = await scripted(
      () => {},
      () => ({ ...evenTopology(addresses), version: addresses[0] === 'old' ? 1 : 2 }),
    );
    addresses = ['s0', 's1'];
    await a.frame((frame) => frame.hello);
    while (claret.status.shards.some(({ state }) => state !== 'live')) await pause(5);
    expect(claret.status.shards[0]).toMatchObject({ address: 's0', state: 'live' });
  });
});

describe('a transaction over two shards', () => {
  const both = () => claret.transact('Both', [claret.on.counter(A).add(1), claret.on.counter(B).add(1)]);

  it('names both participants to both, commits at the greater vote, and forgets only delivered outcomes', async () => {
    const [a, b] = await scripted();
    const committing = both();
    const [onA, onB] = [await a.request('Both'), await b.request('Both')];
    for (const request of [onA, onB]) expect(request.prepare.participants).toEqual([0, 1]);
    expect(onA.begin.id).toEqual(onB.begin.id);
    expect(onA.attempt).toBe(onB.attempt);
    b.acknowledges = false;
    a.say({ replies: [{ attempt: onA.attempt, votedAt: String(2n ** 40n) }] });
    b.say({ replies: [{ attempt: onB.attempt, votedAt: String(2n ** 40n + 5n) }] });
    expect(await committing).toEqual([undefined, undefined]);
    for (const shard of [a, b]) {
      const outcome = await shard.frame((frame) => frame.committed.length > 0);
      expect(outcome).toMatchObject({ committed: [onA.attempt], committedAt: [String(2n ** 40n + 5n)] });
    }
    a.say({});
    void claret.transact('Next', [claret.on.counter(A).add(1)]).catch(() => {});
    const before = await a.frame((frame) => frame.requests.some((request: any) => request.begin?.label === 'Next'));
    expect(before.forgottenBelow).toBe(onA.attempt);
    b.acknowledges = true;
    b.say({});
    void claret.transact('Last', [claret.on.counter(A).add(1)]).catch(() => {});
    const after = await a.frame((frame) => frame.requests.some((request: any) => request.begin?.label === 'Last'));
    expect(Number(after.forgottenBelow)).toBeGreaterThan(Number(onA.attempt));
  });

  it('is aborted at the other shard when one refuses, and retried if the error is retryable', async () => {
    const [a, b] = await scripted();
    const committing = both();
    const { attempt } = await a.request('Both');
    await b.request('Both');
    a.say({ replies: [{ attempt, votedAt: '5' }] });
    b.say({ replies: [{ attempt, error: { code: 'wounded', retryable: true } }] });
    expect(await a.frame((frame) => frame.aborted.length > 0)).toMatchObject({ aborted: [attempt] });
    const again = await a.frame((frame) => frame.requests.some((request: any) => request.begin?.retries === 1));
    const retried = again.requests[0];
    expect(retried.begin.priority).toBe((await a.request('Both')).begin.priority);
    b.say({ replies: [{ attempt: retried.attempt, error: { code: 'wrong_type', key: B } }] });
    await expect(committing).rejects.toMatchObject({ code: 'wrong_type', key: B, retries: 1, commitState: 'none' });
  });

  it('whose vote was lost causes inquiries until its shard answers, and commits if the shard had voted', async () => {
    const [a, b] = await scripted();
    const committing = both();
    const { attempt, begin } = await a.request('Both');
    await b.request('Both');
    a.say({ replies: [{ attempt, votedAt: '5' }] });
    b.breakSession();
    const asked = (after: number) => b.frame((frame) => frame.inquiries.some((inquiry: any) => Number(inquiry.ticket) > after));
    const first = (await asked(0)).inquiries[0];
    expect(first.id).toEqual(begin.id);
    b.say({ answers: [{ ticket: first.ticket, state: 'PENDING' }] });
    const second = (await asked(Number(first.ticket))).inquiries[0];
    b.say({ answers: [{ ticket: second.ticket, state: 'VOTED', timestamp: '8' }] });
    expect(await committing).toEqual([undefined, undefined]);
    expect(await a.frame((frame) => frame.committed.length > 0)).toMatchObject({ committed: [attempt], committedAt: ['8'] });
  });

  it('forwards a wound to its other shard', async () => {
    const [a, b] = await scripted();
    void both().catch(() => {});
    const { attempt, begin } = await a.request('Both');
    await b.request('Both');
    a.say({ wounds: [{ attempt, id: begin.id, priority: '3' }] });
    const { wounds } = await b.frame((frame) => frame.wounds.length > 0);
    expect(wounds).toMatchObject([{ attempt, id: begin.id, priority: '3' }]);
    expect(a.heard.every((frame) => frame.wounds.length === 0)).toBe(true);
  });
});

describe('a vote whose session is lost', () => {
  it('forbids its attempt to wait at other shards, since wounds no longer reach it', async () => {
    const [a, b] = await scripted();
    void claret.transact('Both', [claret.on.counter(A).add(1), claret.on.counter(B).add(1)]).catch(() => {});
    const { attempt, begin } = await a.request('Both');
    await b.request('Both');
    a.say({ replies: [{ attempt, votedAt: '5' }] });
    a.breakSession();
    const { wounds } = await b.frame((frame) => frame.wounds.length > 0);
    expect(wounds).toMatchObject([{ attempt, id: begin.id, priority: '0' }]);
  });
});

describe('a retry', () => {
  it('requests exclusively the records that the last attempt both observed and changed', async () => {
    const [a] = await scripted();
    void claret
      .transaction('Upgrade', async (tx) => {
        await tx.counter(A).value();
        tx.counter(A).add(1);
        tx.set(`{${A}}only`).add('x');
        await tx.set(`{${A}}seen`).size();
      })
      .catch(() => {});
    const first = await a.request('Upgrade');
    expect(first.begin.exclusive).toEqual([]);
    a.say({ replies: [{ attempt: first.attempt, results: [{ integer: '0' }] }] });
    await a.frame((frame) => frame.requests.some((request: any) => request.sentBefore === 1));
    a.say({ replies: [{ attempt: first.attempt, error: { code: 'deadlock', retryable: true } }] });
    const again = await a.frame((frame) => frame.requests.some((request: any) => request.begin?.retries === 1));
    expect(again.requests[0].begin.exclusive).toEqual([A]);
  });

  it('requests at once the reads of the last attempt and the locks of its changes', async () => {
    const [a, b] = await scripted();
    const seen: unknown[] = [];
    const body = async (tx: Tx) => {
      seen.push(await tx.counter(A).value());
      await tx.counter(B).add(1);
      seen.push(await tx.counter(A).value());
    };
    const done = claret.transaction('Again', body, steered({ now: true }));
    const first = await a.request('Again');
    expect(first.whole).toBe(false);
    a.say({ replies: [{ attempt: first.attempt, results: [{ integer: '1' }] }] });
    await b.request('Again');
    b.say({ replies: [{ attempt: first.attempt, error: { code: 'deadlock', retryable: true } }] });

    const retried = (frame: any) => frame.requests.find((request: any) => request.begin?.retries === 1);
    const onA = retried(await a.frame((frame) => retried(frame) !== undefined));
    const onB = retried(await b.frame((frame) => retried(frame) !== undefined));
    expect(onA).toMatchObject({ whole: true, prepare: null, operations: [{ key: A, intent: false }] });
    expect(onB).toMatchObject({ whole: true, prepare: null, operations: [{ key: B, intent: true }] });
    a.say({ replies: [{ attempt: onA.attempt, results: [{ integer: '2' }] }] });
    b.say({ replies: [{ attempt: onB.attempt }] });

    // The second read of A is sent again, since the result of the first read belongs to the first caller.
    const own = await a.frame((frame) => frame.requests.some((request: any) => request.sentBefore === 1));
    a.say({ replies: [{ attempt: own.requests[0].attempt, results: [{ integer: '2' }] }] });
    const ends = (frame: any) => frame.requests.find((request: any) => request.prepare !== null);
    const endB = ends(await b.frame((frame) => ends(frame) !== undefined));
    expect(endB).toMatchObject({ sentBefore: 1, operations: [{ key: B, intent: false }] });
    await a.frame((frame) => ends(frame) !== undefined);
    a.say({ replies: [{ attempt: onA.attempt, votedAt: '5' }] });
    b.say({ replies: [{ attempt: onB.attempt, votedAt: '6' }] });
    await done;
    expect(seen).toEqual([1, 2, 2]);
  });

  it('that keeps failing gives up with the last cause', async () => {
    const [a] = await scripted();
    let next = 0;
    const losing = claret.transact('Lose', [claret.on.counter(A).add(1)], { attemptsMax: 3 });
    for (let i = 0; i < 3; i++) {
      const { requests } = await a.frame((frame) => frame.requests.some((request: any) => request.begin?.retries === i));
      a.say({ replies: [{ attempt: requests[0].attempt, error: { code: 'wounded', retryable: true, key: A, blockingLabel: 'Elder' } }] });
      next++;
    }
    expect(next).toBe(3);
    await expect(losing).rejects.toMatchObject({
      code: 'gave_up',
      cause: 'wounded',
      retryable: true,
      retries: 2,
      key: A,
      blockingLabel: 'Elder',
    });
  });
});

describe('a denied request', () => {
  it('that was sent again at the end of the body is not sent a third time after its pause', async () => {
    const [a, b] = await scripted(undefined, undefined, { denialFirstUs: 20_000, denialLongestUs: 20_000 });
    void claret
      .transaction('Denied', async (tx) => {
        void tx
          .counter(A)
          .value()
          .then(() => {});
        await tx.counter(B).value();
      })
      .catch(() => {});
    const { attempt } = await a.request('Denied');
    await b.request('Denied');
    a.say({ replies: [{ attempt, denied: { code: 'denied', retryable: true } }] });
    b.say({ replies: [{ attempt, results: [{ integer: '0' }] }] });
    const prepares = (shard: ScriptedShard) => shard.heard.flatMap((frame) => frame.requests).filter((request: any) => request.prepare);
    await a.frame((frame) => frame.requests.some((request: any) => request.prepare));
    a.say({ replies: [{ attempt, results: [{ integer: '0' }], votedAt: '5' }] });
    await pause(40);
    expect(prepares(a)).toHaveLength(1);
    expect(prepares(b)).toHaveLength(1);
  });
});
