import { expect, it } from 'vitest';
import { reconnectDelayMs } from './reconnect-delay.ts';

it('the pause before a reconnect grows and stays bounded', () => {
  expect(reconnectDelayMs(0, 0)).toBe(10);
  expect(reconnectDelayMs(100, 0.999)).toBeLessThan(2_000);
});
