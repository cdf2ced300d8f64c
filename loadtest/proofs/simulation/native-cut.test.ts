import { Shard } from '@claret/core';
import { expect, test } from 'vitest';
import { CUTS, NATIVES, dividedBy, isDivided, ofExecInside, type CreateShard } from './native-cut.ts';

const create: CreateShard = (options) => new Shard(options);

test('natives of one message are on the side of a cut on which their timestamps are', () => {
  for (const count of CUTS) {
    const divided = dividedBy(create, count);
    expect(divided.inside, `a cut after ${count}`).toHaveLength(1 + count);
    expect(isDivided(divided), `a cut after ${count}`).toBe(true);
  }
});

test('a cut does not divide what EXEC runs', () => {
  for (const ticks of CUTS) expect([0, NATIVES]).toContain(ofExecInside(create, ticks));
});
