// How the client chooses between locks and epochs for lists of operations.

import { beforeEach, expect, test } from 'vitest';
import { ClaretError } from '../errors/claret-error.ts';
import { operationSpecs } from '../generated/handles.ts';
import type { Call } from '../values/call.ts';
import { OPERATIONS_PER_REQUEST_MAX } from '../values/limits.ts';
import { EpochChoice, MEMBER_BYTES_MAX, type Way } from './epoch-choice.ts';

let nowMs: number;
let choice: EpochChoice;

/** What is drawn of a list: it goes the other way, to learn, or not. */
const [LEARNS, KEEPS] = [0, 0.5];
let draws: number;

beforeEach(() => {
  draws = KEEPS;
  nowMs = 0;
  choice = new EpochChoice((key) => (key.startsWith('one') ? 0 : Number(key.at(-1)) % 2));
});

const choose = (calls: readonly Call[], way: Way = 'auto', label = 'List') =>
  choice.choose({ label, list: calls, way }, nowMs, { random: () => draws });

const set = operationSpecs.get('Register.set')!;
const list = (length: number, stem = 'k', value: unknown = 1) =>
  Array.from({ length }, (_, i) => ({ spec: set, key: stem + i, args: [value] }));

test.each([
  ['31 operations', false, list(31)],
  ['32 operations over several shards', true, list(32)],
  ['255 operations at one shard', false, list(255, 'one')],
  ['256 operations at one shard', true, list(256, 'one')],
  ['more operations than fit into a message', false, list(OPERATIONS_PER_REQUEST_MAX + 1, 'one')],
  ['more bytes than fit into a message', false, list(64, 'one', 'x'.repeat(MEMBER_BYTES_MAX / 64))],
])('before anything is measured, a list of %s goes by epochs: %s', (_, byEpochs, calls) => {
  expect(choose(calls)?.byEpoch ?? false).toBe(byEpochs);
});

test.each([
  ['locks', 1_000, false],
  ['epoch', 1, true],
  ['epoch', 0, false],
] as const)('the way %s of %i operations is by epochs: %s', (way, length, byEpochs) => {
  expect(choose(list(length), way)?.byEpoch ?? false).toBe(byEpochs);
});

/** Runs one list after the other, which take so long either way, and tells how many went by epochs. */
function run(lists: number, epochsMs: number, locksMs: number): number {
  let byEpochs = 0;
  for (let i = 0; i < lists; i++) {
    const way = choose(list(64))!;
    nowMs += way.byEpoch ? epochsMs : locksMs;
    way.committed(nowMs);
    way.ended();
    byEpochs += Number(way.byEpoch);
  }
  return byEpochs;
}

test('each label is measured by itself', () => {
  run(1, 10, 3);
  draws = LEARNS;
  run(1, 10, 3);
  draws = KEEPS;
  expect(choose(list(64))!.byEpoch).toBe(false);
  expect(choose(list(64), 'auto', 'Other')!.byEpoch).toBe(true);
});

const missed = new ClaretError({ code: 'epoch_missed', message: 'no epoch', cause: 'epoch_missed' });
const wounded = new ClaretError({ code: 'wounded', message: 'a lock', cause: 'wounded' });

test('of lists that no epoch has taken, one at a time takes locks, and the others go on by epochs', () => {
  const [one, two, three] = [1, 2, 3].map(() => choose(list(64), 'epoch')!);
  for (const way of [one, two]) way!.failed(missed);
  expect([one!.byEpoch, two!.byEpoch]).toEqual([false, true]);
  one!.failed(wounded);
  expect(one!.byEpoch).toBe(false);
  two!.failed(new ClaretError({ code: 'shard_unavailable', message: 'gone', cause: 'unreachable' }));
  expect(two!.byEpoch).toBe(true);
  one!.ended();
  three!.failed(missed);
  expect(three!.byEpoch).toBe(false);
});

test('a list that meets a lock goes on by epochs, and what it has lost counts against locks', () => {
  run(1, 10, 3);
  draws = LEARNS;
  const way = choose(list(64))!;
  expect(way.byEpoch).toBe(false);
  way.failed(wounded);
  expect(way.byEpoch).toBe(true);
  nowMs += 20;
  way.committed(nowMs);
  way.ended();
  draws = KEEPS;
  expect(run(20, 10, 3)).toBe(20);
});

test('a list that no epoch has taken counts against epochs', () => {
  draws = LEARNS;
  run(1, 10, 8);
  draws = KEEPS;
  const way = choose(list(64))!;
  expect(way.byEpoch).toBe(true);
  way.failed(missed);
  expect(way.byEpoch).toBe(false);
  nowMs += 100;
  way.committed(nowMs);
  way.ended();
  expect(choose(list(64))!.byEpoch).toBe(false);
});

test('a list that takes locks and fails for another reason stays on its way', () => {
  draws = LEARNS;
  const way = choose(list(64))!;
  expect(way.byEpoch).toBe(false);
  way.failed(new ClaretError({ code: 'shard_unavailable', message: 'gone', cause: 'unreachable' }));
  expect(way.byEpoch).toBe(false);
});
