// Sessions live in the store, so that any app server knows them, also after a restart of all of them.
import type { Claret } from '@claret/client';

import { SESSIONS_PER_USER_MAX, SESSION_TTL_MS, key } from '../model.ts';

export type Person = { id: string; nickname: string; region_id: string };

export type Account = { person: Person; credentials: string | null };

// Who has this nickname; null: nobody.
export function findAccount(claret: Claret, input: { nickname: string }): Promise<Account | null> {
  return claret.transaction('FindAccount', async (tx) => {
    const user_id = await tx.register(key.nickname(input.nickname)).get();
    if (typeof user_id !== 'string') return null;
    const [[nickname, region], credentials] = await Promise.all([
      tx.dict(key.profile(user_id)).get('nickname', 'region'),
      tx.register(key.credentials(user_id)).get(),
    ]);
    return {
      person: { id: user_id, nickname: String(nickname), region_id: String(region) },
      credentials: typeof credentials === 'string' ? credentials : null,
    };
  });
}

export type OpenSessionInput = { person: Person; token_hash: string; now_ms: number };

// Also ends the person's sessions that have expired, and the oldest beyond SESSIONS_PER_USER_MAX.
export function openSession(claret: Claret, input: OpenSessionInput): Promise<void> {
  const { person, token_hash, now_ms } = input;
  const expires_at_ms = now_ms + SESSION_TTL_MS;
  return claret.transaction('OpenSession', async (tx) => {
    const sessions = tx.scoredSet(key.sessions(person.id));
    const present = await sessions.range(0, SESSIONS_PER_USER_MAX); // oldest first
    const surplus = present.length + 1 - SESSIONS_PER_USER_MAX;
    present.forEach(([old, expires], i) => {
      if (i >= surplus && Number(expires) > now_ms) return;
      sessions.remove(old);
      clearSession(tx, old);
    });
    sessions.add(token_hash, expires_at_ms);
    tx.dict(key.session(token_hash)).set({
      user: person.id,
      nickname: person.nickname,
      region: person.region_id,
      expires_at_ms,
    });
  });
}

// Null: no such session, or it has expired.
export async function readSession(claret: Claret, input: { token_hash: string; now_ms: number }): Promise<Person | null> {
  const [[user, nickname, region, expires]] = await claret.transact('ReadSession', [
    claret.on.dict(key.session(input.token_hash)).get('user', 'nickname', 'region', 'expires_at_ms'),
  ]);
  if (typeof user !== 'string' || Number(expires) <= input.now_ms) return null;
  return { id: user, nickname: String(nickname), region_id: String(region) };
}

export function endSession(claret: Claret, input: { person: Person; token_hash: string }): Promise<void> {
  return claret.transaction('EndSession', async (tx) => {
    tx.scoredSet(key.sessions(input.person.id)).remove(input.token_hash);
    clearSession(tx, input.token_hash);
  });
}

type Tx = Parameters<Parameters<Claret['transaction']>[1]>[0];

function clearSession(tx: Tx, token_hash: string): void {
  tx.dict(key.session(token_hash)).remove('user', 'nickname', 'region', 'expires_at_ms');
}
