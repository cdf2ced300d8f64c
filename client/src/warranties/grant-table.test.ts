import { describe, expect, it } from 'vitest';
import { operationSpecs } from '../generated/handles.ts';
import { Grant, type Holder } from './grant.ts';
import { GrantTable } from './grant-table.ts';

const ZERO = { high: 0, low: 0 };
const granted = { grant: 1, operation: 0, from: ZERO, digest: new Uint8Array(16) };
const holder: Holder = { shard: 0, leaseUntilMs: 100, now: ZERO, until: ZERO, unpinned: () => {} };
const call = (name: string, key: string, ...args: unknown[]) => ({ spec: operationSpecs.get(name)!, key, args });

describe('a table of grants', () => {
  it('answers only from those that stand, of the same record and operation', () => {
    const table = new GrantTable();
    const size = new Grant(holder, call('Set.size', 's'), 3, granted, 0);
    table.add(size);
    expect(table.answer(call('Set.size', 's'), 99)).toEqual({ grant: size, value: 3 });
    expect(table.answer(call('Set.size', 's'), 100)).toBeNull();
    expect(table.answer(call('Set.size', 't'), 99)).toBeNull();
    expect(table.answer(call('Set.contains', 's', 'a'), 99)).toBeNull();
    size.fallen = true;
    expect(table.answer(call('Set.size', 's'), 99)).toBeNull();
  });

  it('tells arguments apart', () => {
    const table = new GrantTable();
    for (const [item, score] of [
      ['a', 1],
      ['b', null],
    ] as const) {
      table.add(new Grant(holder, call('ScoredSet.score', 'z', item), score, granted, 0));
    }
    expect(['a', 'b', 'c'].map((item) => table.answer(call('ScoredSet.score', 'z', item), 0)?.value)).toEqual([1, null, undefined]);
  });

  it('knows how many there are and how large they are, and forgets all that is removed', () => {
    const table = new GrantTable();
    const grants = ['a', 'a', 'b'].map((key, i) => new Grant(holder, call('Set.contains', key, `member ${i}`), true, granted, 0));
    for (const grant of grants) table.add(grant);
    expect([table.size, table.bytes > 3 * 400, [...table].length]).toEqual([3, true, 3]);
    for (const grant of [...grants, ...grants]) table.remove(grant);
    expect([table.size, table.bytes, table.of('a'), table.of('b')]).toEqual([0, 0, [], []]);
  });
});
