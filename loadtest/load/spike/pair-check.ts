// The pairs of registers of the spike of long lists. A pair's registers are always equal, in every list that reads them and in the end; a
// list that reads finds no older write than those that were acknowledged before it began; and in the end a pair holds the newest write
// that was acknowledged, or one whose outcome is unknown.

/** Mismatches that are told one by one. */
const TOLD_MAX = 10;

export interface Write {
  readonly number: number;
  /** what it writes into the registers */
  readonly text: string;
}

export class PairCheck {
  /** what the registers hold before the first write */
  static readonly FIRST = '0';

  /** by the number of a write: when it was committed; absent: it is not acknowledged */
  readonly #committedAt: (bigint | undefined)[] = [0n];
  /** by pair: the newest write that was acknowledged */
  readonly #newest: Uint32Array;
  readonly #unsure = new Set<number>();
  #begun = 0;
  /** by pair: the first thing that was wrong with it */
  readonly #surprises = new Map<number, string>();

  constructor(pairs: number) {
    this.#newest = new Uint32Array(pairs);
  }

  begin(): Write {
    const number = ++this.#begun;
    return { number, text: String(number) };
  }

  committed({ number }: Write, pairs: readonly number[], at: bigint): void {
    this.#committedAt[number] = at;
    for (const pair of pairs) if (this.#committedAt[this.#newest[pair]!]! < at) this.#newest[pair] = number;
  }

  /** It may have committed, or may yet. */
  unsure({ number }: Write): void {
    this.#unsure.add(number);
  }

  /** When the newest acknowledged write of each pair was committed. */
  least(pairs: readonly number[]): bigint[] {
    return pairs.map((pair) => this.#committedAt[this.#newest[pair]!]!);
  }

  /** @param values both of each pair, in order @param least of `least`, before the list began */
  read(pairs: readonly number[], values: readonly unknown[], least: readonly bigint[]): void {
    for (const [i, pair] of pairs.entries()) {
      const [left, right] = [values[2 * i], values[2 * i + 1]];
      const number = this.#numberOf(left);
      if (left !== right) this.#surprise(pair, `a list read ${String(left)} and ${String(right)}`);
      else if (number === null) this.#surprise(pair, `a list read ${String(left)}, which nobody has written`);
      else if ((this.#committedAt[number] ?? least[i]!) < least[i]!)
        this.#surprise(pair, `a list read ${number}, which was overwritten before`);
    }
  }

  /** The pairs that a write was acknowledged for, and those of them that hold one that was acknowledged or is in doubt. */
  compared(values: readonly unknown[]): { acknowledged: number; stored: number } {
    const written = [...this.#newest.keys()].filter((pair) => this.#newest[pair]! > 0);
    const holds = (pair: number) => {
      const number = this.#numberOf(values[2 * pair]);
      return values[2 * pair] === values[2 * pair + 1] && number !== null && (number === this.#newest[pair] || this.#unsure.has(number));
    };
    return { acknowledged: written.length, stored: written.filter(holds).length };
  }

  /** @param values of all registers in the end, both of each pair, in order */
  mismatches(values: readonly unknown[]): string[] {
    for (const [pair, newest] of this.#newest.entries()) {
      const [left, right] = [values[2 * pair], values[2 * pair + 1]];
      const number = this.#numberOf(left);
      if (left !== right) this.#surprise(pair, `the registers hold ${String(left)} and ${String(right)}`);
      else if (number === null || (number !== newest && !this.#unsure.has(number))) {
        this.#surprise(pair, `the registers hold ${String(left)}, and the newest acknowledged write is ${newest}`);
      }
    }
    const all = [...this.#surprises].map(([pair, text]) => `pair ${pair}: ${text}`);
    return all.length <= TOLD_MAX ? all : [...all.slice(0, TOLD_MAX), `and ${all.length - TOLD_MAX} other pairs`];
  }

  /** Null: no write that has begun. */
  #numberOf(value: unknown): number | null {
    const number = Number(value);
    return typeof value === 'string' && String(number) === value && number >= 0 && number <= this.#begun ? number : null;
  }

  #surprise(pair: number, text: string): void {
    if (!this.#surprises.has(pair)) this.#surprises.set(pair, text);
  }
}
