import type { HistoryValue } from '@claret/client';
import { integerOf, Refusal, sameValue, type Model, type Step } from '../model.ts';

const ELEMENTS_MAX = 10_000;
const FRONT = new Set(['prepend', 'pushFront', 'pushFrontIfPresent']);
const BACK = new Set(['append', 'pushBack', 'pushBackIfPresent']);
const MOVING = new Set(['popFront', 'popBack', 'insert', 'removeEqual', 'trim']);

/** A sequence of scalars. */
export class List implements Model {
  #elements: HistoryValue[];

  constructor(elements: readonly HistoryValue[] = []) {
    this.#elements = [...elements];
  }

  execute(op: string, args: HistoryValue[], own: readonly Step[]): HistoryValue | undefined {
    const { length } = this.#elements;
    switch (op) {
      case 'pushBack':
      case 'pushFront':
        return length + (args[0] as HistoryValue[]).length;
      case 'pushBackIfPresent':
      case 'pushFrontIfPresent':
        return length === 0 ? 0 : length + (args[0] as HistoryValue[]).length;
      case 'popFront':
      case 'popBack':
        return this.#outermost(op === 'popFront', countOf(args[0], 1), own);
      case 'setAt':
        return this.#checkSetAt(Number(integerOf(args[0])), own);
      case 'insert':
        return length === 0 ? 0 : this.#matches(args[0]).length === 0 ? -1 : length + 1;
      case 'removeEqual':
        return this.#doomed(args).length;
      case 'range':
        return this.#section(args).slice(0, ELEMENTS_MAX);
      case 'at':
        return this.#elements.at(Number(integerOf(args[0]))) ?? null;
      case 'length':
        return length;
      case 'positionOf':
        return this.#positions(args);
      default:
        return undefined;
    }
  }

  #outermost(isFront: boolean, count: number, own: readonly Step[]): HistoryValue[] {
    checkOwn(isFront, own);
    return (isFront ? this.#elements : this.#elements.toReversed()).slice(0, count);
  }

  #checkSetAt(index: number, own: readonly Step[]): undefined {
    checkOwn(index >= 0, own);
    if (this.#elements.at(index) === undefined) throw new Refusal('no such element');
  }

  #section([first, last]: HistoryValue[]): HistoryValue[] {
    const begin = Number(integerOf(first));
    const end = Number(integerOf(last));
    return end === -1 ? this.#elements.slice(begin) : this.#elements.slice(begin, end + 1);
  }

  /** The indices of equal elements. */
  #matches(value: HistoryValue | undefined): number[] {
    return [...this.#elements.keys()].filter((at) => sameValue(this.#elements[at], value));
  }

  #doomed([count, value]: HistoryValue[]): number[] {
    const most = Number(integerOf(count));
    const matches = this.#matches(value);
    return most === 0 ? matches : most > 0 ? matches.slice(0, most) : matches.slice(most);
  }

  #positions([value, rank, count, maxlen]: HistoryValue[]): HistoryValue[] {
    const given = (argument: HistoryValue | undefined, otherwise: number) =>
      argument === null || argument === undefined ? otherwise : Number(integerOf(argument));
    const from = given(rank, 1);
    const wanted = given(count, 1);
    const most = given(maxlen, 0);
    if (from === 0 || wanted < 0 || most < 0) throw new Refusal('no such search');
    const { length } = this.#elements;
    const isSeen = (at: number) => most === 0 || (from > 0 ? at < most : at >= length - most);
    const seen = this.#matches(value).filter(isSeen);
    const found = (from > 0 ? seen : seen.toReversed()).slice(Math.abs(from) - 1);
    return found.slice(0, wanted === 0 ? ELEMENTS_MAX : Math.min(wanted, ELEMENTS_MAX));
  }

  commit(op: string, args: HistoryValue[], result: HistoryValue | undefined): void {
    const values = args[0] as HistoryValue[];
    if (op.endsWith('IfPresent') && result === 0) return;
    if (BACK.has(op)) this.#elements = [...this.#elements, ...values];
    else if (FRONT.has(op)) this.#elements = [...values.toReversed(), ...this.#elements];
    else if (op === 'popFront') this.#elements.splice(0, (result as HistoryValue[]).length);
    else if (op === 'popBack') this.#elements.splice(Math.max(this.#elements.length - (result as HistoryValue[]).length, 0));
    else if (op === 'setAt') this.#setAt(Number(integerOf(args[0])), args[1]!);
    else if (op === 'insert') this.#insert(args);
    else if (op === 'removeEqual') this.#remove(new Set(this.#doomed(args)));
    else if (op === 'trim') this.#elements = this.#section(args);
  }

  #setAt(index: number, value: HistoryValue): void {
    const at = index < 0 ? index + this.#elements.length : index;
    if (at in this.#elements) this.#elements[at] = value;
  }

  #insert([pivot, value, before]: HistoryValue[]): void {
    const [at] = this.#matches(pivot);
    if (at !== undefined) this.#elements.splice(before === true ? at : at + 1, 0, value!);
  }

  #remove(doomed: ReadonlySet<number>): void {
    this.#elements = this.#elements.filter((_, at) => !doomed.has(at));
  }

  clone(): List {
    return new List(this.#elements);
  }

  equals(other: List): boolean {
    return sameValue(this.#elements, other.#elements);
  }
}

/** What counts from an end is refused after the transaction has moved the elements there. */
function checkOwn(isFront: boolean, own: readonly Step[]): void {
  if (own.some(({ op }) => MOVING.has(op) || (isFront ? FRONT : BACK).has(op))) throw new Refusal('moved by its own transaction');
}

function countOf(value: HistoryValue | undefined, least: number): number {
  const count = Number(integerOf(value));
  if (count < least || count > ELEMENTS_MAX) throw new Refusal('number of elements');
  return count;
}
