// Receipts: an observed client's reports on its transactions, against real shards and, if answers have to be lost, against scripted
// shards.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Claret } from '../claret.ts';
import { connect } from '../connect.ts';
import type { Tx } from '../transaction/tx.ts';
import { CalmEnvironment } from '../testing/calm-environment.ts';
import { inProcessCluster, type InProcessCluster } from '../testing/in-process-cluster.ts';
import { keyOn } from '../testing/keys.ts';
import { untilWaiting } from '../testing/until-waiting.ts';
import { ScriptedShard } from '../testing/scripted-shard.ts';
import { evenTopology } from '../topology/topology.ts';
import { LocalTransport } from '../transport/local.ts';
import type { Receipt } from './receipt.ts';
import { steered } from '../transaction/steered-options.ts';

const A = `{${keyOn(0)}}:bids`;
const B = `{${keyOn(1)}}:bids`;

let environment: CalmEnvironment;
let cluster: InProcessCluster;
let claret: Claret;
let receipts: Receipt[];
let observed: Claret;

beforeEach(async () => {
  environment = new CalmEnvironment();
  cluster = await inProcessCluster({ shards: 2, environment });
  claret = await cluster.connect({ name: 'test' });
  receipts = [];
  observed = claret.observed((receipt) => void receipts.push(receipt));
});

afterEach(() => cluster.stop());

function open(): { opened: Promise<void>; open: () => void } {
  let resolve = () => {};
  const opened = new Promise<void>((done) => (resolve = done));
  return { opened, open: resolve };
}

/** Another client's transaction reads the record and holds its lock until `letGo` is called. */
async function reader(key: string): Promise<{ letGo: () => Promise<void> }> {
  const other = await cluster.connect({ name: 'other' });
  const read = open();
  const released = open();
  const running = other.transaction('ViewAuction', async (tx) => {
    await tx.topK(key).top(3);
    read.open();
    await released.opened;
  });
  await read.opened;
  return {
    letGo: () => {
      released.open();
      return running;
    },
  };
}

const pause = (ms: number) => environment.pause(ms);

function denyConflicts(): void {
  for (const shard of cluster.shards) {
    shard.setConditions({ locks: 'abstract', phasing: false, combining: 'off' }, environment.wallMs(), environment.monotonicMs());
  }
}

describe('a receipt', () => {
  it('describes a transaction over two shards without waits', async () => {
    await observed.transaction('Bid', async (tx) => {
      await tx.topK(A).max();
      tx.topK(A).add('b', 7);
      tx.topK(B).add('b', 7);
    });
    expect(receipts).toEqual([
      {
        label: 'Bid',
        outcome: 'committed',
        operations: 3,
        warranted: 0,
        shards: 2,
        locks_waited: 0,
        waited_us: 0,
        retries: 0,
        duration_ms: expect.any(Number),
        body_runs: 1,
        forecasts_out: 0,
        turn_waited_us: 0,
        batch: null,
        chains_broken: 0,
        chain_broken: null,
        epoch_us: null,
        blocked: null,
      },
    ]);
    expect(receipts[0]!.duration_ms).toBeGreaterThan(0);
  });

  it('is delivered before the promise settles', async () => {
    const events: string[] = [];
    const view = claret.observed(({ outcome }) => void events.push(outcome));
    await view.transact('Add', [view.on.counter(A).add(1)]).then(() => events.push('resolved'));
    await view
      .transaction('No', () => {
        throw new Error('no');
      })
      .catch(() => events.push('rejected'));
    expect(events).toEqual(['committed', 'resolved', 'aborted', 'rejected']);
  });

  for (const work of ['an interactive bid', 'a one-shot bid', 'a bid over two shards'] as const) {
    it(`counts the wait of ${work} behind a reader`, async () => {
      const holder = await reader(A);
      const keys = work === 'a bid over two shards' ? [A, B] : [A];
      const bidding =
        work === 'a one-shot bid'
          ? observed.transact('Bid', [observed.on.topK(A).add('b', 7)])
          : observed.transaction('Bid', (tx) => keys.forEach((key) => void tx.topK(key).add('b', 7)));
      await untilWaiting(cluster.shards);
      await pause(10);
      expect(receipts).toEqual([]);
      await holder.letGo();
      await bidding;
      expect(receipts).toMatchObject([
        { label: 'Bid', outcome: 'committed', operations: keys.length, shards: keys.length, locks_waited: 1, retries: 0 },
      ]);
      expect(receipts[0]!.waited_us).toBeGreaterThan(8_000);
      expect(receipts[0]!.duration_ms).toBeGreaterThan(receipts[0]!.waited_us / 1000);
    });
  }

  it('counts a wait before the body threw', async () => {
    const holder = await reader(A);
    const body = async (tx: Tx) => {
      await tx.topK(A).add('b', 7);
      throw new Error('too low');
    };
    const bidding = observed.transaction('Bid', body, steered({ now: true }));
    await untilWaiting(cluster.shards);
    await pause(10);
    await holder.letGo();
    await expect(bidding).rejects.toThrow('too low');
    expect(receipts).toMatchObject([{ outcome: 'aborted', operations: 1, shards: 1, locks_waited: 1, blocked: null }]);
    expect(receipts[0]!.waited_us).toBeGreaterThan(8_000);
  });

  it('of a bid that timed out waiting names the blocker', async () => {
    const holder = await reader(A);
    await expect(observed.transact('Bid', [observed.on.topK(A).add('b', 7)], { timeoutMs: 200 })).rejects.toMatchObject({
      code: 'gave_up',
    });
    expect(receipts).toMatchObject([
      {
        outcome: 'aborted',
        locks_waited: 1,
        blocked: { key: A, operation: 'TopK.add', blocking_operation: 'TopK.top', blocking_label: 'ViewAuction', cause: 'lock_wait' },
      },
    ]);
    expect(receipts[0]!.waited_us).toBeGreaterThan(150_000);
    await holder.letGo();
  });

  it('counts a retry, with the waits of both attempts and the operations of the last one', async () => {
    const other = await cluster.connect({ name: 'other' });
    const [elderHas, youngerHas, go] = [open(), open(), open()];
    const elder = other.transaction('Elder', async (tx) => {
      await tx.set(A + 's').size();
      elderHas.open();
      await go.opened;
      await tx.set(A + 's').add('x');
    });
    await elderHas.opened;
    const younger = observed.transaction('Younger', async (tx) => {
      await tx.set(A + 's').size();
      if (tx.retries === 0) tx.counter(B).add(1);
      youngerHas.open();
      await tx.set(A + 's').add('y');
    });
    await youngerHas.opened;
    await untilWaiting(cluster.shards);
    // Both have read the record and want to change it, so the younger one is aborted.
    await pause(10);
    go.open();
    await Promise.all([elder, younger]);
    // The retry has requested the lock at the other shard as well.
    expect(receipts).toMatchObject([
      {
        label: 'Younger',
        outcome: 'committed',
        retries: 1,
        operations: 2,
        shards: 2,
        blocked: { key: A + 's', operation: 'Set.add', blocking_operation: 'Set.size', blocking_label: 'Elder', cause: 'deadlock' },
      },
    ]);
    expect(receipts[0]!.locks_waited).toBeGreaterThanOrEqual(1);
    expect(receipts[0]!.waited_us).toBeGreaterThan(5_000);
  });

  it('counts denied requests that were sent again, and names the blocker', async () => {
    denyConflicts();
    const holder = await reader(A);
    const bidding = observed.transact('Bid', [observed.on.topK(A).add('b', 7)]);
    while (claret.counters.denials < 2) await pause(1);
    await holder.letGo();
    await bidding;
    const [receipt] = receipts;
    expect(receipt).toMatchObject({
      outcome: 'committed',
      blocked: { key: A, operation: 'TopK.add', blocking_operation: 'TopK.top', blocking_label: 'ViewAuction', cause: 'denied' },
    });
    expect(receipt!.locks_waited).toBe(claret.counters.denials - receipt!.retries);
    expect(receipt!.waited_us).toBeGreaterThan(0);
  });

  it('of a transaction that ends because the client is closed reports an abort', async () => {
    const closing = observed.transaction('Late', async (tx) => {
      await tx.counter(A).value();
      await new Promise(() => {});
    });
    await expect.poll(() => cluster.shards[0]!.counters().attemptsInFlight).toBe(1);
    await claret.close(0);
    await expect(closing).rejects.toMatchObject({ code: 'client_closed' });
    expect(receipts).toMatchObject([{ label: 'Late', outcome: 'aborted', operations: 1 }]);
    await expect(observed.transact('After', [])).rejects.toMatchObject({ code: 'client_closed' });
    expect(receipts).toHaveLength(1);
  });
});

describe('an observed client', () => {
  it('is the same client', async () => {
    const seen: unknown[] = [];
    const stop = observed.onStatus((status) => void seen.push(status));
    expect(observed.status).toEqual(claret.status);
    expect(observed.counters).toBe(claret.counters);
    await observed.transact('Add', [claret.on.counter(A).add(1)]);
    expect(claret.counters.commits).toBe(1);
    const changes: unknown[] = [];
    const watch = observed.watch([observed.on.counter(A).value()], ({ value }) => void changes.push(value));
    while (changes.length === 0) await pause(1);
    expect(changes).toEqual([1]);
    watch.close();
    const before = seen.length;
    cluster.hosts[0]!.breakSessions();
    while (seen.length === before) await pause(1);
    stop();
  });

  it('gets receipts only of its own transactions and those of views derived from it', async () => {
    const inner: Receipt[] = [];
    const twice = observed.observed((receipt) => void inner.push(receipt));
    await claret.transact('Unseen', []);
    await observed.transact('Once', []);
    await twice.transact('Twice', []);
    expect(receipts.map(({ label }) => label)).toEqual(['Once', 'Twice']);
    expect(inner.map(({ label }) => label)).toEqual(['Twice']);
  });

  it('is not affected by a listener that throws', async () => {
    const thrown: unknown[] = [];
    const others = process.listeners('uncaughtException');
    process.removeAllListeners('uncaughtException');
    process.on('uncaughtException', (error) => void thrown.push(error));
    try {
      const bad = observed.observed(() => {
        throw new Error('a listener of mine');
      });
      expect(await bad.transaction('Add', (tx) => tx.counter(A).value())).toBe(0);
      await expect.poll(() => thrown.length).toBe(1);
    } finally {
      process.removeAllListeners('uncaughtException');
      for (const listener of others) process.on('uncaughtException', listener);
    }
    expect(receipts).toMatchObject([{ label: 'Add', outcome: 'committed' }]);
    expect(thrown).toMatchObject([{ message: 'a listener of mine' }]);
  });
});

describe('if the answer to a commit is lost', () => {
  let shard: ScriptedShard;
  let client: Claret;
  const start = async (): Promise<Claret> => {
    shard = new ScriptedShard(0);
    const transport = new LocalTransport({ shards: new Map([['s0', shard]]), topology: () => evenTopology(['s0']) });
    client = await connect({ addresses: ['s0'], transport, timeoutMs: 1_000, environment });
    return client.observed((receipt) => void receipts.push(receipt));
  };
  afterEach(() => client.close(0));

  it('and no shard can be asked, the outcome is unknown', async () => {
    const view = await start();
    const adding = view.transact('Add', [view.on.counter('a').add(1)]);
    await shard.request('Add');
    shard.breakSession();
    await expect(adding).rejects.toMatchObject({ commitState: 'unknown' });
    expect(receipts).toMatchObject([{ outcome: 'unknown', operations: 1, shards: 1, blocked: null }]);
  });

  it('together with a result, the outcome is known nevertheless', async () => {
    const view = await start();
    const reading = view.transact('Take', [view.on.boundedCounter('a').tryDecrement(1)]);
    await shard.request('Take');
    shard.breakSession();
    const { inquiries } = await shard.frame((frame) => frame.inquiries.length > 0);
    shard.say({ answers: [{ ticket: inquiries[0].ticket, state: 'COMMITTED', timestamp: '5' }] });
    await expect(reading).rejects.toMatchObject({ code: 'result_lost', commitState: 'applied' });
    expect(receipts).toMatchObject([{ outcome: 'committed' }]);
  });
});
