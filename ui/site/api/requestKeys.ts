// What a person wants done happens once, however often its request is sent: each carries a key, by which the server knows it again
// (apps/site/once.ts). The same request has the same key while it is under way, so that a double click is one, and until the server
// has said what came of it, so that trying again after a lost answer is no second time. Browsers that send a request again by themselves
// send the key along.

export const REQUEST_KEY_HEADER = 'idempotency-key';

/** Requests whose answers are owed; of more the oldest are forgotten. */
const OWED_MAX = 100;
const KEY_BYTES = 16;

interface Owed {
  readonly key: string;
  underWay: number;
  /** one of them was answered by nobody, or by nobody who knew */
  isUnclear: boolean;
}

/** How one ended that failed. undone: it has not happened, which says nothing of one before it; refused: nor has any. */
export type Failure = 'refused' | 'undone' | 'unclear';

export interface Failures {
  of(thrown: unknown): Failure;
  /** What to say of one that has not happened, where nobody knows of one before it. */
  stillUnclear(thrown: unknown): unknown;
}

export class RequestKeys {
  readonly #newKey: () => string;
  readonly #owed = new Map<string, Owed>();

  constructor(newKey: () => string = randomKey) {
    this.#newKey = newKey;
  }

  /** Sends it under its key. Once it is known what came of it, the next one that is alike is another. */
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

/** 128 bits of chance. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(KEY_BYTES)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
