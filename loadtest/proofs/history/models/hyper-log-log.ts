import type { HistoryValue } from '@claret/client';
import type { Model } from '../model.ts';

const INDEX_BITS = 14n;
const REGISTERS = 2 ** 14;
const RANK_MAX = 51;

const bytes = new TextEncoder();
const bits64 = (value: bigint) => BigInt.asUintN(64, value);

/** FNV-1a, then the finalizer of SplitMix64: the hash is part of the type's contract. */
function hash(text: string): bigint {
  let h = 0xcbf29ce484222325n;
  for (const byte of bytes.encode(text)) h = bits64((h ^ BigInt(byte)) * 0x100000001b3n);
  h = bits64((h ^ (h >> 30n)) * 0xbf58476d1ce4e5b9n);
  h = bits64((h ^ (h >> 27n)) * 0x94d049bb133111ebn);
  return h ^ (h >> 31n);
}

/** Ertl's corrections, for registers that are 0 and for those at their greatest rank. */
function sigma(x: number): number {
  if (x === 1) return Infinity;
  let sum = x;
  for (let power = 1, before = -1; sum !== before; power *= 2) {
    x *= x;
    before = sum;
    sum += x * power;
  }
  return sum;
}

function tau(x: number): number {
  if (x === 0 || x === 1) return 0;
  let sum = 1 - x;
  for (let power = 0.5, before = -1; sum !== before; power /= 2) {
    x = Math.sqrt(x);
    before = sum;
    sum -= (1 - x) * (1 - x) * power;
  }
  return sum / 3;
}

/** Register -> the greatest rank (leading zeros after the index bits, plus one) of all texts that map to it. */
export class HyperLogLog implements Model {
  readonly #ranks: Map<number, number>;

  constructor(ranks?: Map<number, number>) {
    this.#ranks = new Map(ranks);
  }

  execute(op: string): HistoryValue | undefined {
    if (op !== 'count') return undefined;
    const registers = new Array<number>(RANK_MAX + 1).fill(0);
    for (const rank of this.#ranks.values()) registers[rank]!++;
    registers[0] = REGISTERS - this.#ranks.size;
    let z = REGISTERS * tau(1 - registers[RANK_MAX]! / REGISTERS);
    for (let rank = RANK_MAX - 1; rank >= 1; rank--) z = (z + registers[rank]!) / 2;
    z += REGISTERS * sigma(registers[0] / REGISTERS);
    return Math.round((REGISTERS * REGISTERS) / (2 * Math.LN2 * z));
  }

  commit(op: string, args: HistoryValue[]): void {
    if (op !== 'add') return;
    const h = hash(args[0] as string);
    const rest = h & (2n ** (64n - INDEX_BITS) - 1n);
    const rank = rest === 0n ? RANK_MAX : RANK_MAX - rest.toString(2).length;
    const index = Number(h >> (64n - INDEX_BITS));
    this.#ranks.set(index, Math.max(rank, this.#ranks.get(index) ?? 0));
  }

  clone(): HyperLogLog {
    return new HyperLogLog(this.#ranks);
  }

  equals(other: HyperLogLog): boolean {
    if (this.#ranks.size !== other.#ranks.size) return false;
    return [...this.#ranks].every(([index, rank]) => other.#ranks.get(index) === rank);
  }
}
