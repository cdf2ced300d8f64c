// Session records in the store, so that every app server knows them, also after a restart of all servers.
//
//   <site>:sessions:U   ScoredSet   a person's session records by expiry: logging in removes expired ones
//   <site>:session:H    Dict        H is the hash of the cookie's token, so that reading the store gives no usable cookie
//
// The keys carry the site's name, since two sites may share a cluster.
import { Scope, type Claret, type Scalar, type Tx } from '@claret/client';

import { areWarranted } from '../kept.ts';
import { withinScope } from '../overload/natives.ts';
import { RequestProblem } from '../problem.ts';

export const SESSION_TTL_MS = 30 * 24 * 60 * 60 * 1_000;
export const SESSIONS_PER_USER_MAX = 20;
// The longest delay of a timer. A session that lasts longer is reported as ended then; callers have to read it again.
const TIMER_MS_MAX = 2 ** 31 - 1;

/** The properties of a person that a session holds, so that reading them costs no further read: texts that never change. */
export type PersonRecord = { id: string } & Record<string, string>;

/** Sessions that an app server remembers: some 200 bytes each. */
const REMEMBERED_MAX = 20_000;

type Asked = { token_hash: string; now_ms: number };
/** of the Dict of a session: its person, when it expires, and the person's properties */
type SessionValues = readonly (Scalar | null)[];

export class SessionRecords<Person extends PersonRecord> {
  readonly #site: string;
  readonly #fields: readonly string[];
  /** what sessions were when they were last read here; those that were used last come last */
  readonly #remembered = new Map<string, SessionValues>();

  /** `fields`: properties of a person in addition to the id */
  constructor(site: string, fields: readonly (keyof Omit<Person, 'id'> & string)[]) {
    this.#site = site;
    this.#fields = fields;
  }

  /**
   * Also ends the person's expired sessions, their oldest ones beyond SESSIONS_PER_USER_MAX, and the session with the hash `replaced_hash`,
   * whoever owns it (null or missing: none).
   */
  async open(claret: Claret, input: { person: Person; token_hash: string; replaced_hash?: string | null; now_ms: number }): Promise<void> {
    const { person, token_hash, replaced_hash = null, now_ms } = input;
    const expires_at_ms = now_ms + SESSION_TTL_MS;
    const { id, ...fields } = person;
    await claret.transaction('OpenSession', async (tx) => {
      const sessions = tx.scoredSet(this.#sessionsOf(id));
      const [all, replaced] = await Promise.all([
        sessions.range(0, SESSIONS_PER_USER_MAX), // oldest first
        replaced_hash === null ? [] : tx.dict(this.keyOf(replaced_hash)).get('user'),
      ]);
      if (replaced_hash !== null && typeof replaced[0] === 'string') this.#remove(tx, replaced[0], replaced_hash);
      const present = all.filter(([hash]) => hash !== replaced_hash);
      const surplus = present.length + 1 - SESSIONS_PER_USER_MAX;
      present.forEach(([old, expires], i) => {
        if (i >= surplus && Number(expires) > now_ms) return;
        this.#remove(tx, id, old);
      });
      sessions.add(token_hash, expires_at_ms);
      tx.dict(this.keyOf(token_hash)).set({ ...fields, user: id, expires_at_ms });
    });
    this.#remember(token_hash, [id, expires_at_ms, ...this.#fields.map((field) => person[field]!)]);
  }

  /**
   * Null if there is no such session or it has expired. `scope`: the limits of the request that asks.
   *
   * Requests that show something personal begin with it. Where shards promise results it is a transaction, which is answered from memory while the session is
   * promised: a log-out, on whichever server, waits until that is over. Otherwise it is a native operation, which is cheaper and takes no
   * promises.
   */
  async read(claret: Claret, { token_hash, now_ms }: Asked, scope = new Scope()): Promise<Person | null> {
    const reading = this.#reading(claret, token_hash);
    const values = areWarranted(claret)
      ? (await claret.within(scope).transact('ReadSession', [reading]))[0]
      : await withinScope(scope, false, () => claret.native.perform(reading));
    return this.#personOf(token_hash, values, now_ms);
  }

  /** The person whose session it was when it was last read here. It may have ended since: what is done for them has to `prove` it. */
  remembered({ token_hash, now_ms }: Asked): Person | null {
    const values = this.#remembered.get(token_hash);
    return values === undefined ? null : this.#personOf(token_hash, values, now_ms);
  }

  /**
   * For a transaction that acts for a person who is remembered: it goes on at once, and commits only if the session is what it was. Throws
   * `not_logged_in` if it has ended.
   */
  async prove(claret: Claret, tx: Tx, { token_hash, now_ms }: Asked): Promise<void> {
    const values = await tx.perform(this.#reading(claret, token_hash), { guess: this.#remembered.get(token_hash) });
    if (this.#personOf(token_hash, values, now_ms) === null) throw new RequestProblem('not_logged_in');
  }

  #reading(claret: Claret, token_hash: string) {
    return claret.on.dict(this.keyOf(token_hash)).get('user', 'expires_at_ms', ...this.#fields);
  }

  #personOf(token_hash: string, values: SessionValues, now_ms: number): Person | null {
    const [user, expires, ...others] = values;
    if (typeof user !== 'string' || Number(expires) <= now_ms) {
      this.#remembered.delete(token_hash);
      return null;
    }
    this.#remember(token_hash, values);
    return { id: user, ...Object.fromEntries(this.#fields.map((field, i) => [field, String(others[i])])) } as Person;
  }

  #remember(token_hash: string, values: SessionValues): void {
    this.#remembered.delete(token_hash);
    this.#remembered.set(token_hash, values);
    if (this.#remembered.size > REMEMBERED_MAX) this.#remembered.delete(this.#remembered.keys().next().value!);
  }

  /** Calls back when the session has ended or expired, at once if it is already over. Returns a function that cancels the callback. */
  onEnd(claret: Claret, token_hash: string, listener: () => void): () => void {
    let expiry: NodeJS.Timeout | undefined;
    const session = claret.on.dict(this.keyOf(token_hash)).get('user', 'expires_at_ms');
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
    return claret.clock.nowMs(this.keyOf(token_hash));
  }

  end(claret: Claret, input: { user_id: string; token_hash: string }): Promise<void> {
    return claret.transaction('EndSession', async (tx) => this.#remove(tx, input.user_id, input.token_hash));
  }

  #remove(tx: Tx, user_id: string, token_hash: string): void {
    this.#remembered.delete(token_hash);
    tx.scoredSet(this.#sessionsOf(user_id)).remove(token_hash);
    tx.dict(this.keyOf(token_hash)).remove('user', 'expires_at_ms', ...this.#fields);
  }

  #sessionsOf(user_id: string): string {
    return `${this.#site}:sessions:${user_id}`;
  }

  /** the key of the session */
  keyOf(token_hash: string): string {
    return `${this.#site}:session:${token_hash}`;
  }
}
