import { describe, expect, it } from 'vitest';
import { SeededEnvironment } from '../testing/seeded-environment.ts';
import { Poller } from './poller.ts';

describe('polling', () => {
  it('keeps the event loop turning for the configured time after a frame, and not at all for 0', async () => {
    const turnsFor = async (microseconds: number) => {
      const environment = new SeededEnvironment(1);
      let turns = 0;
      const { setImmediate } = environment;
      environment.setImmediate = (callback) => setImmediate.call(environment, () => (turns++, callback()));
      const counters = { polledMs: 0 };
      new Poller(environment, microseconds, counters).touch();
      await environment.runUntil(new Promise<void>((resolve) => void environment.setTimeout(resolve, 10)));
      return { turns, polledMs: counters.polledMs };
    };
    expect(await turnsFor(0)).toEqual({ turns: 0, polledMs: 0 });
    const { turns, polledMs } = await turnsFor(300);
    expect(turns).toBeGreaterThanOrEqual(6);
    expect(turns).toBeLessThan(10);
    // All polling was in vain, since no other frame arrived.
    expect(polledMs).toBeGreaterThan(0.15);
    expect(polledMs).toBeLessThan(0.4);
  });
});
