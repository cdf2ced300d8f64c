import { expect, test } from 'vitest';
import type { MovingSlots } from '@claret/client/telemetry';
import { movingShare, movingStep, movingWords } from './moveWords.ts';

const move = (more: Partial<MovingSlots> = {}): MovingSlots => ({
  move: '0-2-a',
  from: 0,
  to: 2,
  slots: { first: 100, last: 2_830 },
  phase: 'copying',
  bytes_sent: 3 << 20,
  bytes_left: 1 << 20,
  began_at_ms: 0,
  ...more,
});

test('a move says how many slots go from where to where, and what is going on', () => {
  expect(movingWords(move())).toBe('2,731 slots from shard 0 to 2');
  expect(movingWords(move({ slots: { first: 7, last: 7 } }))).toBe('1 slot from shard 0 to 2');
  expect(movingStep(move())).toBe('3.0 MiB copied, about 1.0 MiB left');
  expect(movingStep(move({ phase: 'draining' }))).toBe('held, until nobody uses them');
  expect(movingStep(move({ phase: 'handing_over' }))).toBe('given; the new owner takes them');
  expect(movingStep(move({ bytes_sent: 0, bytes_left: 0 })), 'nothing is known yet').toBe('copying');
  expect(movingStep(move({ why: 'Shard 5 has not joined yet.' }))).toBe('stands still: Shard 5 has not joined yet');
  const why = 'Shard 2 at db3:7401 did not answer: No connection established.';
  expect(movingStep(move({ why }))).toBe('stands still: Shard 2 at db3:7401 did not answer');
});

test('progress is the part that is copied, none at first and all once the slots are given', () => {
  expect(movingShare(move())).toBe(0.75);
  expect(movingShare(move({ bytes_sent: 0, bytes_left: 0 }))).toBe(0);
  expect(movingShare(move({ phase: 'handing_over', bytes_left: 5 }))).toBe(1);
});
