import { describe, expect, it } from 'vitest';
import { SeededEnvironment } from '../testing/seeded-environment.ts';
import { Delays } from './delays.ts';

describe('delays', () => {
  it('end in order of time, short or long', async () => {
    const environment = new SeededEnvironment(1);
    const delays = new Delays(environment);
    const ended: string[] = [];
    await environment.runUntil(
      new Promise<void>((resolve) => {
        delays.after(5_000, () => (ended.push('timer'), resolve()));
        delays.after(900, () => ended.push('later'));
        delays.after(100, () => ended.push('soon'));
      }),
    );
    expect(ended).toEqual(['soon', 'later', 'timer']);
  });
});
