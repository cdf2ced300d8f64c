// Idempotency keys of requests: a change takes effect once, however often its request is sent (apps/site/once.ts). Equal requests share a
// key while one is in flight, so that a double click counts once, and until the server has stated the outcome, so that a retry after a lost
// answer counts once. A browser that repeats a request by itself repeats the key.

export const REQUEST_KEY_HEADER = 'idempotency-key';

/** requests with an open outcome; beyond it the oldest are dropped */
const OWED_MAX = 100;
const KEY_BYTES = 16;

interface Owed {
  readonly key: string;
  underWay: number;
  /** the outcome of one of its attempts is unknown */
  isUnclear: boolean;
}

/** The failure of an attempt. undone: it had no effect, earlier attempts may have had one; refused: no attempt had an effect. */
export type Failure = 'refused' | 'undone' | 'unclear';

export interface Failures {
  of(thrown: unknown): Failure;
  /** The error to report for an attempt without effect when the outcome of an earlier attempt is unknown. */
  stillUnclear(thrown: unknown): unknown;
}

export class RequestKeys {
  readonly #newKey: () => string;
  readonly #owed = new Map<string, Owed>();

  constructor(newKey: () => string = randomKey) {
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
      isOver = failure === 'refused' || !owed.isUnclear;
      throw failure === 'undone' && owed.isUnclear ? failures.stillUnclear(thrown) : thrown;
    } finally {
      owed.underWay--;
      if (isOver && owed.underWay === 0 && this.#owed.get(what) === owed) this.#owed.delete(what);
    }
  }
}

/** 128 random bits */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(KEY_BYTES)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
