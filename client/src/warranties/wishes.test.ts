// Which readings are wished to be warranted.

import { beforeEach, expect, it } from 'vitest';
import { operationSpecs } from '../generated/handles.ts';
import { NEVER_SENT, Operation } from '../operation/operation.ts';
import type { WireValue } from '../values/values.ts';
import { Wishes, type WishingRequest } from './wishes.ts';

const EVIDENCE = 2;
const operation = (name: string, key: string, ...args: unknown[]) =>
  new Operation<unknown>(NEVER_SENT, operationSpecs.get(name)!, key, args);
const size = (key: string) => operation('Set.size', key);

let wishes: Wishes;
let now_ms: number;
beforeEach(() => {
  wishes = new Wishes();
  now_ms = 0;
});

/** What the operations of one request wish for; they are answered with `result`. */
function ask(operations: readonly Operation<unknown>[], result: WireValue, more: Partial<WishingRequest> = {}, evidence = EVIDENCE) {
  const request = { label: 'L', isList: false, needed: false, operations, from: 0, end: operations.length, nowMs: now_ms, ...more };
  const learns = wishes.begin(evidence, request);
  const wished = operations.map((one) => wishes.of(one));
  if (learns) for (const one of operations) wishes.answered(one, result, now_ms);
  return wished;
}

it('a reading is wished for once its last results were the same, until it has another one', () => {
  expect([7, 7, 7, 8, 8, 8].map((result) => ask([size('s')], result)[0])).toEqual([0, 0, 1, 1, 0, 1]);
});

it('each key, operation and argument counts for itself', () => {
  const contains = (member: string) => operation('Set.contains', 's', member);
  for (let n = 0; n < EVIDENCE; n++) ask([size('s'), contains('a')], 1);
  expect(ask([size('s'), size('t'), contains('a'), contains('b')], 1)).toEqual([1, 0, 1, 0]);
});

it('results differ by any of their ends', () => {
  for (const [first, second] of [
    ['a long text with an end', 'a long text with one end'],
    [
      ['x', 'y'],
      ['y', 'x'],
    ],
    [1, 1.5],
    [2 ** 40, 2 ** 41],
    [true, false],
    [null, 0],
    [5n, 6n],
  ] as [WireValue, WireValue][]) {
    const key = JSON.stringify(String(first));
    const answers = [first, second, first, second].map((result) => ask([size(key)], result)[0]);
    expect(answers, key).toEqual([0, 0, 0, 0]);
  }
});

it('what was answered more than half a minute ago begins anew', () => {
  for (let n = 0; n < EVIDENCE; n++) ask([size('s')], 7);
  now_ms = 30_001;
  expect([ask([size('s')], 7), ask([size('s')], 7), ask([size('s')], 7)]).toEqual([[0], [0], [1]]);
});

it('a list wishes for all of its readings or for none, and a long one never', () => {
  const list = { isList: true };
  const both = () => [size('s'), size('t')];
  ask([size('s')], 7);
  expect([1, 2, 3].map(() => ask(both(), 7, list))).toEqual([
    [0, 0],
    [0, 0],
    [1, 1],
  ]);
  const long = () => Array.from({ length: 65 }, (_, n) => size(`s${n}`));
  expect([1, 2, 3].flatMap(() => ask(long(), 7, list))).not.toContain(1);
});

it('nothing is wished for with the last changes, nor of an operation that changes something', () => {
  for (let n = 0; n < EVIDENCE; n++) ask([size('s')], 7);
  expect(ask([size('s'), operation('Set.add', 's', 'x')], 7)).toEqual([1, 0]);
  expect(ask([size('s')], 7, { needed: true })).toEqual([0]);
});

it('where nothing of a label recurs, one of its requests in eight is looked at', () => {
  let looked = 0;
  for (let n = 0; n < 16; n++) ask([size(`once ${n}`)], 7);
  for (let n = 0; n < 80; n++) {
    const request = { label: 'L', isList: false, needed: false, operations: [size(`one ${n}`)], from: 0, end: 1, nowMs: 0 };
    if (wishes.begin(EVIDENCE, request)) looked++;
  }
  expect(looked).toBe(10);
});

it('without a need of evidence each reading is wished for; a session that takes none wishes for nothing', () => {
  expect(ask([size('s'), operation('Set.add', 's', 'x')], 7, {}, 0)).toEqual([1, 0]);
  wishes.none();
  expect(wishes.of(size('s'))).toBe(0);
});
