import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LiveStore } from './liveStore.ts';

describe('the live store', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const post = (reposts: number) => JSON.stringify({ post_id: '7', reposts, server_time_ms: reposts });

  it('tells its listeners of a storm of events a few times a second, and ends with the newest', () => {
    const store = new LiveStore();
    let told = 0;
    store.subscribe(() => told++);
    for (let i = 0; i <= 1_000; i++) {
      store.hear('post', post(i));
      vi.advanceTimersByTime(1);
    }
    vi.advanceTimersByTime(100);
    expect(told).toBeLessThan(15);
    expect(store.snapshot().posts.get('7')?.reposts).toBe(1_000);
  });
  it('waits until wishes have settled before it wants another stream, and loses no state over it', () => {
    const store = new LiveStore();
    const queries = new Set([store.query()]);
    store.subscribe(() => queries.add(store.query()));
    const ends = ['7', '8', '9'].map((id) => store.wish({ posts: [id] }));
    vi.advanceTimersByTime(1_000);
    expect(queries.size).toBe(2);
    store.hear('post', post(1));
    vi.advanceTimersByTime(1_000);
    ends.forEach((end) => end());
    store.wish({ timeline: true });
    vi.advanceTimersByTime(1_000);
    expect(queries.size).toBe(3);
    expect(store.query()).toMatchObject({ timeline: true, posts: ['7', '8', '9'] });
    expect(store.snapshot().posts.get('7')?.reposts).toBe(1);
  });
  it('does not make somebody wait who scrolls on and on', () => {
    const store = new LiveStore();
    for (let i = 0; i < 30; i++) {
      store.wish({ posts: [`p${i}`] });
      vi.advanceTimersByTime(100);
    }
    expect(store.query().posts.length).toBeGreaterThan(10);
  });
  it('shows nobody the timeline of who was logged in before', () => {
    const store = new LiveStore();
    store.hear('timeline', JSON.stringify({ entries: [{ id: 'a', at_ms: 1 }] }));
    store.hear('post', post(3));
    vi.advanceTimersByTime(100);
    store.welcome();
    expect(store.snapshot().timeline).toBeNull();
    expect(store.snapshot().posts.get('7')?.reposts).toBe(3);
  });
});
