import { expect, it } from 'vitest';
import { ClaretError } from '../errors/claret-error.ts';
import { codes } from '../errors/error-codes.ts';
import { operationSpecs } from '../generated/handles.ts';
import { Operation } from './operation.ts';

const issue = () => new Operation<number>({ want: () => {} }, operationSpecs.get('Counter.value')!, 'a', []);
const refused = new ClaretError({ code: codes.denied, message: 'refused' });

it('reactions to an operation run once, in the order in which they were added, and never during `settle`', async () => {
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

it('the result of `then` can be chained before and after the operation is settled', async () => {
  const operation = issue();
  const chained = operation.then((value) => value + 1);
  const early = chained.then((value) => value * 2);
  const passedOn = operation.then(null);
  operation.settle(1);
  expect(await early).toBe(4);
  expect(await chained.then(String)).toBe('2');
  expect(await passedOn).toBe(1);
});

it('an error goes to the callback that handles it, and an error thrown by a callback to the next one', async () => {
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

/** Returns the unhandled rejections that `run` causes. */
async function rejectionsOf(run: () => void): Promise<unknown[]> {
  const rejections: unknown[] = [];
  const listen = (reason: unknown) => void rejections.push(reason);
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
  return rejections;
}

it("an operation's unhandled error causes no unhandled rejection, since its transaction reports it", async () => {
  const rejections = await rejectionsOf(() => {
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
  expect(rejections).toEqual([]);
});

it('an error thrown by a callback causes an unhandled rejection unless it is handled, however long the chain', async () => {
  const bug = new Error('a bug in the body');
  const throws = () => {
    throw bug;
  };
  const asyncThrows = async () => throws();
  for (const callback of [throws, asyncThrows]) {
    const operation = issue();
    const rejections = rejectionsOf(() => {
      void operation.then(callback);
      void operation
        .then(callback)
        .then(() => {})
        .then(() => {});
      operation.then(callback).then(undefined, () => {});
      operation.settle(1);
    });
    expect(await rejections).toEqual([bug, bug]);
  }
});

it('a promise or operation that a callback returns is awaited by the next callback', async () => {
  const [first, second] = [issue(), issue()];
  const both = first.then(() => second).then((value) => value + 1);
  const later = first.then(async (value) => value + 2);
  first.settle(1);
  await later;
  second.settle(10);
  expect([await both, await later]).toEqual([11, 3]);
});
