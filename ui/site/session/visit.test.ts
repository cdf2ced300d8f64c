import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CONDITIONS_API, SESSION_API } from '../api/addresses.ts';
import { queries } from '../api/useQuery.ts';
import { begunWith, SESSION_ALONE_MS, type Visit } from './visit.ts';

const TOLD: Visit = { session: { user: { id: 'ada' } }, unusual: 'no phasing' };
const ALONE: Record<string, object> = { [SESSION_API.session]: { user: { id: 'ben' } }, [CONDITIONS_API]: { unusual: null } };
const unusual = () => queries.state<{ unusual: string | null }>(CONDITIONS_API).data?.unusual;

describe('a visit', () => {
  let asked: string[];
  beforeEach(() => {
    vi.useFakeTimers();
    asked = [];
    queries.clear();
    vi.stubGlobal('fetch', async (path: string) => (asked.push(path), Response.json(ALONE[path])));
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  it('takes all from its first page’s answer, and asks for nothing else', async () => {
    const session = begunWith(Promise.resolve(TOLD));
    expect(await session).toEqual(TOLD.session);
    await queries.load(CONDITIONS_API);
    await vi.advanceTimersByTimeAsync(10 * SESSION_ALONE_MS);
    expect([unusual(), asked]).toEqual(['no phasing', []]);
  });
  it('asks for each by itself if there is no answer', async () => {
    const session = begunWith(Promise.reject(new Error('not found')));
    expect(await session).toEqual(ALONE[SESSION_API.session]);
    await vi.waitFor(() => expect(unusual()).toBeNull());
    await vi.advanceTimersByTimeAsync(10 * SESSION_ALONE_MS);
    expect(asked.sort()).toEqual([CONDITIONS_API, SESSION_API.session]);
  });
  it('asks for the session once, and alone, if the answer takes long', async () => {
    const { promise, reject } = Promise.withResolvers<Visit>();
    const session = begunWith(promise);
    await vi.advanceTimersByTimeAsync(SESSION_ALONE_MS - 1);
    expect(asked).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(await session).toEqual(ALONE[SESSION_API.session]);
    expect(asked).toEqual([SESSION_API.session]);
    reject(new Error('busy'));
    await vi.waitFor(() => expect(asked).toEqual([SESSION_API.session, CONDITIONS_API]));
  });
});
