// The examples of "Read, decide, write" (docs/clients.md) as callers run them: a shell with curl, and a program in Python, several at once.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { docs, example, isThere, startBidding } from './testing.ts';
import type { Bidding } from './testing.ts';

let bidding: Bidding;
beforeAll(async () => {
  bidding = await startBidding();
});
afterAll(() => bidding.cluster.close());

test.skipIf(!isThere('curl', '--version'))('with curl, the second of two writes on one reading is refused', async () => {
  await bidding.clear();
  const page = readFileSync(new URL('clients.md', docs), 'utf8').split('## Read, decide, write')[1]!;
  const script = /^```sh\n(.*?)^```$/ms.exec(page)![1]!.replaceAll('127.0.0.1:7400', bidding.cluster.gateways[1]!.member.rest);
  const lines = (await bidding.run('sh', ['-c', script.replaceAll(/^(?=curl)/gm, 'echo; ')])).trim().split('\n');
  expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([{ value: null }, { results: [null, null] }]);
  const write = script.slice(script.lastIndexOf('curl'));
  expect(JSON.parse(await bidding.run('sh', ['-c', write]))).toMatchObject({
    code: 'expectation_failed',
    unmet: [{ index: 0, result: 12 }],
  });
});

test.skipIf(!isThere('python3', '--version'))('in Python, of many bids at once, each that became the highest one is counted', async () => {
  const { wins, ...outcome } = await bidding.bids('python3', example('bid.py'));
  expect(outcome).toEqual({ first: ['highest', 'too low'], best: 'highest', highest: 16, counted: 1 + wins });
});
