// The example of "Read, decide, write" (docs/clients.md) in Go, which is built first.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { example, isThere, startBidding } from './testing.ts';
import type { Bidding } from './testing.ts';

const folder = mkdtempSync(join(tmpdir(), 'claret-examples-'));
let bidding: Bidding;
beforeAll(async () => {
  bidding = await startBidding();
});
afterAll(async () => {
  await bidding.cluster.close();
  rmSync(folder, { recursive: true });
});

test.skipIf(!isThere('go', 'version'))('of many bids at once, each that became the highest one is counted', async () => {
  const program = join(folder, 'bid');
  await bidding.run('go', ['build', '-o', program, example('bid.go')]);
  const { wins, ...outcome } = await bidding.bids(program);
  expect(outcome).toEqual({ first: ['highest', 'too low'], best: 'highest', highest: 16, counted: 1 + wins });
});
