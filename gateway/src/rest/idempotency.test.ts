import { expect, test } from 'vitest';
import type { GatewayError } from '../errors.ts';
import { IdempotencyTable } from './idempotency.ts';

const codeOf = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    return (error as GatewayError).code;
  }
  return 'accepted';
};

test('an answer is given again until its lifetime is over', () => {
  let nowMs = 0;
  const table = new IdempotencyTable({ lifetimeMs: 100, countMax: 10 }, () => nowMs);
  expect(table.begin('k', 'p')).toBeUndefined();
  nowMs = 500; // a long run: the lifetime counts from its end
  table.finish('k', { body: { a: 1 } });
  nowMs = 599;
  expect(table.begin('k', 'p')).toEqual({ body: { a: 1 } });
  nowMs = 600;
  expect(table.begin('k', 'p')).toBeUndefined();
});

test('the same key with another payload is refused, running or finished', () => {
  const table = new IdempotencyTable({ lifetimeMs: 100, countMax: 10 });
  table.begin('k', 'p');
  expect(codeOf(() => table.begin('k', 'q'))).toBe('idempotency_key_reused');
  expect(codeOf(() => table.begin('k', 'p'))).toBe('idempotency_key_in_progress');
  table.finish('k', { body: 1 });
  expect(codeOf(() => table.begin('k', 'q'))).toBe('idempotency_key_reused');
});

test('a forgotten key is new again', () => {
  const table = new IdempotencyTable({ lifetimeMs: 100, countMax: 10 });
  table.begin('k', 'p');
  table.forget('k');
  expect(table.begin('k', 'q')).toBeUndefined();
});

test('a full table refuses new keys and still knows the old ones', () => {
  let nowMs = 0;
  const table = new IdempotencyTable({ lifetimeMs: 100, countMax: 2 }, () => nowMs);
  for (const key of ['a', 'b']) {
    table.begin(key, 'p');
    table.finish(key, { body: key });
  }
  expect(codeOf(() => table.begin('c', 'p'))).toBe('idempotency_table_full');
  expect(table.begin('a', 'p')).toEqual({ body: 'a' });
  nowMs = 101;
  expect(codeOf(() => table.begin('c', 'p'))).toBe('accepted');
});

test('big answers fill the table as many small ones do', () => {
  const table = new IdempotencyTable({ lifetimeMs: 100, countMax: 1000, bytesMax: 1000 });
  table.begin('a', 'p');
  table.finish('a', { body: 'x'.repeat(1000) });
  expect(codeOf(() => table.begin('b', 'p'))).toBe('idempotency_table_full');
});
