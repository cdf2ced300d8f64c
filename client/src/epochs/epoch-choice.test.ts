// How the client chooses between locks and epochs for lists of operations.

import { beforeEach, expect, test } from 'vitest';
import { ClaretError } from '../errors/claret-error.ts';
import { operationSpecs } from '../generated/handles.ts';
import { SteppedEnvironment } from '../testing/stepped-environment.ts';
import { EpochChoice, MEMBER_BYTES_MAX, MEMBER_OPERATIONS_MAX } from './epoch-choice.ts';

let environment: SteppedEnvironment;
let choice: EpochChoice;
let conditions: { locks: string; epochs: string };

beforeEach(() => {
  environment = new SteppedEnvironment();
  conditions = { locks: 'abstract', epochs: 'auto' };
  choice = new EpochChoice(environment, {
    get conditions() {
      return conditions;
    },
    shardOf: (key) => (key.startsWith('one') ? 0 : Number(key.at(-1)) % 2),
  });
});

const set = operationSpecs.get('Register.set')!;
const list = (length: number, stem = 'k', value: unknown = 1) =>
  Array.from({ length }, (_, i) => ({ spec: set, key: stem + i, args: [value] }));

test.each([
  ['31 operations', false, list(31)],
  ['32 operations over several shards', true, list(32)],
  ['255 operations at one shard', false, list(255, 'one')],
  ['256 operations at one shard', true, list(256, 'one')],
  ['more operations than fit into a message', false, list(MEMBER_OPERATIONS_MAX + 1, 'one')],
  ['more bytes than fit into a message', false, list(64, 'one', 'x'.repeat(MEMBER_BYTES_MAX / 64))],
])('before anything is measured, a list of %s goes by epochs: %s', (_, byEpochs, calls) => {
  expect(choice.choose('List', calls, 'auto')?.byEpoch ?? false).toBe(byEpochs);
});

test.each([
  [{ epochs: 'off', locks: 'abstract' }, 'epoch', 1_000, false],
  [{ epochs: 'on', locks: 'none' }, 'epoch', 1_000, false],
  [{ epochs: 'on', locks: 'abstract' }, 'locks', 1_000, false],
  [{ epochs: 'on', locks: 'abstract' }, 'auto', 2, true],
  [{ epochs: 'on', locks: 'abstract' }, 'auto', 1, false],
  [{ epochs: 'auto', locks: 'abstract' }, 'epoch', 1, true],
] as const)('under %o the way %s of %i operations is by epochs: %s', (given, way, length, byEpochs) => {
  conditions = { ...given };
  expect(choice.choose('List', list(length), way)?.byEpoch ?? false).toBe(byEpochs);
});

/** Runs lists that take so long either way, and tells how many went by epochs. */
function run(lists: number, epochsMs: number, locksMs: number): number {
  let byEpochs = 0;
  for (let i = 0; i < lists; i++) {
    const way = choice.choose('List', list(64), 'auto')!;
    environment.pass(way.byEpoch ? epochsMs : locksMs);
    way.committed();
    way.ended();
    byEpochs += Number(way.byEpoch);
  }
  return byEpochs;
}

test('the second list of a label goes the other way, and the faster way is taken from then on', () => {
  expect(run(2, 10, 3)).toBe(1);
  expect(run(20, 10, 3)).toBe(0);
});

test('what is hardly faster does not change the way', () => {
  expect(run(60, 10, 8.5)).toBe(59);
});

test('once the other way has become faster, it is found', () => {
  run(100, 10, 3);
  expect(run(64 * 50, 10, 200)).toBeGreaterThan(64 * 25);
});

test('no more than one list a second goes the slower way to learn', () => {
  run(2, 0.1, 30);
  expect(run(6_400, 0.1, 30)).toBeGreaterThanOrEqual(6_400 - 2);
});

test('each label is measured by itself', () => {
  run(3, 10, 3);
  expect(choice.choose('List', list(64), 'auto')!.byEpoch).toBe(false);
  expect(choice.choose('Other', list(64), 'auto')!.byEpoch).toBe(true);
});

const missed = new ClaretError({ code: 'epoch_missed', message: 'no epoch', cause: 'epoch_missed' });
const wounded = new ClaretError({ code: 'wounded', message: 'a lock', cause: 'wounded' });

test('of lists that no epoch has taken, one at a time takes locks, and the others go on by epochs', () => {
  const [one, two, three] = [1, 2, 3].map(() => choice.choose('List', list(64), 'epoch')!);
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

/** Runs lists that meet a lock after so long, if they take locks, and go on by epochs. Returns how many began by epochs. */
function runAmongLocks(lists: number, epochsMs: number, lockAfterMs: number): number {
  let begunByEpochs = 0;
  for (let i = 0; i < lists; i++) {
    const way = choice.choose('List', list(64), 'auto')!;
    if (way.byEpoch) {
      begunByEpochs++;
    } else {
      environment.pass(lockAfterMs);
      way.failed(wounded);
      expect(way.byEpoch).toBe(true);
    }
    environment.pass(epochsMs);
    way.committed();
    way.ended();
  }
  return begunByEpochs;
}

test('a list that meets a lock goes on by epochs, and what it has lost counts against locks', () => {
  run(2, 10, 3);
  expect(runAmongLocks(40, 10, 20)).toBeGreaterThan(30);
});

test('locks that fail fast are not taken for fast', () => {
  expect(runAmongLocks(40, 10, 2)).toBeGreaterThanOrEqual(39);
});

test('a list that no epoch has taken counts against epochs', () => {
  for (let i = 0; i < 40; i++) {
    const way = choice.choose('List', list(64), 'auto')!;
    if (way.byEpoch) {
      environment.pass(100);
      way.failed(missed);
    }
    environment.pass(3);
    way.committed();
    way.ended();
  }
  expect(choice.choose('List', list(64), 'auto')!.byEpoch).toBe(false);
});

test('a list that fails for another reason stays on its way', () => {
  run(2, 10, 3);
  const way = choice.choose('List', list(64), 'auto')!;
  way.failed(new ClaretError({ code: 'shard_unavailable', message: 'gone', cause: 'unreachable' }));
  expect(way.byEpoch).toBe(false);
});

test('all lists take locks once epochs are off', () => {
  const ways = [1, 2].map(() => choice.choose('List', list(64), 'epoch')!);
  for (const way of ways) way.failed(new ClaretError({ code: 'condition_changed', message: 'off', cause: 'condition_changed' }));
  expect(ways.map(({ byEpoch }) => byEpoch)).toEqual([false, false]);
});
