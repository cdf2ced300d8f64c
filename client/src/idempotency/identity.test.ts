// Transactions with an id, against real shards: sent again by any client, they commit once and give the same answer.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Claret } from '../claret.ts';
import { systemEnvironment } from '../environment/system-environment.ts';
import { Scope } from '../limits/scope.ts';
import { CalmEnvironment } from '../testing/calm-environment.ts';
import { inProcessCluster, type InProcessCluster } from '../testing/in-process-cluster.ts';
import { freshSeed, randomFrom } from '../testing/random.ts';
import { keyOn } from '../testing/keys.ts';
import { slotOf } from '../topology/slots.ts';
import type { TransactionReport } from '../transaction/transaction-options.ts';
import { Identity } from './identity.ts';
import { newTransactionId } from './transaction-id.ts';
import { OUTCOME_GRACE_MS } from '../attempt/atomic-commit.ts';

const A = keyOn(0, 'a');
const B = keyOn(1, 'b');

let environment: CalmEnvironment;
let cluster: InProcessCluster;
let claret: Claret;
let other: Claret;

beforeEach(async () => {
  environment = new CalmEnvironment();
  cluster = await inProcessCluster({ shards: 2, environment });
  claret = await cluster.connect({ name: 'first' });
  other = await cluster.connect({ name: 'other' });
});

afterEach(() => cluster.stop());

const counters = async () => {
  const [a, b] = await claret.transact('Read', [claret.on.counter(A).value(), claret.on.counter(B).value()]);
  return [a, b];
};
const pay = (client: Claret, id: string, options: object = {}) =>
  client.transaction(
    'Pay',
    async (tx) => {
      const before = await tx.counter(A).value();
      tx.counter(A).add(1);
      tx.counter(B).add(1);
      return { before, who: client === claret ? 'first' : 'other' };
    },
    { id, ...options },
  );

describe('an id', () => {
  it('determines the home: the shard of a key, or any shard', () => {
    const homes = Array.from({ length: 200 }, () => new Identity({ id: claret.transactionId(), keepMs: 0, inProgress: 'wait' }).slot);
    expect(new Set(homes).size).toBeGreaterThan(150);
    for (const key of [A, B, '{tag}:x']) {
      const id = claret.transactionId(key);
      expect(id).toMatch(/^[0-9a-f]{32}$/);
      expect(new Identity({ id, keepMs: 0, inProgress: 'wait' }).slot).toBe(slotOf(key));
    }
    expect(newTransactionId(systemEnvironment, 5)).not.toBe(newTransactionId(systemEnvironment, 5));
    const bytes = Uint8Array.from({ length: 16 }, (_, i) => 255 - i);
    expect(claret.transactionId(undefined, bytes)).toBe('fffefdfcfbfaf9f8f7f6f5f4f3f2f1f0');
    expect(new Identity({ id: claret.transactionId(A, bytes), keepMs: 0, inProgress: 'wait' }).slot).toBe(slotOf(A));
    expect(other.transactionId(A, bytes)).toBe(claret.transactionId(A, bytes));
    expect(() => claret.transactionId(A, bytes.subarray(1))).toThrow(expect.objectContaining({ code: 'invalid_attempt' }));
  });

  it.each([
    ['', 0],
    ['x'.repeat(32), 0],
    ['A'.repeat(32), 0],
    ['0'.repeat(31), 0],
  ])('that is not well formed is refused: %j', async (id) => {
    await expect(pay(claret, id)).rejects.toMatchObject({ code: 'invalid_attempt', commitState: 'none' });
    expect(await counters()).toEqual([0, 0]);
  });

  it('is kept for at most a day', async () => {
    await expect(pay(claret, claret.transactionId(), { keepMs: 86_400_001 })).rejects.toMatchObject({ code: 'out_of_range' });
    await expect(pay(claret, claret.transactionId(), { keepMs: 86_400_000 })).resolves.toMatchObject({ before: 0 });
  });
});

describe('a transaction with an id', () => {
  it.each([
    ['at a shard that it uses anyway', A],
    ['at a shard that it does not use otherwise', B],
  ])('commits once, with its home %s', async (_where, near) => {
    const id = claret.transactionId(near);
    const reports: TransactionReport[] = [];
    const onCommit = (report: TransactionReport) => void reports.push(report);
    const add = (client: Claret) =>
      client.transaction('Add', async (tx) => (tx.counter(A).add(1), tx.counter(A).value()), { id, onCommit });
    expect(await add(claret)).toBe(0);
    expect(await add(claret)).toBe(0);
    expect(await add(other)).toBe(0);
    expect(reports.map(({ replayed }) => replayed)).toEqual([false, true, true]);
    expect(new Set(reports.map(({ committedAt }) => committedAt)).size).toBe(1);
    expect((await counters())[0]).toBe(1);
    expect([claret.counters.replays, other.counters.replays]).toEqual([1, 1]);
  });

  it('sent by many callers at once commits once, and all get the same answer', async () => {
    const id = claret.transactionId();
    const answers = await Promise.all(Array.from({ length: 12 }, (_, i) => pay(i % 2 === 0 ? claret : other, id)));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(await counters()).toEqual([1, 1]);
  });

  it('with a list of operations is answered with the list of results', async () => {
    const id = claret.transactionId(A);
    const all = (client: Claret) =>
      client.transact(
        'All',
        [client.on.counter(A).add(2n ** 53n), client.on.counter(A).add(1), client.on.counter(A).value(), client.on.set(B).add('x')],
        { id },
      );
    const first = await all(claret);
    expect(first).toEqual([undefined, undefined, 0, undefined]);
    expect(await all(other)).toStrictEqual(first);
    const value = (client: Claret, as: string) => client.transact('Value', [client.on.counter(A).value()], { id: as });
    const [big, again] = [claret.transactionId(), claret.transactionId()];
    expect(await value(claret, big)).toStrictEqual([9007199254740993n]);
    expect(await value(other, big)).toStrictEqual([9007199254740993n]);
    expect(await value(other, again)).toStrictEqual([9007199254740993n]);
  });

  it.each([
    ['at the shard where its body sees its own effects', A],
    ['elsewhere', B],
  ])('is answered as before, though its body sees its own effects, with its home %s', async (_where, near) => {
    const id = claret.transactionId(near);
    const withdraw = (client: Claret) =>
      client.transaction(
        'Withdraw',
        async (tx) => {
          if (await tx.set(A).contains('spent')) throw new Error('nothing left');
          tx.set(A).add('spent');
          return 'paid';
        },
        { id },
      );
    expect(await withdraw(claret)).toBe('paid');
    expect(await withdraw(other)).toBe('paid');
    await expect(withdraw(claret)).resolves.toBe('paid');
  });

  it('is answered as another call was that has committed between two of its attempts', async () => {
    const id = claret.transactionId(B);
    let runs = 0;
    const withdraw = (client: Claret): Promise<string> =>
      client.transaction(
        'Withdraw',
        async (tx) => {
          const run = ++runs;
          if (await tx.set(A).contains('spent')) throw new Error('nothing left');
          if (run === 1) {
            await tx.counter(B).value(); // its home lets it begin
            cluster.hosts[1]!.breakSessions();
            await withdraw(other);
          }
          tx.set(A).add('spent');
          return `paid by run ${run}`;
        },
        { id },
      );
    expect(await withdraw(claret)).toBe('paid by run 2');
    expect(runs).toBe(3);
  });

  it('that is called off asks its home nothing any more', async () => {
    const scope = new Scope();
    const id = claret.transactionId(B);
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const hangs = other
      .within(scope)
      .transaction('Hangs', async (tx) => (await tx.counter(A).value(), begin(), await new Promise(() => {})), { id });
    await begun;
    const before = cluster.hosts.map(({ shard }) => shard.counters().begun);
    scope.callOff();
    await expect(hangs).rejects.toMatchObject({ code: 'called_off', commitState: 'unknown' });
    expect(cluster.hosts.map(({ shard }) => shard.counters().begun)).toEqual(before);
  });

  it('that has failed leaves nothing behind: sent again, it may give another answer', async () => {
    const id = claret.transactionId(B);
    const take = (client: Claret) => client.transact('Take', [client.on.boundedCounter(A).decrement(1)], { id });
    await expect(take(claret)).rejects.toMatchObject({ code: 'below_bound' });
    await expect(claret.transaction('Throws', async () => Promise.reject(new Error('no')), { id })).rejects.toThrow('no');
    await claret.transact('Fill', [claret.on.boundedCounter(A).increment(1)]);
    await take(other);
    await take(claret);
    expect(await claret.transact('Left', [claret.on.boundedCounter(A).value()])).toEqual([0]);
  });

  it('does not commit if its result cannot be kept', async () => {
    const id = claret.transactionId();
    const add = (result: unknown) => claret.transaction('Add', async (tx) => (tx.counter(A).add(1), result), { id });
    await expect(add(new Date())).rejects.toMatchObject({ code: 'invalid_answer', commitState: 'none', retryable: false });
    await expect(add('x'.repeat(65_536))).rejects.toMatchObject({ code: 'invalid_answer' });
    expect(await counters()).toEqual([0, 0]);
    expect(await add({ fine: true })).toEqual({ fine: true });
  });

  it('accepts no operation after its body has ended', async () => {
    let late: unknown;
    await claret.transaction(
      'Late',
      (tx) => {
        const read = tx.counter(A).value();
        void Promise.resolve()
          .then(() => tx.counter(A).add(1))
          .catch((error: unknown) => (late = error));
        return tx.finish(read);
      },
      { id: claret.transactionId() },
    );
    expect(late).toMatchObject({ code: 'transaction_ended' });
    expect(await counters()).toEqual([0, 0]);
  });

  it('waits while another client runs it, or is refused', async () => {
    const id = claret.transactionId(B);
    const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>();
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const slow = claret.transaction(
      'Slow',
      async (tx) => {
        tx.counter(A).add(1);
        await tx.counter(B).value(); // its home lets it begin
        begin();
        await mayEnd;
        return 'slow';
      },
      { id },
    );
    await begun;
    await expect(pay(other, id, { inProgress: 'refuse' })).rejects.toMatchObject({
      code: 'transaction_in_progress',
      commitState: 'unknown',
      retryable: true,
    });
    await expect(pay(other, id, { timeoutMs: 2_000 })).rejects.toMatchObject({
      code: 'gave_up',
      cause: 'transaction_in_progress',
      commitState: 'unknown',
    });
    const waiting = pay(other, id);
    await environment.pause(30);
    end();
    expect(await slow).toBe('slow');
    expect(await waiting).toBe('slow');
    expect(await counters()).toEqual([1, 0]);
  });

  it('reports `none` only if its home shard has answered that it has not committed', async () => {
    const id = claret.transactionId(A);
    await pay(claret, id);
    const scope = new Scope();
    await pay(other.within(scope), claret.transactionId(B));
    cluster.hosts[0]!.stop();
    await expect(pay(other, id, { timeoutMs: 100 })).rejects.toMatchObject({
      code: 'shard_unavailable',
      commitState: 'unknown',
      retryable: true,
    });
    const gone = pay(other.within(scope), id);
    scope.callOff();
    await expect(gone).rejects.toMatchObject({ code: 'called_off', commitState: 'unknown' });
    await expect(pay(other.within(scope), id)).rejects.toMatchObject({ code: 'called_off', commitState: 'unknown' });
    // Its home shard lets it begin, so a later failure leaves nothing behind.
    const late = other.transaction('Late', async (tx) => (await tx.counter(B).value(), tx.counter(A).value()), {
      id: claret.transactionId(B),
      timeoutMs: 100,
    });
    await expect(late).rejects.toMatchObject({ code: 'shard_unavailable', commitState: 'none' });
    const closed = pay(other, id);
    await other.close(0);
    await expect(closed).rejects.toMatchObject({ code: 'client_closed', commitState: 'unknown' });
    await expect(pay(other, id)).rejects.toMatchObject({ code: 'client_closed', commitState: 'unknown' });
  });

  it('that another client was running never reports `none`, even if something else fails later', async () => {
    const id = claret.transactionId(B);
    const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>();
    const slow = claret.transaction('Slow', async (tx) => (await tx.counter(B).value(), await mayEnd), { id });
    slow.catch(() => {});
    await expect.poll(() => cluster.hosts[1]!.shard.counters().attemptsInFlight).toBe(1);
    const waiting = pay(other, id, { timeoutMs: 200 });
    await environment.pause(30);
    cluster.hosts[1]!.stop();
    await expect(waiting).rejects.toMatchObject({ code: 'shard_unavailable', commitState: 'unknown' });
    end();
  });

  it('whose shard stops before it answers the commit rejects at its deadline, not later', async () => {
    const id = claret.transactionId(A);
    claret.onStatus(({ shards }) => {
      if (shards[0]!.state === 'offline') cluster.hosts[0]!.stop();
    });
    const begunMs = environment.monotonicMs();
    const adding = claret.transaction(
      'Add',
      async (tx) => {
        await tx.counter(A).value();
        cluster.hosts[0]!.breakInsteadOfAnswering();
        tx.counter(A).add(1);
      },
      { id, timeoutMs: 200 },
    );
    await expect(adding).rejects.toMatchObject({ code: 'outcome_unknown', commitState: 'unknown', cause: 'shard_unavailable' });
    expect(environment.monotonicMs() - begunMs).toBeLessThan(OUTCOME_GRACE_MS); // it asks no longer, since nobody is there to ask
  });

  it('gets its answer although a result on which the answer does not depend is lost', async () => {
    const id = claret.transactionId(A);
    let beside: Promise<unknown> | undefined;
    const add = (client: Claret) =>
      client.transaction(
        'Add',
        async (tx) => {
          await tx.set(keyOn(0, 'other')).size();
          cluster.hosts[0]!.breakInsteadOfAnswering();
          beside = Promise.resolve(tx.counter(A).value());
          beside.catch(() => {});
          tx.counter(A).add(1);
          return 'added';
        },
        { id },
      );
    expect(await add(claret)).toBe('added');
    await expect(beside).rejects.toMatchObject({ code: 'result_lost', commitState: 'applied' });
    expect(await add(other)).toBe('added');
    expect(await counters()).toEqual([1, 0]);
  });

  it.each([[false], [true]])('loses its session at any time and still commits once (one at a time: %s)', async (oneAtATime) => {
    const seed = freshSeed();
    console.log(`seed ${seed}`);
    const random = randomFrom(seed);
    const clients = [await cluster.connect({ name: 'a', oneAtATime }), await cluster.connect({ name: 'b', combining: 'always' })];
    let committed = 0;
    let running = true;
    const worker = async () => {
      while (running) {
        const id = claret.transactionId();
        // Each transaction is sent twice, in parallel or in sequence, by one client or by two.
        const send = () => pay(random.pick(clients), id, { timeoutMs: 20_000 });
        const first = send();
        if (random.below(2) === 0) await first;
        const [one, two] = await Promise.all([first, send()]);
        expect(two).toEqual(one);
        committed++;
      }
    };
    const workers = Array.from({ length: 4 }, worker);
    // On a busy machine few transactions commit between two breaks.
    for (let round = 0; round < 15 || committed <= 5; round++) {
      await environment.pause(10 + random.below(40));
      const host = cluster.hosts[random.below(2)]!;
      if (random.below(2) === 0) host.breakSessions();
      else host.breakInsteadOfAnswering();
    }
    running = false;
    await Promise.all(workers);
    expect(await counters()).toEqual([committed, committed]);
    expect(committed).toBeGreaterThan(5);
    expect(clients[0]!.counters.replays + clients[1]!.counters.replays).toBeGreaterThan(0);
  });

  it('that does not wait leaves nothing at the gates', async () => {
    await Promise.all(Array.from({ length: 20 }, () => pay(claret, claret.transactionId())));
    for (const { shard } of cluster.hosts) await expect.poll(() => shard.counters().attemptsInFlight).toBe(0);
    expect(await counters()).toEqual([20, 20]);
  });
});
