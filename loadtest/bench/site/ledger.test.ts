import { expect, it } from 'vitest';
import { isBad, Ledger, type Shown } from './ledger.ts';

const ITEM = 'i1';
const count = (number: number, earlier = 0): Shown => ({ count: number, earlier, highest: null });

/** Three bids were acknowledged, one of them twice; one was refused, one was shed; one has no answer. */
function told(): Ledger {
  const ledger = new Ledger();
  ledger.note(ITEM, 'k1', { outcome: 'accepted', id: 'b1', cents: 100, isAfter: false });
  ledger.note(ITEM, 'k2', { outcome: 'accepted', id: 'b2', cents: 200, isAfter: false });
  ledger.note(ITEM, 'k2', { outcome: 'accepted', id: 'b2', cents: 200, isAfter: true });
  ledger.note(ITEM, 'k3', { outcome: 'unknown', id: null, cents: 300, isAfter: false });
  ledger.note(ITEM, 'k3', { outcome: 'accepted', id: 'b3', cents: 300, isAfter: false });
  ledger.note(ITEM, 'k4', { outcome: 'outbid', id: null, cents: 250, isAfter: false });
  ledger.note(ITEM, 'k5', { outcome: 'shed', id: null, cents: 400, isAfter: false });
  ledger.note(ITEM, 'k6', { outcome: 'unknown', id: null, cents: 500, isAfter: false });
  return ledger;
}

it('a key that was sent twice is one change, and one without an answer may have happened', () => {
  for (const stored of [3, 4]) {
    expect(told().verdict(ITEM, count(stored))).toEqual({
      subject: ITEM,
      acknowledged: 3,
      unknown: 1,
      duplicates: 0,
      lost: 0,
      contradictions: 0,
      mixed: 0,
    });
  }
  expect(told().subjects).toEqual([ITEM]);
});

it('more than that are duplicates, fewer are lost; what was there before does not count', () => {
  expect(told().verdict(ITEM, count(6))).toMatchObject({ duplicates: 2, lost: 0 });
  expect(told().verdict(ITEM, count(1))).toMatchObject({ duplicates: 0, lost: 2 });
  expect(told().verdict(ITEM, count(10, 7))).toMatchObject({ duplicates: 0, lost: 0 });
  expect([6, 4, 3, 1].map((stored) => isBad(told().verdict(ITEM, count(stored))))).toEqual([true, false, false, true]);
});

it('a duplicate that hides a loss shows in the list of the highest bids', () => {
  const list = (ids: string[], isAll = true) => told().verdict(ITEM, { count: 3, earlier: 0, highest: { ids, least_cents: 200, isAll } });
  expect(list(['b3', 'b2', 'b1'])).toMatchObject({ duplicates: 0, lost: 0 });
  expect(list(['b6', 'b3', 'b2', 'b1'])).toMatchObject({ duplicates: 0, lost: 0 });
  expect(list(['b3', 'b2', 'b2'])).toMatchObject({ duplicates: 1, lost: 1 });
  expect(list(['b7', 'b6', 'b3', 'b2', 'b1'])).toMatchObject({ duplicates: 1 });
  // Below the list's end nothing is known.
  expect(list(['b3', 'b2'], false)).toMatchObject({ duplicates: 0, lost: 0 });
  expect(list(['b2'], false)).toMatchObject({ lost: 1 });
});

it('two different acknowledgements of one key contradict each other, and so does a refusal that comes after', () => {
  const twoBids = told();
  twoBids.note(ITEM, 'k1', { outcome: 'accepted', id: 'b9', cents: 100, isAfter: true });
  expect(twoBids.verdict(ITEM, count(3))).toMatchObject({ acknowledged: 3, contradictions: 1 });
  const refused = told();
  refused.note(ITEM, 'k1', { outcome: 'outbid', id: null, cents: 100, isAfter: true });
  expect(refused.verdict(ITEM, count(3))).toMatchObject({ contradictions: 1, mixed: 0 });
  expect(isBad(refused.verdict(ITEM, count(3)))).toBe(true);
});

it('a refusal before the acknowledgement, or at the same time, does not contradict it; the latter is told', () => {
  const ledger = told();
  ledger.note(ITEM, 'k1', { outcome: 'outbid', id: null, cents: 100, isAfter: false });
  ledger.note(ITEM, 'k4', { outcome: 'accepted', id: 'b4', cents: 250, isAfter: true });
  expect(ledger.verdict(ITEM, count(4))).toMatchObject({ acknowledged: 4, contradictions: 0, mixed: 1, lost: 0, duplicates: 0 });
  expect(isBad(ledger.verdict(ITEM, count(4)))).toBe(false);
});
