import { expect, it } from 'vitest';
import { Operation } from './operation.ts';
import { ClaretError, codes } from './errors.ts';
import { operationSpecs } from './generated/handles.ts';

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

it('an error that nobody takes is told to the process, as of any promise', async () => {
  const told: unknown[] = [];
  const listen = (reason: unknown) => void told.push(reason);
  const before = process.listeners('unhandledRejection');
  process.removeAllListeners('unhandledRejection').on('unhandledRejection', listen);
  try {
    const operation = issue();
    void operation.then(() => {});
    operation.fail(refused);
    await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setImmediate(resolve));
  } finally {
    process.off('unhandledRejection', listen);
    for (const one of before) process.on('unhandledRejection', one);
  }
  expect(told).toEqual([refused]);
});
