import { describe, expect, it } from 'vitest';
import { seeded } from '../../../../kit/seeded.ts';
import { freeze, keepSnapshot, keptSnapshot, ROWS_KEPT, type ConflictSnapshot, type KeyValueStorage } from './snapshot.ts';

class Memory implements KeyValueStorage {
  readonly kept = new Map<string, string>();
  getItem = (key: string) => this.kept.get(key) ?? null;
  setItem = (key: string, value: string) => void this.kept.set(key, value);
  removeItem = (key: string) => void this.kept.delete(key);
}

const snapshot: ConflictSnapshot = {
  at_ms: 1_760_000_000_000,
  seconds: 59.8,
  conditions: { locks: 'rw', phasing: false, combining: 'auto' },
  rows: [
    { holderLabel: 'Bid', comerLabel: 'Bid', holderOperation: 'TopK.add', comerOperation: 'TopK.add', outcome: 'waited', count: 1200 },
  ],
  leftOut: 3,
};

describe('a frozen matrix', () => {
  it('survives a reload until it is discarded', () => {
    const memory = new Memory();
    keepSnapshot(memory, snapshot);
    expect(keptSnapshot(memory)).toEqual(snapshot);
    keepSnapshot(memory, null);
    expect(keptSnapshot(memory)).toBeNull();
    expect(memory.kept.size).toBe(0);
  });

  it('keeps the most frequent pairs and counts the others as left out', () => {
    const rows = Array.from({ length: ROWS_KEPT + 10 }, (_, at) => ({ ...snapshot.rows[0]!, comerLabel: `T${at}`, count: at + 1 }));
    const frozen = freeze({ ...snapshot, rows });
    expect(frozen.rows).toHaveLength(ROWS_KEPT);
    expect(frozen.rows[0]!.count).toBe(ROWS_KEPT + 10);
    expect(frozen.leftOut).toBe(3 + 55);
  });

  it('lasts as long as the page if the browser stores nothing', () => {
    const forbidding = new Memory();
    forbidding.setItem = () => {
      throw new Error('QuotaExceededError');
    };
    expect(() => keepSnapshot(forbidding, snapshot)).not.toThrow();
    expect(keptSnapshot(undefined)).toBeNull();
  });

  it('is null if the stored data has another version, is cut off or is foreign', () => {
    const memory = new Memory();
    keepSnapshot(memory, snapshot);
    const [[key, text]] = [...memory.kept] as [[string, string]];
    const reads = (kept: string) =>
      keptSnapshot({ ...memory, getItem: () => kept, setItem: memory.setItem, removeItem: memory.removeItem });
    expect(reads(text)).toEqual(snapshot);
    for (const [from, to] of [
      ['"version":1', '"version":2'],
      ['"rw"', '"mutex"'],
      ['1200', '-1'],
      ['1200', 'null'],
      ['59.8', '"59"'],
    ] as const) {
      expect(text).toContain(from);
      expect(reads(text.replace(from, to)), `${from} → ${to}`).toBeNull();
    }
    const dice = seeded('cut');
    for (let cut = 0; cut < 50; cut += 1) expect(reads(text.slice(0, dice.integer(0, text.length - 1)))).toBeNull();
    for (const foreign of ['null', '[]', '7', '"x"', '{}']) expect(reads(foreign)).toBeNull();
    expect(key).toMatch(/^claret-/);
  });
});
