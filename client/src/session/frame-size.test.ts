// What a client is given to send, however large, over real shards of the core: it is refused by itself, with the code that a shard would answer, or
// leaves in frames that a gateway takes. A gateway ends the session that sends a longer one.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Claret } from '../claret.ts';
import { connectForTests } from '../connect.ts';
import { ClaretError } from '../errors/claret-error.ts';
import { operationSpecs } from '../generated/handles.ts';
import { Description } from '../operation/description.ts';
import { inProcessCluster, type InProcessCluster } from '../testing/in-process-cluster.ts';
import type { Transport } from '../transport/transport.ts';
import { ARGUMENTS_BYTES_MAX, FRAME_BYTES_MAX, ITEMS_MAX, KEY_BYTES_MAX, LABEL_BYTES_MAX, TEXT_BYTES_MAX } from '../values/limits.ts';
import { steered } from '../transaction/steered-options.ts';

/** Records the size of the longest frame that is sent. */
class Measuring implements Transport {
  longest = 0;
  readonly #inner: Transport;

  constructor(inner: Transport) {
    this.#inner = inner;
  }

  open(address: string, handlers: Parameters<Transport['open']>[1]): ReturnType<Transport['open']> {
    const link = this.#inner.open(address, handlers);
    return {
      send: (bytes) => {
        this.longest = Math.max(this.longest, bytes.length);
        return link.send(bytes);
      },
      close: () => link.close(),
    };
  }

  topology(address: string): ReturnType<Transport['topology']> {
    return this.#inner.topology(address);
  }

  close(): void {}
}

let cluster: InProcessCluster;
let transport: Measuring;
let claret: Claret;

async function connected(options: Parameters<InProcessCluster['connect']>[0] = {}): Promise<void> {
  claret = await connectForTests({ addresses: ['shard-0'], transport, name: 'n'.repeat(4_000_000), ...options });
}

beforeEach(async () => {
  // No session is lost while the process works on something large.
  cluster = await inProcessCluster({ shardOptions: { sessionLeaseMs: 600_000 } });
  transport = new Measuring(cluster.transport);
  await connected();
});

afterEach(async () => {
  expect(claret.counters.sessionsLost).toBe(0);
  expect(transport.longest).toBeLessThanOrEqual(FRAME_BYTES_MAX);
  await claret.close();
  await cluster.stop();
});

/** The error of the operation, while others of the same session are under way. */
async function refusal(work: () => PromiseLike<unknown>): Promise<ClaretError> {
  const { native } = claret;
  const before = [native.counter('neighbour').add(1), native.counter('neighbour').value()];
  let error: unknown = null;
  try {
    await work();
  } catch (thrown) {
    error = thrown;
  }
  const after = [native.counter('neighbour').add(1), claret.transact('Neighbour', [claret.on.counter('neighbour').add(1)])];
  await Promise.all([...before, ...after]);
  expect(error).toBeInstanceOf(ClaretError);
  expect(error).toMatchObject({ commitState: 'none', retryable: false });
  return error as ClaretError;
}

const full = 'x'.repeat(TEXT_BYTES_MAX);
/** three bytes a unit */
const wide = (bytes: number) => '世'.repeat(Math.floor(bytes / 3)) + 'x'.repeat(bytes % 3);
const fields = (count: number, value: string) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`f${i}`, value]));

type Shape = readonly [what: string, code: string, name: string, key: string, args: readonly unknown[]];

const OVER: readonly Shape[] = [
  ['an empty key', 'invalid_key', 'Counter.add', '', [1]],
  ['a key of a byte too many', 'invalid_key', 'Counter.add', 'k'.repeat(KEY_BYTES_MAX + 1), [1]],
  ['a key of few units and too many bytes', 'invalid_key', 'Counter.add', wide(KEY_BYTES_MAX + 1), [1]],
  ['a text of a byte too many', 'argument_too_large', 'Register.set', 'r', [`${full}x`]],
  ['a text of few units and too many bytes', 'argument_too_large', 'Register.set', 'r', [wide(TEXT_BYTES_MAX + 1)]],
  ['a list of an item too many', 'argument_too_large', 'List.append', 'l', [Array.from({ length: ITEMS_MAX + 1 }, (_, i) => i)]],
  ['an item of a byte too many', 'argument_too_large', 'List.append', 'l', [['y', `${full}x`]]],
  [
    'a list of texts that are too long together',
    'argument_too_large',
    'List.append',
    'l',
    [[...Array.from({ length: 16 }, () => full), 'x']],
  ],
  ['fields that are too long together', 'argument_too_large', 'Dict.set', 'd', [fields(16, full)]],
  ['a field of too many', 'argument_too_large', 'Dict.set', 'd', [fields(ITEMS_MAX + 1, 'x')]],
  ['too many names of fields', 'argument_too_large', 'Dict.get', 'd', [Array.from({ length: ITEMS_MAX + 1 }, () => 'f')]],
];

const LARGE: readonly Shape[] = [
  ['a key of 2 MB', 'invalid_key', 'Register.set', 'k'.repeat(2_000_000), ['x']],
  ['a text of 1,030 KB', 'argument_too_large', 'Register.set', 'r', ['x'.repeat(1_030_000)]],
  ['a text of 20 MB', 'argument_too_large', 'Register.set', 'r', ['x'.repeat(20_000_000)]],
  ['a list of 30 texts of 60 KB', 'argument_too_large', 'List.append', 'l', [Array.from({ length: 30 }, () => 'x'.repeat(60_000))]],
  ['fields of 60 MB', 'argument_too_large', 'Dict.set', 'd', [fields(ITEMS_MAX, 'x'.repeat(60_000))]],
];

describe('an operation over a limit', () => {
  it.each([...OVER, ...LARGE])('is refused alone as a native: %s', async (_, code, name, key, args) => {
    const error = await refusal(async () => claret.native.perform(claret.describe(key, name, args)));
    expect(error).toMatchObject({ code, operation: name });
    expect((error.key ?? '').length).toBeLessThanOrEqual(KEY_BYTES_MAX);
  });

  it.each([...OVER, ...LARGE])('is refused alone in a body, which may go on: %s', async (_, code, name, key, args) => {
    let met: unknown = null;
    await claret.transaction('Body', async (tx) => {
      tx.counter('neighbour').add(1);
      try {
        await tx.perform(claret.describe(key, name, args));
      } catch (error) {
        met = error;
      }
      tx.counter('neighbour').add(1);
    });
    expect(met).toMatchObject({ code, commitState: 'none' });
    expect(await claret.native.counter('neighbour').value()).toBe(2);
  });

  it.each(OVER)('is refused with the code that a shard answers: %s', async (_, code, name, key, args) => {
    // What the client itself would refuse.
    const unchecked: Description<unknown> = Object.assign(Object.create(Description.prototype), {
      spec: operationSpecs.get(name)!,
      key,
      args,
    });
    expect(await refusal(() => claret.native.perform(unchecked))).toMatchObject({ code });
  });

  it('rejects the promise of a native rather than throwing', async () => {
    const [large, neighbour] = await Promise.allSettled([claret.native.register('r').set(`${full}x`), claret.native.counter('c').add(1)]);
    expect(large).toMatchObject({ status: 'rejected', reason: { code: 'argument_too_large' } });
    expect(neighbour.status).toBe('fulfilled');
  });

  it('cannot be watched', () => {
    expect(() => claret.on.dict('d').get(...Array.from({ length: 30 }, () => full))).toThrow(
      expect.objectContaining({ code: 'argument_too_large' }),
    );
  });
});

describe('an operation at a limit', () => {
  const AT: readonly Shape[] = [
    ['a key', '', 'Counter.add', 'k'.repeat(KEY_BYTES_MAX), [1]],
    ['a key of wide units', '', 'Counter.add', wide(KEY_BYTES_MAX), [1]],
    ['a text', '', 'Register.set', 'r', [full]],
    ['a text of wide units', '', 'Register.set', 'r', [wide(TEXT_BYTES_MAX)]],
    ['a list of numbers', '', 'List.append', 'l', [Array.from({ length: ITEMS_MAX }, (_, i) => i / 3)]],
    ['a list of texts', '', 'List.append', 'l', [Array.from({ length: ARGUMENTS_BYTES_MAX / TEXT_BYTES_MAX }, () => full)]],
    [
      'a list of many texts',
      '',
      'List.append',
      'l',
      [Array.from({ length: ITEMS_MAX }, () => wide(Math.floor(ARGUMENTS_BYTES_MAX / ITEMS_MAX)))],
    ],
    ['fields', '', 'Dict.set', 'd', [fields(ITEMS_MAX, 'x'.repeat(1_000))]],
  ];

  it.each(AT)('is executed: %s', async (_, _code, name, key, args) => {
    const { commits } = claret.counters;
    const operation = claret.describe(key, name, args);
    await claret.native.perform(operation);
    await claret.transact('At the limit', [operation]);
    await claret.transaction('At the limit', async (tx) => void (await tx.perform(operation)));
    await claret.transact('At the limit', [operation], steered({ way: 'epoch' }));
    expect(claret.counters.commits).toBe(commits + 3);
  });

  it('leaves beside others that are as large, and with an answer', async () => {
    const large = () => claret.on.list('l').append(...Array.from({ length: 16 }, () => full));
    const operations = Array.from({ length: 5 }, large);
    await Promise.all([
      ...operations.map((operation) => claret.native.perform(operation)),
      claret.transact('Large', operations),
      claret.transact('Large', operations, steered({ way: 'epoch' })),
      claret.transaction('Large', async (tx) => (operations.forEach((operation) => void tx.perform(operation)), 'a'.repeat(65_000)), {
        id: claret.transactionId(),
      }),
    ]);
    expect(await claret.native.list('l').length()).toBe(20 * 16);
  });
});

describe('a list of operations that is larger than a frame', () => {
  const appends = () => Array.from({ length: 60 }, (_, i) => claret.on.list(`l${i}`).append('x'.repeat(30_000), 'x'.repeat(30_000)));

  it.each(['auto', 'epoch', 'locks'] as const)('commits: %s', async (way) => {
    await claret.transact('Appends', appends(), steered({ way }));
    expect(await claret.native.list('l59').length()).toBe(2);
  });

  it('commits where lists are sent whole, in chains', async () => {
    await claret.close();
    await connected({ combining: 'always' });
    await claret.transact('Appends', appends());
    await claret.transact('Fields', [claret.on.dict('d').set(fields(16, 'x'.repeat(60_000))), ...appends()]);
    expect(await claret.native.list('l59').length()).toBe(4);
  });

  it('commits in an epoch with thousands of keys of wide units', async () => {
    const keys = Array.from({ length: 4_000 }, (_, i) => wide(200) + i);
    await claret.transact(
      'Wide keys',
      keys.map((key) => claret.on.counter(key).add(1)),
      steered({ way: 'epoch' }),
    );
    expect(await claret.native.counter(keys[3_999]!).value()).toBe(1);
  });
});

it('a transaction that runs again asks for thousands of long keys', async () => {
  const keys = Array.from({ length: 2_500 }, (_, i) => `${i}:`.padEnd(KEY_BYTES_MAX, 'k'));
  const other = await cluster.connect();
  let runs = 0;
  await claret.transaction('Increment', async (tx) => {
    runs++;
    const values = await Promise.all(keys.map((key) => tx.counter(key).value()));
    for (const [i, key] of keys.entries()) tx.counter(key).add(Number(values[i]) + 1);
    if (runs === 1) await other.native.counter(keys[0]!).add(1);
    await tx.counter('last').value();
  });
  expect(runs).toBeGreaterThan(1);
  expect(await claret.native.counter(keys[0]!).value()).toBe(3);
});

describe('a label', () => {
  it.each([
    ['of a byte too many', 'l'.repeat(LABEL_BYTES_MAX + 1), 'argument_too_large'],
    ['of few units and too many bytes', wide(LABEL_BYTES_MAX + 1), 'argument_too_large'],
    ['of 3 MB', 'l'.repeat(3_000_000), 'argument_too_large'],
    ['with a lone surrogate', 'l\ud800', 'invalid_utf8'],
  ])('%s is refused alone', async (_, label, code) => {
    expect(await refusal(() => claret.transact(label, [claret.on.counter('c').add(1)]))).toMatchObject({ code });
    expect(await refusal(() => claret.transaction(label, (tx) => void tx.counter('c').add(1)))).toMatchObject({ code });
    expect(await claret.native.counter('c').value()).toBe(0);
  });

  it.each([['l'.repeat(LABEL_BYTES_MAX)], [wide(LABEL_BYTES_MAX)]])('at the limit is taken: %s', async (label) => {
    await claret.transact(label, [claret.on.counter('c').add(1)]);
    expect(await claret.native.counter('c').value()).toBe(1);
  });
});
