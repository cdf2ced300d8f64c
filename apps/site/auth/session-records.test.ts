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
  test('are valid on every app server, until they expire or are ended', async () => {
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

  test('are looked up without a transaction', async () => {
    const begun = () => cluster.shards.reduce((sum, shard) => sum + shard.counters().begun, 0);
    const now_ms = Date.now();
    await records.open(claret, { person: { id: 'u8', name: 'read' }, token_hash: 'read', now_ms });
    const before = begun();
    expect(await records.read(claret, { token_hash: 'read', now_ms })).toEqual({ id: 'u8', name: 'read' });
    expect(begun()).toBe(before);
  });

  test('are remembered where they were opened or read, and proved in a transaction, until that finds them ended', async () => {
    const person = { id: 'u9', name: 'kept' };
    const asked = { token_hash: 'kept', now_ms: Date.now() };
    const elsewhere = new SessionRecords<Person>('testing', ['name']);
    await elsewhere.open(claret, { person, ...asked });
    expect(records.remembered(asked)).toBeNull();
    await records.read(claret, asked);
    for (const known of [records, elsewhere]) expect(known.remembered(asked)).toEqual(person);
    expect(records.remembered({ ...asked, now_ms: asked.now_ms + SESSION_TTL_MS })).toBeNull();
    await records.read(claret, asked);

    const runs: number[] = [];
    const act = () =>
      claret.transaction('Act', async (tx) => {
        runs.push(tx.retries);
        await records.prove(claret, tx, asked);
        tx.counter('testing:acts').add(1);
      });
    await act();
    await elsewhere.end(claret, { user_id: person.id, token_hash: asked.token_hash });
    expect(elsewhere.remembered(asked)).toBeNull();
    await expect(act()).rejects.toMatchObject({ code: 'not_logged_in' });
    expect(runs).toEqual([0, 0, 1]);
    expect(records.remembered(asked)).toBeNull();
    expect(await claret.native.counter('testing:acts').value()).toBe(1);
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

  test('that are replaced end as the new one begins, whoever owned them, and no others end', async () => {
    const [one, two] = [
      { id: 'u5', name: 'one' },
      { id: 'u6', name: 'two' },
    ];
    const now_ms = Date.now();
    const read = (token_hash: string) => records.read(claret, { token_hash, now_ms });
    for (const [person, token_hash] of [
      [one, 'one-a'],
      [one, 'one-b'],
      [two, 'two-a'],
    ] as const)
      await records.open(claret, { person, token_hash, now_ms });
    await records.open(claret, { person: one, token_hash: 'one-c', replaced_hash: 'one-a', now_ms });
    expect(await Promise.all(['one-a', 'one-b', 'one-c'].map(read))).toEqual([null, one, one]);
    await records.open(claret, { person: two, token_hash: 'two-b', replaced_hash: 'one-b', now_ms });
    expect(await Promise.all(['one-b', 'one-c', 'two-a', 'two-b'].map(read))).toEqual([null, one, two, two]);
    await records.open(claret, { person: two, token_hash: 'two-c', replaced_hash: 'invented', now_ms });
    const sizes = await claret.transact('Test', [
      claret.on.scoredSet('testing:sessions:u5').size(),
      claret.on.scoredSet('testing:sessions:u6').size(),
    ]);
    expect(sizes).toEqual([1, 3]);
  });

  test('that are replaced free their slot: no other session ends at the limit', async () => {
    const person = { id: 'u7', name: 'often' };
    const now_ms = Date.now();
    for (let i = 0; i < SESSIONS_PER_USER_MAX; i++) await records.open(claret, { person, token_hash: `full-${i}`, now_ms: now_ms + i });
    await records.open(claret, { person, token_hash: 'full-new', replaced_hash: 'full-7', now_ms: now_ms + 99 });
    expect(await records.read(claret, { token_hash: 'full-0', now_ms })).toEqual(person);
    expect(await records.read(claret, { token_hash: 'full-7', now_ms })).toBeNull();
  });

  test('report their end: ended on any server, expired, or never there', async () => {
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

  test('of one site are unknown to another site on the same cluster', async () => {
    const others = new SessionRecords<Person>('elsewhere', ['name']);
    const now_ms = Date.now();
    await records.open(claret, { person: { id: 'u3', name: 'one' }, token_hash: 'shared', now_ms });
    expect(await others.read(claret, { token_hash: 'shared', now_ms })).toBeNull();
    await others.open(claret, { person: { id: 'u3', name: 'two' }, token_hash: 'shared', now_ms });
    await others.end(claret, { user_id: 'u3', token_hash: 'shared' });
    expect(await records.read(claret, { token_hash: 'shared', now_ms })).toEqual({ id: 'u3', name: 'one' });
  });
});
