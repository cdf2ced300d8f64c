// Expressions that bind names, and those that go over lists.

import { Refusal } from '../model.ts';
import { Meter, type Inner, type Json, type Known } from './inner.ts';

type Evaluate = (expression: Json, known: Known) => Inner;

export const BINDING: ReadonlySet<string> = new Set(['let', 'map', 'filter', 'find', 'sort', 'fold']);
export const OF_LISTS: ReadonlySet<string> = new Set(['range', 'slice', 'join', 'replace', 'reverse']);

/** Throws Refusal. */
function listOf(value: Inner): readonly Inner[] {
  if (!Array.isArray(value)) throw new Refusal('no list');
  return value as readonly Inner[];
}

const isText = (key: Inner): key is string => typeof key === 'string';
const isNumber = (key: Inner): key is bigint | number => typeof key === 'bigint' || typeof key === 'number';

/** An expression of BINDING, without its head. Throws Refusal. */
export function binding(head: string, rest: readonly Json[], known: Known, evaluate: Evaluate): Inner {
  const name = rest[0] as number;
  const within = (body: Json, ...bound: [number, Inner][]) =>
    evaluate(body, { ...known, locals: new Map([...(known.locals ?? []), ...bound]) });
  if (head === 'let') return within(rest[2]!, [name, evaluate(rest[1]!, known)]);
  if (head === 'fold') {
    const [, item, list, initial, body] = rest as [number, number, Json, Json, Json];
    const items = listOf(evaluate(list, known));
    known.meter?.count(items.length);
    return items.reduce((sum: Inner, one) => within(body, [name, sum], [item, one]), evaluate(initial, known));
  }
  const items = listOf(evaluate(rest[1]!, known));
  const each = (item: Inner) => {
    known.meter?.count();
    return within(rest[2]!, [name, item]);
  };
  const isTrue = (item: Inner): boolean => {
    const found = each(item);
    if (typeof found !== 'boolean') throw new Refusal('no condition');
    return found;
  };
  switch (head) {
    case 'map':
      return items.map(each);
    case 'filter':
      return items.filter(isTrue);
    case 'find':
      return items.find(isTrue) ?? null;
    default:
      return sorted(items, items.map(each));
  }
}

/** By the keys, ascending; those of equal keys stay in their order. */
function sorted(items: readonly Inner[], keys: readonly Inner[]): Inner[] {
  if (!keys.every(isNumber) && !keys.every(isText)) throw new Refusal('keys that cannot be compared');
  const places = items.map((_, place) => place);
  return places.sort((a, b) => order(keys[a]!, keys[b]!)).map((place) => items[place]!);
}

/** JavaScript compares an integer with a number exactly. */
function order(a: Inner, b: Inner): number {
  if (isText(a) && isText(b)) return Buffer.compare(Buffer.from(a), Buffer.from(b));
  const [x, y] = [a as bigint | number, b as bigint | number];
  return x < y ? -1 : x > y ? 1 : 0;
}

/** An expression of OF_LISTS, with its operands. Throws Refusal. */
export function ofLists(head: string, operands: readonly Inner[], known: Known): Inner {
  const [a = null, b = null, c = null] = operands;
  if (head === 'range') {
    const count = integer(a);
    if (count < 0n) throw new Refusal('a range below 0');
    (known.meter ?? new Meter()).count(Number(count));
    return Array.from({ length: Number(count) }, (_, i) => BigInt(i));
  }
  const result = ofList(head, listOf(a), b, c);
  known.meter?.count(result.length);
  return result;
}

function ofList(head: string, list: readonly Inner[], b: Inner, c: Inner): readonly Inner[] {
  switch (head) {
    case 'slice':
      return list.slice(cut(integer(b), list), cut(integer(c), list));
    case 'join':
      return [...list, ...listOf(b)];
    case 'reverse':
      return list.toReversed();
    default: {
      const place = integer(b);
      if (place < 0n || place >= BigInt(list.length)) throw new Refusal('no item is there');
      return list.with(Number(place), c);
    }
  }
}

const cut = (place: bigint, { length }: readonly Inner[]): number => Math.max(0, Math.min(length, Number(place)));

/** Throws Refusal. */
function integer(value: Inner): bigint {
  if (typeof value !== 'bigint') throw new Refusal('no integer');
  return value;
}
