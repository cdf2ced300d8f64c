// What the runner takes for an outcome: of attempts whose process was killed, and of those whose client has given them up.

import { expect, test } from 'vitest';
import type { HistoryAttempt } from '@claret/client';
import { attempt } from '../history/testing-attempts.ts';
import { Ledger } from './ledger.ts';
import { knownForMs, type Outcome } from './outcomes.ts';

const unknown = (fields: Partial<HistoryAttempt>): HistoryAttempt => attempt({ outcome: 'unknown', ops: [], ...fields });
const settled = async (said: Outcome, fill: (ledger: Ledger) => void) => {
  const asked: HistoryAttempt[] = [];
  const ledger = new Ledger((one) => {
    asked.push({ ...one });
    return Promise.resolve(said);
  });
  fill(ledger);
  const { attempts, halves } = await ledger.settled(() => Promise.resolve('undecided'));
  return { asked, halves, outcomes: attempts.map(({ outcome, order }) => order ?? outcome) };
};
const killed = (ledger: Ledger) => ledger.take(unknown({ id: 'a', deadline: 7 }), true);
const givenUp = (ledger: Ledger) => {
  killed(ledger);
  ledger.take(unknown({ id: 'a' }), false);
};

test('of a killed process, an attempt that no shard knows has aborted', async () => {
  expect(await settled(null, killed)).toMatchObject({ outcomes: ['fail'], halves: [] });
  expect(await settled(5n, killed)).toMatchObject({ outcomes: ['5'], halves: [] });
  expect(await settled({ half: 'a' }, killed)).toMatchObject({ outcomes: ['unknown'], halves: ['a'] });
});

test('of a client that lives, an attempt that a shard does not know may have committed', async () => {
  expect(await settled(null, givenUp)).toMatchObject({ outcomes: ['unknown'], halves: [] });
  expect(await settled({ half: 'a' }, givenUp)).toMatchObject({ outcomes: ['unknown'], halves: [] });
  expect(await settled(5n, givenUp)).toMatchObject({ outcomes: ['5'], halves: [] });
});

test('shards are asked until they may forget, counted from the deadline that was reported before the commit', async () => {
  expect((await settled(null, givenUp)).asked).toMatchObject([{ deadline: 7 }]);
  expect(knownForMs(4_000e6, 1_000)).toBe(11_000);
  expect(knownForMs(4_000e6, 12_000)).toBe(0);
  expect(knownForMs(undefined, 1_000)).toBe(0);
});
