import { describe, expect, it } from 'vitest';
import { addCost, COST_LABELS_MAX, costHeader, readCost, type TransactionCost } from './cost.ts';

const BID: TransactionCost = {
  label: 'Bid',
  count: 1,
  operations: 6,
  warranted: 4,
  locks_waited: 1,
  waited_us: 800,
  retries: 0,
  body_runs: 2,
  forecasts_out: 0,
  turn_waited_us: 0,
  batched: 0,
  batch_members: 0,
  chains_broken: 0,
  duration_ms: 1.25,
};

describe('the cost header', () => {
  it('is read row by row', () => {
    expect(readCost(JSON.stringify([BID, { ...BID, label: 'ViewAuction' }]))).toEqual([BID, { ...BID, label: 'ViewAuction' }]);
  });
  it('is read as it was written, in ASCII and without what is 0', () => {
    const rows = [BID, { ...BID, label: 'Größe "1"', operations: 0 }];
    expect(readCost(costHeader(rows))).toEqual(rows);
    expect(costHeader(rows)).toMatch(/^[\x20-\x7e]+$/);
    expect(costHeader([BID])).not.toContain('retries');
  });
  it('may be missing or malformed', () => {
    for (const header of [null, '', '{', 'null', '7', '"Bid"', '{"label":"Bid"}']) expect(readCost(header), `${header}`).toEqual([]);
  });
  it('loses malformed rows, and no others', () => {
    const wrong = [null, 7, [], {}, { ...BID, label: 3 }, { ...BID, retries: -1 }, { ...BID, count: '1' }, { ...BID, waited_us: null }];
    expect(readCost(JSON.stringify([...wrong, BID]))).toEqual([BID]);
  });
  it('has a limited number of rows', () => {
    const rows = Array.from({ length: 100 }, (_, at) => ({ ...BID, label: `T${at}` }));
    expect(readCost(JSON.stringify(rows))).toHaveLength(COST_LABELS_MAX);
  });
  it('adds up by label', () => {
    expect(addCost(BID, BID)).toEqual({
      ...BID,
      count: 2,
      operations: 12,
      warranted: 8,
      locks_waited: 2,
      waited_us: 1_600,
      body_runs: 4,
      duration_ms: 2.5,
    });
  });
});
