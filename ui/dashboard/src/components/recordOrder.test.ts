import { expect, test } from 'vitest';
import type { RecordLane } from '../store/telemetryStore.ts';
import { RecordOrder } from './recordOrder.ts';

const lanes = (keys: string) => [...keys].map((key) => ({ key }) as RecordLane);
const keys = (order: RecordOrder, ranked: string) =>
  order
    .arrange(lanes(ranked))
    .map(({ key }) => key)
    .join('');

test('a shown record keeps its position while it ranks among the first; newcomers take the free positions', () => {
  const order = new RecordOrder();
  expect(keys(order, 'abcd')).toBe('abcd');
  expect(keys(order, 'dcba')).toBe('abcd');
  expect(keys(order, 'xdca')).toBe('axcd');
  expect(keys(order, 'yzxa')).toBe('axyz');
  expect(keys(order, 'za')).toBe('az');
  expect(keys(order, 'zapq')).toBe('azpq');
  order.forget();
  expect(keys(order, 'qpaz')).toBe('qpaz');
});
