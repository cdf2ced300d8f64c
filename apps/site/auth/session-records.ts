// Session records in the store, so that every app server knows them, also after a restart of all servers.
//
//   <site>:sessions:U   ScoredSet   a person's session records by expiry: logging in removes expired ones
//   <site>:session:H    Dict        H is the hash of the cookie's token, so that reading the store gives no usable cookie
//
// The keys carry the site's name, since two sites may share a cluster.
import { Scope, type Claret, type Tx } from '@claret/client';

import { areWarranted } from '../kept.ts';
import { withinScope } from '../overload/natives.ts';

export const SESSION_TTL_MS = 30 * 24 * 60 * 60 * 1_000;
export const SESSIONS_PER_USER_MAX = 20;
// The longest delay of a timer. A session that lasts longer is reported as ended then; callers have to read it again.
const TIMER_MS_MAX = 2 ** 31 - 1;

/** The properties of a person that a session holds, so that reading them costs no further read: texts that never change. */
export type PersonRecord = { id: string } & Record<string, string>;

export class SessionRecords<Person extends PersonRecord> {
  readonly #site: string;
  readonly #fields: readonly string[];

  /** `fields`: properties of a person in addition to the id */
  constructor(site: string, fields: readonly (keyof Omit<Person, 'id'> & string)[]) {
    this.#site = site;
    this.#fields = fields;
  }

  /**
   * Also ends the person's expired sessions, their oldest ones beyond SESSIONS_PER_USER_MAX, and the session with the hash `replaced_hash`,
   * whoever owns it (null or missing: none).
   */
  open(claret: Claret, input: { person: Person; token_hash: string; replaced_hash?: string | null; now_ms: number }): Promise<void> {
    const { person, token_hash, replaced_hash = null, now_ms } = input;
    const expires_at_ms = now_ms + SESSION_TTL_MS;
    const { id, ...fields } = person;
    return claret.transaction('OpenSession', async (tx) => {
      const sessions = tx.scoredSet(this.#sessionsOf(id));
      const [all, replaced] = await Promise.all([
        sessions.range(0, SESSIONS_PER_USER_MAX), // oldest first
        replaced_hash === null ? [] : tx.dict(this.#session(replaced_hash)).get('user'),
      ]);
      if (replaced_hash !== null && typeof replaced[0] === 'string') this.#remove(tx, replaced[0], replaced_hash);
      const present = all.filter(([hash]) => hash !== replaced_hash);
      const surplus = present.length + 1 - SESSIONS_PER_USER_MAX;
      present.forEach(([old, expires], i) => {
        if (i >= surplus && Number(expires) > now_ms) return;
        this.#remove(tx, id, old);
      });
      sessions.add(token_hash, expires_at_ms);
      tx.dict(this.#session(token_hash)).set({ ...fields, user: id, expires_at_ms });
    });
  }

  /**
   * Null if there is no such session or it has expired. `scope`: the limits of the request that asks.
   *
   * Most requests begin with it. Where shards promise results it is a transaction, which is answered from memory while the session is
   * promised: a log-out, on whichever server, waits until that is over. Otherwise it is a native operation, which is cheaper and takes no
   * promises.
   */
  async read(claret: Claret, input: { token_hash: string; now_ms: number }, scope = new Scope()): Promise<Person | null> {
    const session = this.#session(input.token_hash);
    const names = ['user', 'expires_at_ms', ...this.#fields];
    const [user, expires, ...values] = areWarranted(claret)
      ? (await claret.within(scope).transact('ReadSession', [claret.on.dict(session).get(...names)]))[0]
      : await withinScope(scope, false, () => claret.native.dict(session).get(...names));
    if (typeof user !== 'string' || Number(expires) <= input.now_ms) return null;
    return { id: user, ...Object.fromEntries(this.#fields.map((field, i) => [field, String(values[i])])) } as Person;
  }

  /** Calls back when the session has ended or expired, at once if it is already over. Returns a function that cancels the callback. */
  onEnd(claret: Claret, token_hash: string, listener: () => void): () => void {
    let expiry: NodeJS.Timeout | undefined;
    const session = claret.on.dict(this.#session(token_hash)).get('user', 'expires_at_ms');
    const watch = claret.watch([session], ({ value, error }) => {
      if (error !== undefined) return;
      const [user, expires_at_ms] = value;
      const left_ms = typeof user === 'string' ? Number(expires_at_ms) - this.nowMs(claret, token_hash) : 0;
      clearTimeout(expiry);
      if (left_ms <= 0) listener();
      else expiry = setTimeout(listener, Math.min(left_ms, TIMER_MS_MAX));
    });
    return () => {
      clearTimeout(expiry);
      watch.close();
    };
  }

  /** The present time where the session is. */
  nowMs(claret: Claret, token_hash: string): number {
    return claret.clock.nowMs(this.#session(token_hash));
  }

  end(claret: Claret, input: { user_id: string; token_hash: string }): Promise<void> {
    return claret.transaction('EndSession', async (tx) => this.#remove(tx, input.user_id, input.token_hash));
  }

  #remove(tx: Tx, user_id: string, token_hash: string): void {
    tx.scoredSet(this.#sessionsOf(user_id)).remove(token_hash);
    tx.dict(this.#session(token_hash)).remove('user', 'expires_at_ms', ...this.#fields);
  }

  #sessionsOf(user_id: string): string {
    return `${this.#site}:sessions:${user_id}`;
  }

  #session(token_hash: string): string {
    return `${this.#site}:session:${token_hash}`;
  }
}
