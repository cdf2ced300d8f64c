// Expected results over REST, at two real gateways: a list commits only where all of them hold.
import { connect } from '@claret/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startCluster } from '../testing/cluster.ts';
import type { TestCluster } from '../testing/cluster.ts';
import { SEAT_MAP } from '../testing/definitions.ts';

let cluster: TestCluster;
beforeAll(async () => {
  cluster = await startCluster(2);
});
afterAll(() => cluster.close());

interface Step {
  key: string;
  type: string;
  operation: string;
  arguments?: unknown[];
  expect?: unknown;
}
interface Answer {
  status: number;
  headers: Record<string, unknown>;
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any;
}

async function post(
  operations: Step[],
  { gateway = 0, key, ...more }: { gateway?: number; key?: string; way?: string } = {},
): Promise<Answer> {
  const answer = await cluster.gateways[gateway]!.rest.inject({
    method: 'POST',
    url: '/v1/transactions',
    payload: { label: 'Decide', operations, ...more },
    headers: key === undefined ? {} : { 'idempotency-key': key },
  });
  return { status: answer.statusCode, headers: answer.headers, body: answer.json() };
}

const step =
  (type: string, operation: string) =>
  (key: string, ...args: unknown[]): Step => ({ key, type, operation, arguments: args });
const get = step('Register', 'get');
const set = step('Register', 'set');
const add = step('Counter', 'add');
const value = step('Counter', 'value');
const expected = (operation: Step, result: unknown): Step => ({ ...operation, expect: result });
const read = async (...operations: Step[]): Promise<unknown[]> => (await post(operations)).body.results;

describe('a list whose expectations', () => {
  test('hold commits, over both shards', async () => {
    const [price, bids] = [cluster.keyOn(0, 'price'), cluster.keyOn(1, 'bids')];
    const bid = (known: number | null, offer: number) => [
      expected(get(price), known),
      set(price, offer),
      add(bids, 1),
      expected(value(bids), known ? 1 : 0),
    ];
    expect(await post(bid(null, 10))).toMatchObject({ status: 200, body: { results: [null, null, null, 0], retries: 0 } });
    expect(await post(bid(10, 12), { gateway: 1 })).toMatchObject({ status: 200, body: { results: [10, null, null, 1], retries: 0 } });
    expect(await read(get(price), value(bids))).toEqual([12, 2]);
  });

  test('do not hold changes nothing, and is told which ones, and what is so now', async () => {
    const [first, second, third] = [cluster.keyOn(0, 'told'), cluster.keyOn(1, 'told'), cluster.keyOn(1, 'other')];
    await post([set(first, 'a'), add(second, 3)]);
    const stale = [add(third, 1), expected(get(first), 'b'), expected(value(third), 0), expected(value(second), 2), set(first, 'c')];
    const answer = await post(stale);
    expect(answer).toMatchObject({
      status: 409,
      headers: { 'content-type': expect.stringContaining('application/problem+json') },
      body: {
        type: '/v1/errors/expectation_failed',
        code: 'expectation_failed',
        detail: 'operations[1], Register.get, has another result than was expected, and so have 1 more. Nothing happened.',
        retryable: false,
        commit_state: 'none',
        key: first,
        operation: 'Register.get',
        unmet: [
          { index: 1, result: 'a' },
          { index: 3, result: 3 },
        ],
      },
    });
    expect(answer.headers['retry-after']).toBeUndefined();
    expect(await read(get(first), value(second), value(third))).toEqual(['a', 3, 0]);
    const { rest } = cluster.gateways[1]!;
    expect((await rest.inject(answer.body.type)).json()).toMatchObject({ http: 409, grpc: 'ABORTED', retryable: false });
  });

  test('would be refused as well is told of the expectations first', async () => {
    const key = cluster.keyOn(1, 'balance');
    const [balance, take] = [step('BoundedCounter', 'value')(key), step('BoundedCounter', 'decrement')(key, 8)];
    await post([step('BoundedCounter', 'increment')(key, 5)]);
    expect((await post([expected(balance, 9), take])).body).toMatchObject({ code: 'expectation_failed', unmet: [{ index: 0, result: 5 }] });
    expect((await post([expected(balance, 5), take])).body).toMatchObject({ code: 'below_bound', commit_state: 'none' });
  });

  test('are about a type that was installed', async () => {
    await cluster.gateways[0]!.rest.inject({ method: 'POST', url: '/v1/types', payload: { definition: SEAT_MAP } });
    const hall = cluster.keyOn(1, 'hall');
    const seats = (operation: string, ...args: unknown[]) => step('SeatMap', operation)(hall, ...args);
    const reserve = (left: number, seat: string) =>
      post([expected(seats('left', 'stalls'), left), seats('reserve', 'stalls', seat, 'ann')]);
    await post([seats('open', 'stalls', 2)]);
    expect((await reserve(2, 'A1')).status).toBe(200);
    expect((await reserve(2, 'A2')).body).toMatchObject({ code: 'expectation_failed', unmet: [{ index: 0, result: 1 }] });
    expect((await reserve(1, 'A1')).body).toMatchObject({ code: 'SeatMap.taken' });
    expect(await read(seats('guest', 'A2'))).toEqual([null]);
  });
});

describe('an expected result', () => {
  const BIG = '9007199254740993';
  const long = (at: number) => `${at}`.padEnd(100, 'x');
  const kinds: [string, Step[], Step, right: unknown, wrong: unknown][] = [
    ['boolean', [step('Set', 'add')('k-set', 'a')], step('Set', 'contains')('k-set', 'a'), true, false],
    ['large integer', [add('k-big', BIG)], value('k-big'), BIG, '9007199254740994'],
    ['text that looks like an integer', [set('k-text', '12')], get('k-text'), '12', 12],
    ['double', [set('k-double', 1.5)], get('k-double'), 1.5, 1],
    ['mean without a fraction', [step('SummaryBag', 'add')('k-mean', 4)], step('SummaryBag', 'mean')('k-mean'), 4, '4'],
    ['absent value', [], get('k-none'), null, ''],
    ['list with absent values', [step('Dict', 'set')('k-dict', { a: 1 })], step('Dict', 'get')('k-dict', ['a', 'b']), [1, null], [1, 0]],
    ['object', [step('Dict', 'set')('k-all', { a: 1, b: 'x' })], step('Dict', 'all')('k-all'), { b: 'x', a: 1 }, { a: 1 }],
    ['list of texts', [step('Set', 'add')('k-texts', 'a')], step('Set', 'members')('k-texts', 9, null), ['a'], []],
    [
      'list with scores',
      [step('ScoredSet', 'add')('k-scored', 'a', 7)],
      step('ScoredSet', 'range')('k-scored', 0, 9),
      [['a', 7]],
      [['a', 8]],
    ],
    ['ranking', [step('TopK', 'add')('k-top', 'a', 0.5)], step('TopK', 'top')('k-top', 3), [['a', 0.5]], []],
    ['first of a ranking', [step('TopK', 'add')('k-max', 'a', 2)], step('TopK', 'max')('k-max'), ['a', 2], null],
    ['first of no ranking', [], step('TopK', 'max')('k-no-max'), null, ['a', 2]],
    ['type of a record', [add('k-type', 1)], step('Record', 'type')('k-type'), 'Counter', null],
    [
      'list that is longer than a frame may be',
      [
        step('List', 'append')(
          'k-long',
          Array.from({ length: 1_000 }, (_, at) => long(at)),
        ),
      ],
      step('List', 'range')('k-long', 0, -1),
      Array.from({ length: 1_000 }, (_, at) => long(at)),
      [long(0)],
    ],
  ];

  test.each(kinds)('may be of the kind: %s', async (kind, before, operation, right, wrong) => {
    if (before.length > 0) expect((await post(before)).status).toBe(200);
    const seen = `seen ${kind}`;
    const failed = await post([expected(operation, wrong), add(seen, 1)]);
    expect(failed.body).toMatchObject({ code: 'expectation_failed', unmet: [{ index: 0, result: right }] });
    expect(await post([expected(operation, right), add(seen, 1)])).toMatchObject({ status: 200, body: { results: [right, null] } });
    expect(await read(value(seen))).toEqual([1]);
  });

  test('may be that of an operation that changes the record as well', async () => {
    const insert = (isNew: number) => post([expected(step('Set', 'insert')('names', ['ann']), isNew), add('insertions', 1)]);
    expect((await insert(1)).status).toBe(200);
    expect((await insert(1)).body.unmet).toEqual([{ index: 0, result: 0 }]);
    expect(await read(value('insertions'))).toEqual([1]);
  });

  test('is the same if it is told the same: an integer that JSON cannot hold, in a place for any value', async () => {
    const claret = await connect({ addresses: [cluster.gateways[0]!.member.grpc] });
    await claret.native.register('untold').set(2n ** 60n);
    await claret.close();
    const [told] = await read(get('untold'));
    expect(told).toBe(`${2n ** 60n}`);
    expect((await post([expected(get('untold'), told), set('untold', 1)])).status).toBe(200);
  });
});

describe('what cannot be expected is refused:', () => {
  test.each<[string, Step[], string]>([
    ['a result of none', [expected(set('m', 1), null)], 'operations[0].expect: Register.set has no result.'],
    ['another kind', [get('m'), expected(value('m-c'), 'five')], 'operations[1].expect: Counter.value has a result of the kind integer.'],
    ['no result at all', [expected(value('m-c'), null)], 'operations[0].expect: Counter.value has a result of the kind integer.'],
    ['a list for a value', [expected(get('m'), [1])], 'operations[0].expect: Register.get has a result of the kind optional.'],
    [
      'a broken pair',
      [expected(step('TopK', 'top')('m-t', 3), [['a']])],
      'operations[0].expect: TopK.top has a result of the kind ranked.',
    ],
  ])('%s', async (_, operations, detail) => {
    expect(await post([...operations, add('untouched', 1)])).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', detail },
    });
    expect(await read(value('untouched'))).toEqual([0]);
  });

  test.each<[string, string, object]>([
    ['by a native operation', '/v1/records/m', { type: 'Register', operation: 'get', expect: null }],
    ['in an interactive transaction', '/v1/transactions/interactive/x/operations', { operations: [expected(get('m'), null)] }],
  ])('%s', async (_, url, payload) => {
    const answer = await cluster.gateways[0]!.rest.inject({ method: 'POST', url, payload });
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ code: 'invalid_request', detail: expect.stringContaining('has no member "expect"') });
  });
});

describe('with an Idempotency-Key', () => {
  // The home of a key, which knows the answer, is any shard.
  test.each([1, 2, 3, 4])('a list that has committed gets its answer again, although its expectation holds no more (%i)', async (n) => {
    const [price, bids] = [cluster.keyOn(0, `once-${n}`), cluster.keyOn(1, `once-${n}`)];
    const key = `"once-${n}"`;
    const list = [expected(get(price), null), set(price, 10), add(bids, 1), value(bids)];
    const first = await post(list, { key });
    expect(first).toMatchObject({ status: 200, body: { results: [null, null, null, 0] } });
    for (const gateway of [0, 1]) {
      const again = await post(list, { gateway, key });
      expect([again.status, again.body, again.headers['idempotency-replayed']]).toEqual([200, first.body, 'true']);
    }
    expect((await post(list)).body.code).toBe('expectation_failed');
    const other = [expected(get(price), 10), ...list.slice(1)];
    expect(await post(other, { key })).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } });
    expect(await read(get(price), value(bids))).toEqual([10, 1]);
  });

  test('a list that has not committed leaves the key to the next decision', async () => {
    const [price, bids] = [cluster.keyOn(1, 'next'), cluster.keyOn(0, 'next')];
    await post([set(price, 10)]);
    const bid = (known: number) => post([expected(get(price), known), set(price, known + 1), add(bids, 1)], { key: '"next"' });
    const failed = await bid(9);
    expect(failed.body).toMatchObject({ code: 'expectation_failed', commit_state: 'none', unmet: [{ index: 0, result: 10 }] });
    const second = await bid(failed.body.unmet[0].result);
    expect([second.status, second.headers['idempotency-replayed']]).toEqual([200, undefined]);
    expect((await bid(10)).headers['idempotency-replayed']).toBe('true');
    expect(await read(get(price), value(bids))).toEqual([11, 1]);
  });
});

test('callers of both gateways that compare and set at once lose no update', async () => {
  const [register, log] = [cluster.keyOn(0, 'race'), cluster.keyOn(1, 'race')];
  await post([set(register, 0)]);
  let unmet = 0;
  const increment = async (caller: number) => {
    for (let known = 0; ; unmet++) {
      const list = [expected(get(register), known), set(register, known + 1), add(log, 1)];
      const { status, body } = await post(list, { gateway: caller % 2, ...(caller % 3 === 0 && { key: `"race-${caller}"` }) });
      if (status === 200) return;
      expect(body.code).toBe('expectation_failed');
      known = body.unmet[0].result;
    }
  };
  await Promise.all(Array.from({ length: 30 }, (_, caller) => increment(caller)));
  expect(await read(get(register), value(log))).toEqual([30, 30]);
  expect(unmet).toBeGreaterThan(0);
});
