import { expect, it } from 'vitest';
import { ClaretError } from '../errors/claret-error.ts';
import { codes } from '../errors/error-codes.ts';
import { operationSpecs } from '../generated/handles.ts';
import { Operation } from './operation.ts';

const issue = () => new Operation<number>({ want: () => {}, settled: () => {} }, operationSpecs.get('Counter.value')!, 'a', []);
const refused = new ClaretError({ code: codes.denied, message: 'refused' });

it('what awaits an operation runs once, in the order in which it asked, and never within the settling', async () => {
  const operation = issue();
  const seen: string[] = [];
  const waiter = async (name: string) => void seen.push(`${name} ${await operation}`);
  const all = [waiter('a'), operation.then((value) => void seen.push(`b ${value}`)), waiter('c')];
  await Promise.resolve();
  operation.settle(7);
  operation.settle(8);
  expect(seen).toEqual([]);
  await Promise.all(all);
  expect(seen.toSorted()).toEqual(['a 7', 'b 7', 'c 7']);
  expect(await operation).toBe(7);
});

it('what `then` gives can be chained before and after the operation is settled', async () => {
  const operation = issue();
  const chained = operation.then((value) => value + 1);
  const early = chained.then((value) => value * 2);
  const passedOn = operation.then(null);
  operation.settle(1);
  expect(await early).toBe(4);
  expect(await chained.then(String)).toBe('2');
  expect(await passedOn).toBe(1);
});

it('an error goes to whoever takes it, and what a callback throws to whoever follows', async () => {
  const operation = issue();
  const taken = operation.then(undefined, (error: unknown) => (error as ClaretError).code);
  const followed = operation.then(undefined, () => {
    throw new Error('thrown');
  });
  const passedOn = operation.then((value) => value);
  const all = Promise.allSettled([operation, taken, followed, passedOn]);
  operation.fail(refused);
  expect(await all).toMatchObject([{ reason: refused }, { value: codes.denied }, { reason: { message: 'thrown' } }, { reason: refused }]);
});

/** The unhandled rejections that the process is told of. */
async function toldBy(run: () => void): Promise<unknown[]> {
  const told: unknown[] = [];
  const listen = (reason: unknown) => void told.push(reason);
  const before = process.listeners('unhandledRejection');
  process.removeAllListeners('unhandledRejection').on('unhandledRejection', listen);
  try {
    run();
    await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setImmediate(resolve));
  } finally {
    process.off('unhandledRejection', listen);
    for (const one of before) process.on('unhandledRejection', one);
  }
  return told;
}

it("an operation's error that nobody takes is not told to the process: its transaction tells it", async () => {
  const told = await toldBy(() => {
    const operation = issue();
    void operation.then(() => {});
    void operation
      .then(() => {})
      .then(() => {})
      .then(() => {});
    void operation.then(undefined, () => issue()).then(() => {});
    const other = issue();
    void operation.then(undefined, () => other).then(() => {});
    operation.fail(refused);
    other.fail(refused);
    void operation.then(() => {});
  });
  expect(told).toEqual([]);
});

it('what a callback throws is told where nobody takes it, however long the chain', async () => {
  const bug = new Error('a bug in the body');
  const throws = () => {
    throw bug;
  };
  const asyncThrows = async () => throws();
  for (const callback of [throws, asyncThrows]) {
    const operation = issue();
    const told = toldBy(() => {
      void operation.then(callback);
      void operation
        .then(callback)
        .then(() => {})
        .then(() => {});
      operation.then(callback).then(undefined, () => {});
      operation.settle(1);
    });
    expect(await told).toEqual([bug, bug]);
  }
});

it('what a callback gives is awaited by whoever follows', async () => {
  const [first, second] = [issue(), issue()];
  const both = first.then(() => second).then((value) => value + 1);
  const later = first.then(async (value) => value + 2);
  first.settle(1);
  await later;
  second.settle(10);
  expect([await both, await later]).toEqual([11, 3]);
});
