import { expect, it } from 'vitest';
import { conditionsInWords, conditionsTitle } from './conflicts/conflictsShown.ts';
import { rateWords } from './conflicts/rateWords.ts';
import { withinWords } from './spanWords.ts';
import { blockerWords, causeWords, obstacleWords, othersWords } from './waits/waitWords.ts';

it('a rate is short, and 0 only if it is zero', () => {
  expect([0, 0.04, 0.42, 7.31, 42.4, 1_234.4, 12_345].map((rate) => rateWords(rate, 'en-US'))).toEqual([
    '0',
    '<0.1',
    '0.4',
    '7.3',
    '42',
    '1,234',
    '12.3K',
  ]);
});

it('a span is described by its length while the axis follows, otherwise by its ends', () => {
  const from_ms = new Date(2026, 10, 21, 14, 3, 22, 400).getTime();
  const span = { from_ms, to_ms: from_ms + 60_000 };
  expect(withinWords(span, true)).toBe('in the last 60 s');
  expect(withinWords(span, false)).toBe('between 14:03:22 and 14:04:22');
});

it('missing conditions are described as unknown', () => {
  expect([conditionsTitle(null), conditionsInWords(null)]).toEqual(['conditions unknown', 'unknown conditions']);
});

it('a blocker is described by its state', () => {
  const blocker = { transaction: '1', label: 'Bid', operation: 'Set.add', holds: true, voted: false, waits: false };
  expect(blockerWords(blocker)).toBe('holds');
  expect(blockerWords({ ...blocker, voted: true })).toBe('holds, has voted');
  expect(blockerWords({ ...blocker, waits: true })).toBe('holds, and waits too');
  expect(blockerWords({ ...blocker, holds: false, waits: true })).toBe('ahead in the queue');
});

it('a wait is for a holder, for a phase, for a turn, for a warranty or for an epoch; an unknown cause is shown as it is', () => {
  expect(['lock_wait', 'phase_wait', 'turn', 'warranty_wait', 'epoch_wait', 'tea_break'].map(causeWords)).toEqual([
    'for a holder',
    'for a phase',
    'for its turn',
    'for the end of a warranty',
    'for members of an epoch',
    'tea break',
  ]);
});

it('other blockers are counted as far as they are known', () => {
  expect([othersWords(0, false), othersWords(1, false), othersWords(3, true), othersWords(0, true)]).toEqual([
    '',
    ' and 1 other',
    ' and at least 3 others',
    ', possibly others',
  ]);
});

it('a wait for a warranty names the client that keeps it waiting', () => {
  const holder = (silentMs: number, lost = false) => ({ session: lost ? 'auctions-2' : 'auctions-1', lost, silentMs });
  const behind = (holders: ReturnType<typeof holder>[], moreHolders = false) =>
    obstacleWords({ operation: 'TopK.top', holders, moreHolders });
  expect(behind([holder(3)])).toBe('behind the warranty of TopK.top: auctions-1');
  expect(behind([holder(620), holder(3)])).toBe('behind the warranty of TopK.top: auctions-1 (silent for 620 ms) and 1 other');
  expect(behind([holder(0, true)], true)).toBe('behind the warranty of TopK.top: auctions-2 (gone), possibly others');
  expect(behind([])).toBe('behind the warranty of TopK.top');
  expect(obstacleWords({ operation: null, holders: [], moreHolders: false })).toContain('before the start of the shard');
});
