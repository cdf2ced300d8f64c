import { expect, test } from 'vitest';
import type { Native } from './native.ts';
import { NativesInFlight } from './natives-in-flight.ts';

const native = (name: string) => ({ name }) as unknown as Native;

test('natives are found by number until they are answered, in any order', () => {
  const natives = new NativesInFlight();
  const [a, b, c] = [native('a'), native('b'), native('c')];
  for (const each of [a, b, c]) natives.add(each);
  expect([natives.next, natives.below]).toEqual([4, 1]);
  natives.delete(2);
  expect(natives.below).toBe(1);
  expect([...natives]).toEqual([
    [1, a],
    [3, c],
  ]);
  natives.delete(1);
  expect(natives.below).toBe(3);
  expect([0, 1, 2, 3, 4, 67].map((number) => natives.get(number))).toEqual([undefined, undefined, undefined, c, undefined, undefined]);
});

test('one native that waits does not limit those behind it, and a number is never answered twice', () => {
  const natives = new NativesInFlight();
  const first = native('first');
  natives.add(first);
  for (let number = 2; number <= 10_000; number++) {
    const each = native(String(number));
    natives.add(each);
    expect(natives.get(number)).toBe(each);
    natives.delete(number);
    natives.delete(number);
  }
  expect([...natives]).toEqual([[1, first]]);
  expect(natives.below).toBe(1);
  natives.delete(1);
  expect(natives.below).toBe(natives.next);
});
