import { describe, expect, it } from 'vitest';
import { inProcessCluster } from '../testing/in-process-cluster.ts';
import { SeededEnvironment } from '../testing/seeded-environment.ts';
import type { HistoryAttempt } from './history.ts';

async function world(shards = 1) {
  const environment = new SeededEnvironment(1);
  const cluster = await environment.runUntil(inProcessCluster({ shards, environment }));
  const history: HistoryAttempt[] = [];
  const claret = await environment.runUntil(cluster.connect({ name: 'app', history: (attempt) => void history.push(attempt) }));
  return { environment, cluster, claret, history };
}

/** Waits until the sessions are live. */
const aWhile = (environment: SeededEnvironment) =>
  environment.runUntil(new Promise<void>((resolve) => void environment.setTimeout(resolve, 10)));

describe('a history', () => {
  it('contains every operation in the order of issue, with its result', async () => {
    const { environment, claret, history } = await world(2);
    let at = 0n;
    await environment.runUntil(
      claret.transaction(
        'Bid',
        async (tx) => {
          tx.counter('{a}:count').add(2n ** 62n);
          const price = await tx.register('{b}:price').get();
          tx.dict('{a}:info').set({ z: 1, a: 0.5 });
          return price;
        },
        { onCommit: ({ committedAt }) => void (at = committedAt) },
      ),
    );
    const [attempt] = history;
    expect(history).toHaveLength(1);
    expect(attempt).toMatchObject({ process: 'app', label: 'Bid', outcome: 'ok', order: String(at), transaction: attempt!.id });
    expect(attempt!.id).toMatch(/^[0-9a-f]{32}$/);
    expect(attempt!.return).toBeGreaterThan(attempt!.call);
    expect(attempt!.ops).toEqual([
      { key: '{a}:count', type: 'Counter', op: 'add', args: [{ integer: String(2n ** 62n) }] },
      { key: '{b}:price', type: 'Register', op: 'get', args: [], result: null },
      {
        key: '{a}:info',
        type: 'Dict',
        op: 'set',
        args: [
          [
            ['a', 0.5],
            ['z', 1],
          ],
        ],
      },
    ]);
    await environment.runUntil(claret.transact('Read', [claret.on.counter('{a}:count').value(), claret.on.dict('{a}:info').all()]));
    expect(history[1]!.ops.map(({ result }) => result)).toEqual([
      { integer: String(2n ** 62n) },
      [
        ['a', 0.5],
        ['z', 1],
      ],
    ]);
  });

  it('gets attempts that may commit in advance, and no others', async () => {
    const environment = new SeededEnvironment(1);
    const cluster = await environment.runUntil(inProcessCluster({ shards: 2, environment }));
    const reported: [when: string, id: string, outcome: string, operations: number][] = [];
    const report =
      (when: string) =>
      ({ id, outcome, ops }: HistoryAttempt) =>
        void reported.push([when, id, outcome, ops.length]);
    const claret = await environment.runUntil(cluster.connect({ name: 'app', history: report('after'), beforeCommit: report('before') }));
    await environment.runUntil(claret.transact('Look', [claret.on.counter('a').value(), claret.on.counter('b').value()]));
    await environment.runUntil(claret.transact('Add', [claret.on.counter('a').add(1), claret.on.counter('b').add(1)]));
    const thrown = claret.transaction('Throws', (tx) => {
      tx.counter('a').add(1);
      throw new Error('changed its mind');
    });
    await expect(environment.runUntil(thrown)).rejects.toThrow('changed its mind');
    expect(reported.map(([when, , outcome]) => `${when} ${outcome}`)).toEqual(['after ok', 'before unknown', 'after ok', 'after fail']);
    expect(reported[1]).toEqual(['before', reported[2]![1], 'unknown', 2]);
  });

  it('says in advance when the time of the transaction is over, however late the attempt began', async () => {
    const environment = new SeededEnvironment(1);
    const cluster = await environment.runUntil(inProcessCluster({ shards: 1, environment }));
    const reported: HistoryAttempt[] = [];
    const report = (attempt: HistoryAttempt) => void reported.push(attempt);
    const claret = await environment.runUntil(cluster.connect({ name: 'app', history: report, beforeCommit: report, timeoutMs: 10_000 }));
    let runs = 0;
    const late = claret.transaction('Late', async (tx) => {
      await tx.counter('a').value();
      if (++runs === 1) {
        cluster.hosts[0]!.breakSessions();
        await new Promise<void>((resolve) => void environment.setTimeout(resolve, 500));
      }
      tx.counter('a').add(1);
    });
    await environment.runUntil(late);
    const [first, before, after] = reported;
    expect(reported.map(({ outcome }) => outcome)).toEqual(['fail', 'unknown', 'ok']);
    expect(before!.call).toBeGreaterThan(first!.call + 100e6);
    expect(before!.deadline! - first!.call).toBeLessThanOrEqual(10_000e6);
    expect(before!.deadline! - first!.call).toBeGreaterThan(9_990e6);
    expect(after).not.toHaveProperty('deadline');
  });

  it('gets natives that may change something in advance, under the name of their transaction', async () => {
    const environment = new SeededEnvironment(1);
    const cluster = await environment.runUntil(inProcessCluster({ shards: 2, environment }));
    const reported: [when: string, transaction: string, outcome: string, args: unknown][] = [];
    const report =
      (when: string) =>
      ({ transaction, outcome, ops }: HistoryAttempt) =>
        void reported.push([when, transaction, outcome, ops[0]!.args]);
    const claret = await environment.runUntil(cluster.connect({ name: 'app', history: report('after'), beforeCommit: report('before') }));
    await environment.runUntil(claret.native.counter('a').value());
    await environment.runUntil(claret.native.counter('a').add(5));
    const [, before, after] = reported;
    expect(reported.map(([when, , outcome]) => `${when} ${outcome}`)).toEqual(['after ok', 'before unknown', 'after ok']);
    expect(before).toEqual(['before', after![1], 'unknown', [5]]);
  });

  it('keeps a result unchanged if the application changes its own copy', async () => {
    const { environment, claret, history } = await world();
    await environment.runUntil(claret.transact('Add', [claret.on.set('s').add('x')]));
    await environment.runUntil(
      claret.transaction('Read', async (tx) => {
        const members = await tx.set('s').members(10, null);
        members.length = 0;
      }),
    );
    expect(history[1]!.ops).toEqual([{ key: 's', type: 'Set', op: 'members', args: [10, null], result: ['x'] }]);
  });

  it('contains attempts whose body threw and attempts that were refused', async () => {
    const { environment, claret, history } = await world();
    const thrown = claret.transaction('Throws', async (tx) => {
      await tx.counter('a').value();
      throw new Error('changed its mind');
    });
    await expect(environment.runUntil(thrown)).rejects.toThrow('changed its mind');
    const refused = claret.transact('Refused', [claret.on.counter('a').add(2n ** 63n - 1n), claret.on.counter('a').add(1)]);
    await expect(environment.runUntil(refused)).rejects.toMatchObject({ code: 'out_of_range' });
    expect(history.map(({ outcome, error, order }) => ({ outcome, error, order }))).toEqual([
      { outcome: 'fail', error: 'transaction_ended', order: undefined },
      { outcome: 'fail', error: 'out_of_range', order: undefined },
    ]);
    expect(history[0]!.ops[0]).toMatchObject({ result: 0 });
    expect(history[1]!.ops.every((operation) => !('result' in operation))).toBe(true);
  });

  it('contains each attempt of a transaction, with the id of the first', async () => {
    const { environment, cluster, claret, history } = await world();
    await aWhile(environment);
    let tries = 0;
    await environment.runUntil(
      claret.transaction('Retried', async (tx) => {
        await tx.counter('a').value();
        if (tries++ === 0) cluster.hosts[0]!.breakSessions();
        await tx.counter('b').value();
      }),
    );
    expect(history.map(({ outcome }) => outcome)).toEqual(['fail', 'ok']);
    expect(new Set(history.map(({ id }) => id)).size).toBe(2);
    expect(history.map(({ transaction }) => transaction)).toEqual([history[0]!.id, history[0]!.id]);
  });

  it('reports a commit in flight as unknown when the client is closed', async () => {
    const { environment, cluster, claret, history } = await world();
    await aWhile(environment);
    const leaving = claret.transact('Left', [claret.on.counter('a').add(1)]);
    leaving.catch(() => {});
    cluster.hosts[0]!.stop();
    await environment.runUntil(claret.close(0));
    await expect(leaving).rejects.toMatchObject({ code: 'client_closed', commitState: 'unknown' });
    expect(history).toMatchObject([{ label: 'Left', outcome: 'unknown', error: 'client_closed' }]);
  });
});
