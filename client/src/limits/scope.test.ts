// Scopes: shared deadlines of several transactions, and calling transactions off. Also backpressure from a shard that is behind. Against
// scripted shards, which can be slow, and against real ones.

import { afterEach, describe, expect, it } from 'vitest';
import type { Claret } from '../claret.ts';
import { connect } from '../connect.ts';
import type { Environment } from '../environment/environment.ts';
import type { Tx } from '../transaction/tx.ts';
import { CalmEnvironment } from '../testing/calm-environment.ts';
import { inProcessCluster, type InProcessCluster } from '../testing/in-process-cluster.ts';
import { keyOn } from '../testing/keys.ts';
import { untilWaiting } from '../testing/until-waiting.ts';
import { ScriptedShard } from '../testing/scripted-shard.ts';
import { evenTopology } from '../topology/topology.ts';
import { LocalTransport } from '../transport/local.ts';
import { Scope } from './scope.ts';
import { steered } from '../transaction/steered-options.ts';

const A = keyOn(0);
const B = keyOn(1);
const calm = new CalmEnvironment();
const pause = (ms: number) => calm.pause(ms);
const CALLED_OFF = { code: 'called_off', commitState: 'none', retryable: false };

let claret: Claret;
let cluster: InProcessCluster | null = null;
afterEach(async () => {
  await claret.close(0);
  await cluster?.stop();
  cluster = null;
});

async function scripted(environment: Environment = calm): Promise<[ScriptedShard, ScriptedShard]> {
  const shards: [ScriptedShard, ScriptedShard] = [new ScriptedShard(0), new ScriptedShard(1)];
  const byAddress = new Map(shards.map((shard) => [`s${shard.number}`, shard]));
  const transport = new LocalTransport({ shards: byAddress, topology: () => evenTopology(['s0', 's1']) });
  claret = await connect({ addresses: ['s0'], transport, environment, timeoutMs: 3_000 });
  await expect.poll(() => claret.status.shards.map(({ state }) => state), { interval: 1 }).toEqual(['live', 'live']);
  await pause(5); // some turns, so that the next frame is handled as it comes and not behind the welcome
  return shards;
}

async function real(): Promise<Claret> {
  cluster = await inProcessCluster({ shards: 2, environment: calm });
  claret = await cluster.connect({ name: 'test' });
  return claret;
}

/** Reads the record and holds its lock until the returned function is called. */
async function holder(by: Claret, key: string): Promise<() => Promise<unknown>> {
  let go = () => {};
  const released = new Promise<void>((resolve) => (go = resolve));
  let begun = () => {};
  const reads = new Promise<void>((resolve) => (begun = resolve));
  const holding = by.transaction('Hold', async (tx) => {
    await tx.counter(key).value();
    begun();
    await released;
  });
  await reads;
  return () => (go(), holding);
}

describe('a deadline', () => {
  it("is sent to the shard as the remaining time, and not extended by the transaction's own time-out", async () => {
    const [a] = await scripted();
    const scope = new Scope(calm.monotonicMs() + 1_000);
    const view = claret.within(scope);
    void view.transact('Short', [claret.on.counter(A).add(1)], { timeoutMs: 200 }).catch(() => {});
    void view.transact('Long', [claret.on.counter(A).add(1)], { timeoutMs: 10_000 }).catch(() => {});
    await pause(50);
    void view.transact('Later', [claret.on.counter(A).add(1)]).catch(() => {});
    const left = async (label: string) => (await a.request(label)).begin.expiresInMs as number;
    expect(await left('Short')).toBeLessThanOrEqual(200);
    expect(await left('Long')).toBeGreaterThan(200);
    expect(await left('Long')).toBeLessThanOrEqual(1_000);
    expect(await left('Later')).toBeLessThanOrEqual(951);
  });

  it('ends a transaction that waits for a lock, which then holds nothing, and no further one begins', async () => {
    await real();
    const other = await cluster!.connect({ name: 'other' });
    const letGo = await holder(other, A);
    const scope = new Scope(calm.monotonicMs() + 100);
    const view = claret.within(scope);
    await expect(view.transact('Add', [claret.on.counter(A).add(1)])).rejects.toMatchObject({
      code: 'gave_up',
      cause: 'lock_wait',
      commitState: 'none',
    });
    await expect(view.transact('Next', [claret.on.counter(B).add(1)])).rejects.toMatchObject({
      code: 'gave_up',
      cause: 'timeout',
      commitState: 'none',
    });
    expect(scope.underWay).toBe(0);
    await letGo();
    expect(await claret.transact('View', [claret.on.counter(A).value(), claret.on.counter(B).value()])).toEqual([0, 0]);
    for (const shard of cluster!.shards) await expect.poll(() => shard.counters().attemptsInFlight).toBe(0);
  });

  it('that passes while a request waits to be sent prevents its sending', async () => {
    let ahead = 0;
    const [a] = await scripted({ ...calm, monotonicMs: () => calm.monotonicMs() + ahead });
    a.acknowledges = false;
    for (let i = 0; i < 12; i++) {
      void claret.transact(`T${i}`, [claret.on.counter(A).add(1)]).catch(() => {});
      await pause(2);
    }
    const late = claret.within(new Scope(calm.monotonicMs() + 1_000)).transact('Late', [claret.on.counter(A).add(1)]);
    late.catch(() => {});
    ahead = 1_000; // the client has not checked deadlines since
    a.acknowledges = true;
    a.say({});
    await a.request('T11');
    await expect(late).rejects.toMatchObject({ code: 'gave_up', cause: 'timeout', commitState: 'none' });
    expect(a.heard.flatMap((frame) => frame.requests.map((request: any) => request.begin.label))).not.toContain('Late');
  });

  it('applies to observed views too', async () => {
    await real();
    const receipts: string[] = [];
    const view = claret.within(new Scope(calm.monotonicMs() - 1)).observed(({ outcome }) => void receipts.push(outcome));
    await expect(view.transact('Add', [claret.on.counter(A).add(1)])).rejects.toMatchObject({ code: 'gave_up' });
    expect(receipts).toEqual(['aborted']);
  });
});

describe('a transaction that is called off', () => {
  it('ends at once if it waits for a lock, leaves nothing behind, and no further one begins', async () => {
    await real();
    const other = await cluster!.connect({ name: 'other' });
    const letGo = await holder(other, A);
    const scope = new Scope();
    const view = claret.within(scope);
    const body = async (tx: Tx) => {
      tx.counter(B).add(1);
      await tx.counter(A).add(1);
    };
    const waiting = view.transaction('Add', body, steered({ now: true }));
    waiting.catch(() => {});
    await untilWaiting(cluster!.shards);
    expect([scope.underWay, cluster!.shards[1]!.counters().attemptsInFlight]).toEqual([1, 0]);
    scope.callOff();
    await expect(waiting).rejects.toMatchObject(CALLED_OFF);
    await expect(view.transact('Next', [claret.on.counter(B).add(1)])).rejects.toMatchObject(CALLED_OFF);
    await letGo();
    expect(await claret.transact('View', [claret.on.counter(A).value(), claret.on.counter(B).value()])).toEqual([0, 0]);
    for (const shard of cluster!.shards) await expect.poll(() => shard.counters().attemptsInFlight).toBe(0);
  });

  it('ends with its real outcome if it may have been decided', async () => {
    const [a] = await scripted();
    const scope = new Scope();
    const adding = claret.within(scope).transact('Add', [claret.on.counter(A).add(1)]);
    const { attempt } = await a.request('Add');
    scope.callOff();
    await pause(10);
    expect([scope.underWay, a.heard.flatMap((frame) => frame.aborted)]).toEqual([1, []]);
    a.say({ replies: [{ attempt, results: [{}], committedAt: '9' }] });
    await adding;
    expect(scope.underWay).toBe(0);
  });

  it('is aborted if only some shards were asked to vote, or if it changes nothing', async () => {
    const [a, b] = await scripted();
    const scope = new Scope();
    const view = claret.within(scope);
    b.acknowledges = false;
    for (let i = 0; i < 12; i++) {
      void claret.transact(`T${i}`, [claret.on.counter(B).add(1)]).catch(() => {});
      await pause(2);
    }
    const both = view.transact('Both', [claret.on.counter(A).add(1), claret.on.counter(B).add(1)]);
    const read = view.transact('Read', [claret.on.counter(A).value()]);
    for (const one of [both, read]) one.catch(() => {});
    const asked = [(await a.request('Both')).attempt, (await a.request('Read')).attempt];
    scope.callOff();
    await expect(both).rejects.toMatchObject(CALLED_OFF);
    await expect(read).rejects.toMatchObject(CALLED_OFF);
    await a.frame((frame) => frame.aborted.length > 0);
    expect(a.heard.flatMap((frame) => frame.aborted)).toEqual(asked);
  });

  it('does not run again, and makes room for others', async () => {
    const [a] = await scripted();
    const scope = new Scope();
    const losing = claret.within(scope).transact('Lose', [claret.on.counter(A).add(1)]);
    losing.catch(() => {});
    const { attempt } = await a.request('Lose');
    a.say({ replies: [{ attempt, error: { code: 'wrong_shard', retryable: true } }] });
    scope.callOff();
    await expect(losing).rejects.toMatchObject(CALLED_OFF);
    await pause(20);
    expect(a.heard.flatMap((frame) => frame.requests)).toHaveLength(1);
    expect(claret.load).toMatchObject({ running: 0, waiting: 0 });
  });

  it('while it is queued never begins, and does not delay the others', async () => {
    const [a] = await scripted();
    const scope = new Scope();
    const others = Array.from({ length: 300 }, (_, i) => claret.transact(`T${i}`, [claret.on.counter(A).add(1)]));
    const waiting = claret.within(scope).transact('Waits', [claret.on.counter(A).add(1)]);
    waiting.catch(() => {});
    expect(claret.load.waiting).toBe(45);
    scope.callOff();
    await expect(waiting).rejects.toMatchObject(CALLED_OFF);
    let answered = 0;
    while (answered < 300) {
      await expect.poll(() => a.heard.flatMap((frame) => frame.requests).length, { interval: 1 }).toBeGreaterThan(answered);
      const requests = a.heard.flatMap((frame) => frame.requests).slice(answered);
      answered += requests.length;
      a.say({ replies: requests.map(({ attempt }: any) => ({ attempt, results: [{}], committedAt: '9' })) });
    }
    await Promise.all(others);
    expect(a.heard.flatMap((frame) => frame.requests.map((request: any) => request.begin.label))).not.toContain('Waits');
    expect(claret.load).toMatchObject({ running: 0, waiting: 0 });
  });
});

describe('`changed` of a scope', () => {
  it('is true once a committed transaction has changed something', async () => {
    await real();
    const scope = new Scope();
    const view = claret.within(scope);
    await view.transact('Read', [claret.on.counter(A).value(), claret.on.counter(B).value()]);
    await view.transaction('Nothing', async () => {});
    await view
      .transaction('Throws', async (tx) => {
        await tx.counter(A).add(1);
        throw new Error('no');
      })
      .catch(() => {});
    expect(scope.changed).toBe(false);
    await view.transact('Add', [claret.on.counter(A).add(1), claret.on.counter(B).value()]);
    expect(scope.changed).toBe(true);
  });

  it('is true if a transaction may have changed something', async () => {
    const [a] = await scripted();
    const scope = new Scope();
    const adding = claret.within(scope).transact('Add', [claret.on.counter(A).add(1)]);
    await a.request('Add');
    await claret.close(0);
    await expect(adding).rejects.toMatchObject({ commitState: 'unknown' });
    expect(scope.changed).toBe(true);
  });
});

describe('a shard that cannot be reached', () => {
  it('is awaited only by transactions with time left; others leave the queue, and the shard is not behind when it returns', async () => {
    let ahead = 0;
    const [a] = await scripted({ ...calm, monotonicMs: () => calm.monotonicMs() + ahead });
    a.attach = () => ({ send: () => {}, close: () => {} }) as never;
    a.breakSession();
    await expect.poll(() => claret.status.shards[0]!.state, { interval: 1 }).not.toBe('live');
    const patient = claret.transact('Patient', [claret.on.counter(A).add(1)], { timeoutMs: 60_000 });
    patient.catch(() => {});
    for (let round = 0; round < 30; round++) {
      const others = Array.from({ length: 100 }, () => claret.transact('Other', [claret.on.counter(A).add(1)], { timeoutMs: 100 }));
      ahead += 200;
      await Promise.allSettled(others);
    }
    expect(claret.load.shards[0]!.unsent).toBeLessThanOrEqual(1_025);
    delete (a as { attach?: unknown }).attach;
    const hurried = a.request('Hurried');
    let asked = false;
    claret.onStatus(({ shards }) => {
      if (shards[0]!.state !== 'live' || asked) return;
      asked = true;
      queueMicrotask(() => void claret.transact('Hurried', [claret.on.counter(A).add(1)], { timeoutMs: 1_000 }).catch(() => {}));
    });
    ahead += 10_000; // the lease of the silent connection ends
    await a.request('Patient');
    await hurried;
    expect(claret.counters.refused).toBe(0);
  });
});

describe('a shard that is behind', () => {
  it('is known by its unacknowledged frames, and catches up when it acknowledges them', async () => {
    const [a] = await scripted();
    a.acknowledges = false;
    for (let i = 0; i < 12; i++) {
      void claret.transact(`T${i}`, [claret.on.counter(A).add(1)]).catch(() => {});
      await pause(2);
    }
    await pause(30);
    const [behind, other] = claret.load.shards;
    expect(behind!.behindMs).toBeGreaterThan(30);
    expect(behind!.unsent).toBe(4);
    expect(other).toMatchObject({ behindMs: 0, unsent: 0 });
    a.acknowledges = true;
    a.say({});
    await a.request('T11');
    await expect.poll(() => (a.say({}), claret.load.shards[0]), { interval: 5 }).toEqual({ shard: 0, behindMs: 0, unsent: 0 });
  });

  it('gets no request of a transaction that has less time left than the shard is behind; other transactions go on', async () => {
    const [a, b] = await scripted();
    a.acknowledges = false;
    void claret.transact('First', [claret.on.counter(A).add(1)]).catch(() => {});
    await a.request('First');
    while (claret.load.shards[0]!.behindMs < 100) await pause(1);
    const refused = { code: 'overloaded', cause: 'overloaded', commitState: 'none', retryable: true, retries: 0 };
    const hurried = { timeoutMs: 50 };
    await expect(claret.transact('List', [claret.on.counter(A).add(1)], hurried)).rejects.toMatchObject(refused);
    const body = claret.transaction(
      'Body',
      async (tx) => {
        tx.counter(B).add(1);
        await tx.counter(A).value();
      },
      hurried,
    );
    await expect(body).rejects.toMatchObject(refused);
    expect(claret.counters.refused).toBe(2);
    void claret.transact('Patient', [claret.on.counter(A).add(1)]).catch(() => {});
    void claret.transact('Elsewhere', [claret.on.counter(B).add(1)], hurried).catch(() => {});
    await a.request('Patient');
    await b.request('Elsewhere');
    const labels = [a, b].flatMap((shard) => shard.heard.flatMap((frame) => frame.requests.map((request: any) => request.begin.label)));
    expect(labels).toEqual(['First', 'Patient', 'Elsewhere']);
  });
});
