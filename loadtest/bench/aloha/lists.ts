// Lists of blind writes and of reads of registers, half and half, as ALOHA-KV has them. They remember the newest write of each record, to be compared
// with what is stored at the end.

import { ClaretError, type Claret } from '@claret/client';
import { steered } from '@claret/client/steered';
import type { Way } from './question.ts';

const READ_SHARE = 0.5;
/** records that are compared at the end */
const COMPARED_MAX = 2_000;

export interface ListOptions {
  way: Way;
  /** operations of a list */
  size: number;
  /** distinct records */
  keys: number;
  random: () => number;
}

interface Write {
  at: bigint;
  text: string;
}

/** Distinct records, uniformly drawn from `keys`. REQUIRES: there are at least `size`. */
export function uniformly({ random, size, keys }: Pick<ListOptions, 'random' | 'size' | 'keys'>): string[] {
  const drawn = new Set<string>();
  while (drawn.size < size) drawn.add(`row:${Math.floor(random() * keys)}`);
  return [...drawn];
}

/** The list ran out of time, where locks collapse. It may have had an effect only if its client could not learn the outcome in time. */
export const ranOutOfTime = (error: unknown): boolean =>
  error instanceof ClaretError && (error.code === 'gave_up' || error.code === 'expired' || error.cause === 'timeout');

export class Lists {
  readonly #claret: Claret;
  readonly #options: ListOptions;
  readonly #newest = new Map<string, Write>();
  /** of lists whose outcome is unknown: their records are not compared */
  readonly #unsure = new Set<string>();
  #written = 0;

  constructor(claret: Claret, options: ListOptions) {
    this.#claret = claret;
    this.#options = options;
  }

  /** One list, until it has committed. */
  async run(): Promise<void> {
    const { on, native } = this.#claret;
    const { random, way } = this.#options;
    const keys = uniformly(this.#options);
    const reads = random() < READ_SHARE;
    const text = reads ? '' : (++this.#written).toString(36).padStart(8, '0');
    const list = keys.map((key) => (reads ? on.register(key).get() : on.register(key).set(text)));
    if (way === 'none') {
      await Promise.all(list.map((operation) => native.perform<unknown>(operation)));
      return;
    }
    if (reads) {
      await this.#claret.readOnly('Read', list, steered({ way }));
      return;
    }
    const onCommit = ({ committedAt }: { committedAt: bigint }) => this.#committed(keys, { at: committedAt, text });
    try {
      await this.#claret.writeOnly('Write', list, steered({ way, onCommit }));
    } catch (error) {
      if (!(error instanceof ClaretError) || error.commitState !== 'none') for (const key of keys) this.#unsure.add(key);
      throw error;
    }
  }

  #committed(keys: readonly string[], write: Write): void {
    for (const key of keys) if ((this.#newest.get(key)?.at ?? 0n) < write.at) this.#newest.set(key, write);
  }

  /** Throws if a record does not hold its newest write. Without transactions the order of writes is nobody's. */
  async check(): Promise<void> {
    if (this.#options.way === 'none') return;
    const compared = [...this.#newest].filter(([key]) => !this.#unsure.has(key)).slice(0, COMPARED_MAX);
    const held = await Promise.all(compared.map(([key]) => this.#claret.native.register(key).get()));
    for (const [i, [key, { text }]] of compared.entries()) {
      if (held[i] !== text) throw new Error(`${key} holds ${String(held[i])}, but the newest write is ${text}`);
    }
  }
}
