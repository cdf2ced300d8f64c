// Recurrence: which readings of this client come again with the same result. A table of a fixed size keeps the last result of each call as a print,
// and how often it came in a row. Calls that share a place, or different results with one print, are only misjudged.

import type { Call } from '../values/call.ts';
import type { WireValue } from '../values/values.ts';

const PLACES = 1 << 15;
/** More are not told apart. */
const SAME_MOST = 255;
/** A call that was last answered longer ago begins anew. As a shard counts, in server-core/src/transaction/worth.cc. */
const AGAIN_WITHIN_MS = 30_000;
/** A print is made of so many of the first and of the last items of a list, and characters of a text other than a key. */
const ENDS_PRINTED = 4;

export class Recurrence {
  readonly #calls = new Uint32Array(PLACES);
  readonly #results = new Uint32Array(PLACES);
  readonly #same = new Uint8Array(PLACES);
  readonly #answeredMs = new Float64Array(PLACES);

  /** The last `times` answers to the call were the same. */
  recurs(call: Call, times: number, nowMs: number): boolean {
    const print = printOfCall(call);
    const place = print & (PLACES - 1);
    return this.#calls[place] === print && this.#same[place]! >= times && nowMs - this.#answeredMs[place]! <= AGAIN_WITHIN_MS;
  }

  answered(call: Call, result: WireValue, nowMs: number): void {
    const print = printOfCall(call);
    const place = print & (PLACES - 1);
    const resultPrint = printOf(result, 0);
    const again =
      this.#calls[place] === print && this.#results[place] === resultPrint && nowMs - this.#answeredMs[place]! <= AGAIN_WITHIN_MS;
    this.#calls[place] = print;
    this.#results[place] = resultPrint;
    this.#same[place] = again ? Math.min(this.#same[place]! + 1, SAME_MOST) : 1;
    this.#answeredMs[place] = nowMs;
  }
}

function printOfCall({ spec, key, args }: Call): number {
  let print = ofText(key, spec.code);
  for (const argument of args) print = printOf(argument as WireValue, print);
  return print >>> 0;
}

function printOf(value: WireValue, from: number): number {
  switch (typeof value) {
    case 'string':
      return ofEnds(value, from);
    case 'number':
      return mixed(mixed(from, value | 0), Number.isSafeInteger(value) ? Math.floor(value / 0x1_0000_0000) : 1_000 * (value % 1));
    case 'boolean':
      return mixed(from, value ? 1 : 2);
    case 'bigint':
      return mixed(from, Number(BigInt.asIntN(32, value)));
    default:
      return ofItems(value, from);
  }
}

/** The print of a list is made of its length and of the items at its ends. */
function ofItems(value: WireValue[] | object | null, from: number): number {
  if (!Array.isArray(value)) return value === null ? mixed(from, 3) : ofText(JSON.stringify(value), from);
  let print = mixed(from, value.length);
  const head = Math.min(value.length, ENDS_PRINTED);
  for (let at = 0; at < head; at++) print = printOf(value[at]!, print);
  for (let at = Math.max(head, value.length - ENDS_PRINTED); at < value.length; at++) print = printOf(value[at]!, print);
  return print;
}

function ofEnds(text: string, from: number): number {
  const { length } = text;
  if (length <= 2 * ENDS_PRINTED) return ofText(text, from);
  let print = mixed(from, length);
  for (let at = 0; at < ENDS_PRINTED; at++) {
    print = Math.imul(print ^ text.charCodeAt(at), 0x0100_0193);
    print = Math.imul(print ^ text.charCodeAt(length - 1 - at), 0x0100_0193);
  }
  return mixed(print, 0);
}

function ofText(text: string, from: number): number {
  let print = mixed(from, text.length);
  for (let at = 0; at < text.length; at++) print = Math.imul(print ^ text.charCodeAt(at), 0x0100_0193);
  return mixed(print, 0);
}

const mixed = (print: number, word: number): number => {
  const product = Math.imul(print ^ word, 0x85eb_ca6b);
  return (product ^ (product >>> 15)) >>> 0;
};
