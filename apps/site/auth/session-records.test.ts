import { inProcessCluster, type InProcessCluster } from '@claret/client/testing';
import type { Claret } from '@claret/client';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

import { SESSIONS_PER_USER_MAX, SESSION_TTL_MS, SessionRecords } from './session-records.ts';

type Person = { id: string; name: string };

const records = new SessionRecords<Person>('testing', ['name']);
let cluster: InProcessCluster;
let claret: Claret;
beforeAll(async () => {
  cluster = await inProcessCluster({ shards: 2 });
  claret = await cluster.connect();
});
afterAll(() => cluster.stop());

describe('Sessions', () => {
  test('hold on every app server, until their time is over or they are ended', async () => {
    const person = { id: 'u1', name: 'ann' };
    const now_ms = Date.now();
    await records.open(claret, { person, token_hash: 'hash-1', now_ms });
    const other = await cluster.connect();
    expect(await records.read(other, { token_hash: 'hash-1', now_ms })).toEqual(person);
    expect(await records.read(other, { token_hash: 'hash-1', now_ms: now_ms + SESSION_TTL_MS })).toBeNull();
    await records.end(other, { user_id: person.id, token_hash: 'hash-1' });
    expect(await records.read(claret, { token_hash: 'hash-1', now_ms })).toBeNull();
    expect(await records.read(claret, { token_hash: 'invented', now_ms })).toBeNull();
  });

  test('are bounded: the oldest end when there are too many', async () => {
    const person = { id: 'u2', name: 'often' };
    const now_ms = Date.now();
    for (let i = 0; i <= SESSIONS_PER_USER_MAX; i++) await records.open(claret, { person, token_hash: `often-${i}`, now_ms: now_ms + i });
    expect(await records.read(claret, { token_hash: 'often-0', now_ms })).toBeNull();
    expect(await records.read(claret, { token_hash: 'often-1', now_ms })).toEqual(person);
    const [size] = await claret.transact('Test', [claret.on.scoredSet('testing:sessions:u2').size()]);
    expect(size).toBe(SESSIONS_PER_USER_MAX);
  });

  test('tell when they are over: ended anywhere, expired, or never there', async () => {
    const person = { id: 'u4', name: 'watched' };
    const over: string[] = [];
    const watch = (token_hash: string) => records.onEnd(claret, token_hash, () => over.push(token_hash));
    for (const token_hash of ['ended', 'stays']) await records.open(claret, { person, token_hash, now_ms: Date.now() });
    await records.open(claret, { person, token_hash: 'expires', now_ms: Date.now() - SESSION_TTL_MS + 300 });
    const ends = ['ended', 'stays', 'expires', 'invented'].map(watch);
    await vi.waitFor(() => expect(over).toContain('invented'));
    await records.end(await cluster.connect(), { user_id: person.id, token_hash: 'ended' });
    await vi.waitFor(() => expect(over.toSorted()).toEqual(['ended', 'expires', 'invented']));
    for (const end of ends) end();
    await records.end(claret, { user_id: person.id, token_hash: 'stays' });
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(over).toHaveLength(3);
  });

  test('of one site are none of another on the same cluster', async () => {
    const others = new SessionRecords<Person>('elsewhere', ['name']);
    const now_ms = Date.now();
    await records.open(claret, { person: { id: 'u3', name: 'one' }, token_hash: 'shared', now_ms });
    expect(await others.read(claret, { token_hash: 'shared', now_ms })).toBeNull();
    await others.open(claret, { person: { id: 'u3', name: 'two' }, token_hash: 'shared', now_ms });
    await others.end(claret, { user_id: 'u3', token_hash: 'shared' });
    expect(await records.read(claret, { token_hash: 'shared', now_ms })).toEqual({ id: 'u3', name: 'one' });
  });
});
