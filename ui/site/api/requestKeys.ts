// Idempotency keys of requests: a change takes effect once, however often its request is sent (apps/site/once.ts). Equal requests share a
// key while one is in flight, so that a double click counts once, and until the server has stated the outcome, so that a retry after a lost
// answer counts once. A browser that repeats a request by itself repeats the key.
//
// A key is a UUID of version 7 (RFC 9562): it begins with the time at which it was made. So a server knows whether it would still remember a request
// with that key, and refuses it otherwise.

export const REQUEST_KEY_HEADER = 'idempotency-key';

const KEY = /^([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/** hexadecimal digits of a key that are drawn at random */
export const KEY_RANDOM_DIGITS = 18;

/** `at_ms`: by the site's clock. `random`: KEY_RANDOM_DIGITS hexadecimal digits. */
export function requestKeyOf(at_ms: number, random: string): string {
  const time = at_ms.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(0, 3)}-8${random.slice(3, 6)}-${random.slice(6)}`;
}

/** When the key was made; null: it is no key. */
export function timeOfRequestKey(key: string): number | null {
  const parts = KEY.exec(key);
  return parts === null ? null : Number.parseInt(parts[1]! + parts[2]!, 16);
}

/** A key that nobody else has. */
export function newRequestKey(at_ms: number): string {
  const bytes = crypto.getRandomValues(new Uint8Array(KEY_RANDOM_DIGITS / 2));
  return requestKeyOf(at_ms, Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join(''));
}

/** requests with an open outcome; beyond it the oldest are dropped */
const OWED_MAX = 100;

interface Owed {
  readonly key: string;
  underWay: number;
  /** the outcome of one of its attempts is unknown */
  isUnclear: boolean;
}

/**
 * The failure of an attempt. undone: it had no effect, earlier attempts may have had one; expired: the same, and no answer to this key will tell,
 * unless the server names what it makes after the request (then no attempt had an effect); refused: no attempt had an effect.
 */
export type Failure = 'refused' | 'undone' | 'expired' | 'unclear';

export interface Failures {
  of(thrown: unknown): Failure;
  /** The error to report for an attempt without effect when the outcome of an earlier attempt is unknown. */
  stillUnclear(thrown: unknown): unknown;
}

export class RequestKeys {
  readonly #newKey: () => string;
  readonly #owed = new Map<string, Owed>();

  constructor(newKey: () => string) {
    this.#newKey = newKey;
  }

  /** Sends the request under its key. Once the outcome is known, the next equal request gets a new key. */
  async send<Answer>(what: string, send: (key: string) => Promise<Answer>, failures: Failures): Promise<Answer> {
    const owed = this.#owed.get(what) ?? { key: this.#newKey(), underWay: 0, isUnclear: false };
    this.#owed.delete(what);
    this.#owed.set(what, owed);
    if (this.#owed.size > OWED_MAX) this.#owed.delete(this.#owed.keys().next().value!);
    owed.underWay++;
    let isOver = true;
    try {
      return await send(owed.key);
    } catch (thrown) {
      const failure = failures.of(thrown);
      owed.isUnclear ||= failure === 'unclear';
      isOver = failure === 'refused' || failure === 'expired' || !owed.isUnclear;
      throw failure === 'undone' && owed.isUnclear ? failures.stillUnclear(thrown) : thrown;
    } finally {
      owed.underWay--;
      if (isOver && owed.underWay === 0 && this.#owed.get(what) === owed) this.#owed.delete(what);
    }
  }
}
