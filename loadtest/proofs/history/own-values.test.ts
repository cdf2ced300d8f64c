// The models of values, locals and loops against the real core.

import { beforeAll, expect, it } from 'vitest';
import { freshSeed } from '@claret/client/testing';
import { readDefinition } from '@claret/core';
import { Chance } from '../../kit/random.ts';
import { checkHistory } from './check.ts';
import { checkLinear } from './linear.ts';
import { addDefinition } from './models/index.ts';
import { mutations } from './testing-mutations.ts';
import { ownTypesHistory } from './testing-own-types.ts';
import { Desk } from './testing-values.ts';

const seeds = Number(process.env['CLARET_SEEDS'] ?? 3);
/** A core that does not know values yet refuses the definition. */
const isKnown = !('problem' in readDefinition(Desk.definition));
beforeAll(() => void addDefinition(Desk.definition));

it.runIf(isKnown)('the core and the model give the same results', { timeout: 300_000 }, async () => {
  const ran = new Set<string>();
  for (let i = 0; i < seeds; i++) {
    const seed = freshSeed();
    const history = await ownTypesHistory(seed, new Chance(seed), [Desk]);
    expect(checkHistory(history).violations, `SEED=${seed}`).toEqual([]);
    expect(checkLinear(history).violations, `SEED=${seed}`).toEqual([]);
    for (const { outcome, ops } of history) if (outcome === 'ok') for (const { op } of ops) ran.add(op);
  }
  expect([...Desk.specs.keys()].filter((op) => !ran.has(op))).toEqual([]);
});

it.runIf(isKnown)('two results that are swapped are found', { timeout: 300_000 }, async () => {
  let [made, found] = [0, 0];
  for (let seed = 1; seed <= seeds; seed++) {
    const random = new Chance(seed);
    const history = structuredClone(await ownTypesHistory(seed, random, [Desk]));
    if (!mutations['two results swapped']!(history, random)) continue;
    made++;
    const { ok, explained } = checkHistory(history);
    if (!ok || explained > 0) found++;
  }
  expect(made).toBeGreaterThan(0);
  expect(found).toBe(made);
});
