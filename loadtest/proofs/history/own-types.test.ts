// The models of types of an application's own, derived from their definitions, against the real core; and what the check makes of histories with such
// types, right and wrong.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HistoryAttempt } from '@claret/client';
import { freshSeed } from '@claret/client/testing';
import { Chance } from '../../kit/random.ts';
import { checkHistory } from './check.ts';
import { committedOf } from './committed.ts';
import { checkLinear } from './linear.ts';
import { addDefinition, changes, hasModel, modelOf } from './models/index.ts';
import { replay } from './replay.ts';
import { mutations } from './testing-mutations.ts';
import { OWN_TYPES, ownTypesHistory } from './testing-own-types.ts';

const seeds = Number(process.env['CLARET_SEEDS'] ?? 3);
/** The share of mistakes that are found needs so many histories. */
const HISTORIES_MIN = 8;
/** So many copies of each history get a mistake. The check takes long for each, since it has to refute every other order. */
const COPIES = 2;
/** until each operation has been seen */
const SEEDS_MAX = 30;
beforeAll(() => {
  for (const { definition, name } of OWN_TYPES) expect(addDefinition(definition)).toBe(name);
});

const at = (order: number, ops: HistoryAttempt['ops']): HistoryAttempt => ({
  id: String(order),
  transaction: String(order),
  process: 'p',
  label: 'T',
  call: order,
  return: order + 0.5,
  outcome: 'ok',
  order: String(order),
  ops,
});
const seat = (op: string, args: string[], result?: number | string | null) => ({
  key: 'hall',
  type: 'SeatMap',
  op,
  args: op === 'open' ? [args[0]!, Number(args[1])] : args,
  ...(result === undefined ? {} : { result }),
});

describe('the model of a type of the application', () => {
  it('gives the results of the core', { timeout: 300_000 }, async () => {
    const ran = new Map<string, number>();
    const all = OWN_TYPES.flatMap(({ name, specs }) => [...specs.keys()].map((op) => `${name}.${op}`));
    const unseen = () => all.filter((name) => !ran.has(name));
    for (let i = 0; i < seeds || (i < SEEDS_MAX && unseen().length > 0); i++) {
      const seed = freshSeed();
      const history = await ownTypesHistory(seed, new Chance(seed));
      const committed = history
        .filter(({ outcome }) => outcome === 'ok')
        .map((attempt) => committedOf(attempt, attempt.order!, new Set()))
        .sort((a, b) => (a.at < b.at ? -1 : 1));
      expect(
        replay(committed, () => {}),
        `SEED=${seed}`,
      ).toEqual([]);
      expect(checkHistory(history).violations, `SEED=${seed}`).toEqual([]);
      expect(checkLinear(history).violations, `SEED=${seed}`).toEqual([]);
      for (const { attempt } of committed)
        for (const { type, op } of attempt.ops) ran.set(`${type}.${op}`, (ran.get(`${type}.${op}`) ?? 0) + 1);
    }
    expect(unseen()).toEqual([]);
  });

  it('knows what changes a record, and that copies do not change each other', () => {
    expect(['open', 'left'].map((op) => changes('SeatMap', op))).toEqual([true, false]);
    const first = modelOf('SeatMap');
    first.commit('open', ['A', 2], undefined);
    const second = first.clone();
    expect(second.equals(first)).toBe(true);
    first.commit('reserve', ['A', 'A1', 'ann'], undefined);
    second.commit('reserve', ['A', 'A2', 'bob'], undefined);
    expect(second.equals(first)).toBe(false);
    expect([first, second].map((hall) => hall.execute('guest', ['A1'], []))).toEqual(['ann', null]);
    expect([first, second].map((hall) => hall.execute('left', ['A'], []))).toEqual([1, 1]);
  });

  it('is refused for what is no definition', () => {
    expect(() => addDefinition('{}')).toThrow('no definition');
    expect(() => addDefinition(OWN_TYPES[0]!.definition.replace('"SeatMap"', '"Set"'))).toThrow('built-in');
    expect(() => addDefinition(OWN_TYPES[0]!.definition.replace('"Dict"', '"Nothing"'))).toThrow('no model of Nothing');
    expect(hasModel('Nothing')).toBe(false);
  });
});

describe('a wrong history', () => {
  const opened = at(1, [seat('open', ['A', '2'])]);
  const ann = at(2, [seat('reserve', ['A', 'A1', 'ann'])]);

  it.each([
    ['a seat that is reserved twice', [at(3, [seat('reserve', ['A', 'A1', 'bob'])])], 'should have been refused'],
    [
      'a section that is sold beyond its last seat',
      [at(3, [seat('reserve', ['A', 'A2', 'b'])]), at(4, [seat('reserve', ['A', 'A3', 'c'])])],
      'refused',
    ],
    ['an answer that misses a reservation', [at(3, [seat('left', ['A'], 2)])], 'in timestamp order it is 1'],
    ['another guest', [at(3, [seat('guest', ['A1'], 'bob')])], 'in timestamp order it is "ann"'],
  ])('is found: %s', (_what, more, text) => {
    const history = [opened, ann, ...more];
    expect(checkHistory(history).violations.map(({ rule }) => rule)).toContain('result');
    expect(checkHistory(history).violations[0]!.text).toContain(text);
    expect(checkLinear(history).violations).toHaveLength(1);
  });

  const histories: HistoryAttempt[][] = [];
  beforeAll(async () => {
    for (let seed = 1; seed <= Math.max(HISTORIES_MIN, seeds); seed++) histories.push(await ownTypesHistory(seed, new Chance(seed)));
  }, 300_000);

  it.each(['two results swapped', 'timestamps of two that conflict exchanged'])(
    'is found in histories of real clusters: %s',
    { timeout: 300_000 },
    (name) => {
      let [made, found, explained] = [0, 0, 0];
      for (const [index, history] of histories.entries()) {
        const random = new Chance(index + 1);
        for (let i = 0; i < COPIES; i++) {
          const copy = structuredClone(history);
          if (!mutations[name]!(copy, random)) continue;
          made++;
          const verdict = checkHistory(copy);
          if (!verdict.ok) found++;
          else if (verdict.explained > 0) explained++;
        }
      }
      expect(made).toBeGreaterThan(histories.length);
      console.log(`${name}: ${found} of ${made} found, ${explained} explained by another order`);
      expect(found / (made - explained)).toBeGreaterThanOrEqual(0.9);
    },
  );
});

describe('npm run history', () => {
  const MAIN = fileURLToPath(new URL('main.ts', import.meta.url));
  const folder = mkdtempSync(join(tmpdir(), 'claret-own-types-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const run = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, ...args], { encoding: 'utf8' });
    return { status, said: stdout + stderr };
  };
  const counter = { key: 'n', type: 'Counter', op: 'add', args: [1] };
  const history = [at(1, [seat('open', ['A', '2']), counter]), at(2, [seat('left', ['A'], 5), counter])];
  const path = file('history', history.map((attempt) => JSON.stringify(attempt)).join('\n'));

  it('says which operations it does not check, and checks them with the definitions of their types', () => {
    const unchecked = run(path);
    expect(unchecked).toMatchObject({ status: 0, said: expect.stringContaining('SeatMap: 2 operations are not checked') });
    expect(unchecked.said).toContain('2 attempts, 2 committed, 2 operations');
    const { definition } = OWN_TYPES[0]!;
    for (const text of [definition, JSON.stringify({ id: 128, name: 'SeatMap', definition }), JSON.stringify([definition])]) {
      const checked = run('--types', file('types', text), path);
      expect([checked.status, checked.said]).toEqual([1, expect.stringContaining('in timestamp order it is 2')]);
      expect(checked.said).not.toContain('not checked');
    }
  });

  it('refuses a file that has no definition', () => {
    expect(run('--types', file('none', '{}'), path)).toMatchObject({ status: 2, said: expect.stringContaining('no definition') });
  });
});
