import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LiveStore, type LiveRules } from './liveStore.ts';

const RULES: LiveRules<readonly string[], string, string> = {
  silent: [],
  hear: (said, name, event) => (name === 'word' ? [...said, (event as { word: string }).word] : said),
  nothing: '',
  query: (wishes) => [...new Set(wishes)].sort().join(),
  address: (queries) => `/live?items=${queries.join()}`,
};

function startedStore(rules = RULES) {
  const store = new LiveStore(rules);
  store.start();
  return store;
}

describe('the live store', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('notifies once of a hundred events', () => {
    const store = new LiveStore(RULES);
    const told = vi.fn();
    store.subscribe(told);
    for (let at = 0; at < 100; at++) store.hear('word', `{"word":"${at}"}`);
    expect(store.snapshot()).toEqual([]);
    vi.advanceTimersByTime(100);
    expect(store.snapshot()).toHaveLength(100);
    expect(told).toHaveBeenCalledTimes(1);
  });
  it('ignores malformed events', () => {
    const store = new LiveStore(RULES);
    const told = vi.fn();
    store.subscribe(told);
    for (const [name, data] of [
      ['word', '{'],
      ['word', 'null'],
      ['word', '7'],
      ['weather', '{}'],
    ] as const)
      store.hear(name, data);
    vi.advanceTimersByTime(1_000);
    expect(told).not.toHaveBeenCalled();
    expect(store.snapshot()).toBe(RULES.silent);
  });
  it('reports when the server cannot reach the store, and a new connection counts as reachable', () => {
    const store = new LiveStore(RULES);
    store.hear('connection', '{"connected":false}');
    vi.advanceTimersByTime(100);
    expect(store.isStoreReachable()).toBe(false);
    store.hear('hello', '{}');
    vi.advanceTimersByTime(100);
    expect(store.isStoreReachable()).toBe(true);
  });
  it('has no stream until it is started and the first wishes have settled', () => {
    const store = new LiveStore(RULES);
    const queries: (string | null)[] = [];
    store.subscribe(() => queries.push(store.query()));
    store.wish('7');
    vi.advanceTimersByTime(1_000);
    expect(store.query()).toBeNull();
    store.start();
    store.wish('8');
    vi.advanceTimersByTime(1_000);
    expect(queries.filter((query) => query !== null)).toEqual(['7,8']);
    const idle = startedStore();
    vi.advanceTimersByTime(1_000);
    expect(idle.query()).toBe('');
  });
  it('lets the wishes of a closing and an opening page settle before the stream changes', () => {
    const store = startedStore();
    const queries: (string | null)[] = [];
    store.subscribe(() => queries.push(store.query()));
    const leave = store.wish('7');
    vi.advanceTimersByTime(100);
    leave();
    store.wish('8');
    const leaveAgain = store.wish('7');
    vi.advanceTimersByTime(100);
    leaveAgain();
    store.wish('8');
    vi.advanceTimersByTime(100);
    store.wish('8');
    vi.advanceTimersByTime(100);
    expect(queries).toEqual(['7', '7,8', '8']);
  });
  it('does not wait for ever for wishes to settle', () => {
    const store = startedStore();
    for (let at = 0; at < 40; at++) {
      store.wish(`${at}`);
      vi.advanceTimersByTime(50);
    }
    expect(store.query()?.length).toBeGreaterThan(0);
  });
  it('keeps the stream while it carries all wishes', () => {
    const store = startedStore({ ...RULES, query: (wishes, before) => (wishes.length < 2 ? before : wishes.join()) });
    vi.advanceTimersByTime(1_000);
    const told = vi.fn();
    store.subscribe(told);
    store.wish('7');
    vi.advanceTimersByTime(1_000);
    expect(told).not.toHaveBeenCalled();
    store.wish('8');
    vi.advanceTimersByTime(1_000);
    expect(store.query()).toBe('7,8');
  });
  it('ends a burst of events with the newest', () => {
    const store = new LiveStore(RULES);
    let told = 0;
    store.subscribe(() => told++);
    for (let at = 0; at <= 1_000; at++) {
      store.hear('word', `{"word":"${at}"}`);
      vi.advanceTimersByTime(1);
    }
    vi.advanceTimersByTime(100);
    expect(told).toBeLessThan(15);
    expect(store.snapshot().at(-1)).toBe('1000');
  });
  it('shows a local change at once, together with earlier events', () => {
    const store = new LiveStore(RULES);
    store.hear('word', '{"word":"heard"}');
    store.change((said) => [...said, 'known']);
    expect(store.snapshot()).toEqual(['heard', 'known']);
  });
});
