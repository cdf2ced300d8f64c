import { expect, it } from 'vitest';
import type * as api from '../../../server/api.ts';
import { mergeBids } from './mergeBids.ts';

const bid = (id: string, amount_cents: number, placed_at_ms = 0): api.BidView => ({
  id,
  amount_cents,
  placed_at_ms,
  bidder: { id, nickname: id },
});
const ids = (bids: api.BidView[]) => bids.map(({ id }) => id);

it('each bid appears once, highest first, and the earlier of equal ones before the later', () => {
  const read = [bid('b', 500), bid('d', 300, 9), bid('c', 300, 5)];
  expect(ids(mergeBids([bid('a', 600), bid('b', 500)], read))).toEqual(['a', 'b', 'c', 'd']);
});
it('a bid is shown as in the stream’s last event, not as it was read', () => {
  expect(mergeBids([bid('a', 900)], [bid('a', 700)])).toEqual([bid('a', 900)]);
});
it('of equal amounts the leading bid comes first, even if it is later: its maximum may be higher', () => {
  expect(ids(mergeBids([bid('late', 500, 9), bid('early', 500, 1)], []))).toEqual(['late', 'early']);
});
