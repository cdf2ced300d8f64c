import { describe, expect, it } from 'vitest';
import { freshSeed, randomFrom } from '../testing/random.ts';
import { NumberedTable } from './numbered-table.ts';

describe('the table of what has a number', () => {
  it('finds the same items as a Map, and never gives a number twice', () => {
    const seed = freshSeed();
    console.log(`seed ${seed}`);
    const random = randomFrom(seed);
    const table = new NumberedTable<{ number: number }>();
    const model = new Map<number, { number: number }>();
    const given = new Set<number>();
    for (let round = 0; round < 20_000; round++) {
      if (random.below(100) < 51) {
        const item = { number: 0 };
        table.add(item);
        expect(given.has(item.number)).toBe(false);
        given.add(item.number);
        model.set(item.number, item);
      } else if (model.size > 0) {
        const item = [...model.values()][random.below(Math.min(model.size, 40))]!;
        table.remove(item);
        model.delete(item.number);
      }
      const probe = random.below(round + 2);
      expect(table.get(probe)).toBe(model.get(probe) ?? null);
      expect(table.size).toBe(model.size);
      if (round % 100 === 0) expect(table.lowWater()).toBe(Math.min(...model.keys(), Math.max(0, ...given) + 1));
    }
    expect(new Set(table)).toEqual(new Set(model.values()));
  });
});
