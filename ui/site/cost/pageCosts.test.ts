import { describe, expect, it, vi } from 'vitest';
import { COST_LABELS_MAX, COST_OTHERS } from '../cost.ts';
import { PageCosts } from './pageCosts.ts';

const cost = (label: string) => ({
  label,
  count: 1,
  operations: 4,
  warranted: 0,
  locks_waited: 0,
  waited_us: 0,
  retries: 0,
  body_runs: 1,
  forecasts_out: 0,
  turn_waited_us: 0,
  batched: 0,
  batch_members: 0,
  chains_broken: 0,
  duration_ms: 0.5,
});
const header = (...labels: string[]) => JSON.stringify(labels.map(cost));
const told = (costs: PageCosts) => costs.snapshot().map(({ label, count }) => `${label} ${count}`);
/** Starts a prefetch; the returned function takes its answer's header. */
function ahead(costs: PageCosts, path: string): (header: string) => void {
  let answer: ((header: string) => void) | null = null;
  costs.fetchAhead(() => void (answer = costs.begin(path)));
  return answer!;
}

describe('the costs of a page', () => {
  it('are added up by label, in the order of first appearance', () => {
    const costs = new PageCosts();
    const listener = vi.fn();
    costs.subscribe(listener);
    costs.begin('/items/7')(header('ViewAuction', 'Standing'));
    costs.begin(null)(header('Bid'));
    costs.begin('/items/7')(header('ViewAuction'));
    expect(told(costs)).toEqual(['ViewAuction 2', 'Standing 1', 'Bid 1']);
    expect(costs.snapshot()[0]!.operations).toBe(8);
    expect(listener).toHaveBeenCalledTimes(3);
  });
  it('start from zero on another page, and ignore answers that the page before was waiting for', () => {
    const costs = new PageCosts();
    const late = costs.begin('/me');
    costs.begin('/me')(header('MyPage'));
    costs.turn();
    late(header('MyPage'));
    expect(told(costs)).toEqual([]);
    costs.begin('/items')(header('Browse'));
    expect(told(costs)).toEqual(['Browse 1']);
  });
  it('include prefetched costs once a page shows the answer, and not before', () => {
    const costs = new PageCosts();
    ahead(costs, '/items/7')(header('ViewAuction'));
    expect(told(costs)).toEqual([]);
    costs.turn();
    costs.show('/items/7');
    costs.show('/items/7');
    expect(told(costs)).toEqual(['ViewAuction 1']);
  });
  it('include a prefetch whose answer arrives only after the page has opened', () => {
    const costs = new PageCosts();
    const answer = ahead(costs, '/items/7');
    costs.turn();
    costs.show('/items/7');
    answer(header('ViewAuction'));
    expect(told(costs)).toEqual(['ViewAuction 1']);
  });
  it('include a prefetch of something that the page itself shows', () => {
    const costs = new PageCosts();
    costs.show('/items');
    ahead(costs, '/items')(header('Browse'));
    expect(told(costs)).toEqual(['Browse 1']);
  });
  it('include a request of the page even if it was prefetched as well', () => {
    const costs = new PageCosts();
    ahead(costs, '/timeline')(header('Timeline'));
    costs.turn();
    costs.begin('/timeline')(header('Timeline'));
    expect(told(costs)).toEqual(['Timeline 1']);
  });
  it('stay few, whatever labels come', () => {
    const costs = new PageCosts();
    for (let at = 0; at < 100; at++) costs.begin('/a')(header(`T${at}`));
    expect(costs.snapshot()).toHaveLength(COST_LABELS_MAX);
    expect(told(costs).at(-1)).toBe(`${COST_OTHERS} ${100 - (COST_LABELS_MAX - 1)}`);
  });
  it('ignore a malformed header', () => {
    const costs = new PageCosts();
    const before = costs.snapshot();
    for (const text of [null, '{', '[]', '[{}]']) costs.begin('/a')(text);
    expect(costs.snapshot()).toBe(before);
  });
  it('keep a limited number of prefetched costs', () => {
    const costs = new PageCosts();
    for (let at = 0; at < 60; at++) ahead(costs, `/${at}`)(header('Kept'));
    costs.turn();
    costs.show('/59');
    costs.show('/0');
    expect(told(costs)).toEqual(['Kept 1']);
  });
});
