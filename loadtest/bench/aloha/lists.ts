// Lists of blind writes and of reads of registers, as ALOHA-KV has them. They remember the newest write of each record, to be compared with what is
// stored at the end.

import { ClaretError, type Claret } from '@claret/client';
import { steered } from '@claret/client/steered';
import type { Way } from './question.ts';

/** records that are compared at the end */
const COMPARED_MAX = 2_000;

export interface ListOptions {
  way: Way;
  /** of the lists, those that read */
  readShare: number;
  random: () => number;
  /** Draws the records of the next list; all of them are distinct. */
  draw(): string[];
}

interface Write {
  at: bigint;
  text: string;
}

/** Distinct records, uniformly drawn from `keys`, one of them from `hotKeys` others. */
export function uniformly(random: () => number, { size, keys, hotKeys }: { size: number; keys: number; hotKeys: number }): string[] {
  const drawn = new Set<string>();
  if (hotKeys > 0) drawn.add(`hot:${Math.floor(random() * hotKeys)}`);
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
  #inEpochs: number;

  constructor(claret: Claret, options: ListOptions) {
    this.#claret = claret;
    this.#options = options;
    this.#inEpochs = claret.counters.epochCommits;
  }

  /** One list, until it has committed. Returns true if that was in an epoch. */
  async run(): Promise<boolean> {
    const { on } = this.#claret;
    const { draw, random, readShare } = this.#options;
    const keys = draw();
    const way = this.#options.way === 'epoch' ? 'epoch' : 'locks';
    const reads = random() < readShare;
    const text = reads ? '' : `${(++this.#written).toString(36).padStart(8, '0')}`;
    const list = keys.map((key) => (reads ? on.register(key).get() : on.register(key).set(text)));
    if (this.#options.way === 'none') {
      await Promise.all(list.map((operation) => this.#claret.native.perform<unknown>(operation)));
      return false;
    }
    let inEpoch = false;
    // The counter has grown just before, if it has been an epoch.
    const told = () => {
      const { epochCommits } = this.#claret.counters;
      inEpoch = epochCommits > this.#inEpochs;
      this.#inEpochs = epochCommits;
    };
    if (reads) {
      await this.#claret.readOnly('Read', list, steered({ way, onCommit: told }));
      return inEpoch;
    }
    const onCommit = ({ committedAt }: { committedAt: bigint }) => {
      told();
      this.#committed(keys, { at: committedAt, text });
    };
    try {
      await this.#claret.writeOnly('Write', list, steered({ way, onCommit }));
    } catch (error) {
      if (!(error instanceof ClaretError) || error.commitState !== 'none') for (const key of keys) this.#unsure.add(key);
      throw error;
    }
    return inEpoch;
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
