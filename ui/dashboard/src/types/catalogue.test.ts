import { readFileSync } from 'node:fs';
import { Shard, catalogue as coreCatalogue } from '@claret/core';
import { describe, expect, it } from 'vitest';
import { modeLook } from '../chart/modes.ts';
import {
  byTogether,
  conditionsOf,
  countPairs,
  modeOf,
  operationsByMode,
  ruleOf,
  rulingOf,
  type Catalogue,
  type DataType,
  type Operation,
} from './catalogue.ts';
import { kindWords, RULING_WORDS } from './words.ts';

/** The core's own test definitions, installed at a shard. */
function withInstalled(): Catalogue {
  const header = readFileSync(new URL('../../../../server-core/src/composed/test_definitions.h', import.meta.url), 'utf8');
  const times = { sessionLeaseMs: 1, phaseCapMs: 1, woundDelayMs: 1, woundGraceMs: 1, idleMs: 1 };
  const shard = new Shard({
    shard: 0,
    shards: 1,
    incarnation: 1,
    ...times,
    frameBytesMax: 1_000_000,
    outputBytesMax: 1_000_000,
    logged: false,
  });
  for (const [at, [, definition]] of [...header.matchAll(/R"\((\{.*?\})\)";/gs)].entries()) {
    expect(shard.changeType({ id: 128 + at, retired: false, definition: definition! }, 1, 1)).toBeUndefined();
  }
  return JSON.parse(shard.catalogue()) as Catalogue;
}

const { types } = withInstalled();
const builtIn = (JSON.parse(coreCatalogue()) as Catalogue).types;
const named = (name: string): DataType => types.find((type) => type.name === name)!;
const operation = (type: DataType, name: string): Operation => type.operations.find((one) => one.name === name)!;

function eachPair(visit: (type: DataType, first: Operation, second: Operation) => void): void {
  for (const type of types) for (const first of type.operations) for (const second of type.operations) visit(type, first, second);
}

describe('the tables that are drawn from the core’s catalogue', () => {
  it('are those of built-in types, and behind them those of installed ones, which are marked', () => {
    expect(types.filter(({ installed }) => installed !== true).map(({ name }) => name)).toEqual(builtIn.map(({ name }) => name));
    expect(types.slice(builtIn.length).map(({ name, installed }) => [name, installed])).toEqual([
      ['SeatMap', true],
      ['Tally', true],
      ['Tickets', true],
      ['Planner', true],
    ]);
  });

  it('come with those first whose operations share records most', () => {
    const shares = byTogether(types).map((type) => {
      const { all, never } = countPairs(type, 'abstract');
      return (all - never) / all;
    });
    expect(shares).toEqual(shares.toSorted((one, other) => other - one));
    expect(new Set(byTogether(types))).toEqual(new Set(types));
    expect(shares[0]).toBeGreaterThan(shares.at(-1)!);
  });

  it('have one rule for every pair of operations of every type, in either order', () => {
    expect(types.length).toBeGreaterThanOrEqual(10);
    eachPair((type, first, second) => {
      const ruling = rulingOf(type, 'abstract', first, second);
      expect(RULING_WORDS[ruling], `${type.name}: ${first.name}, ${second.name}`).toBeDefined();
      expect(rulingOf(type, 'abstract', second, first)).toBe(ruling);
    });
  });

  it('agree with the paper’s Table 2 and with escrow on known pairs', () => {
    const set = named('Set');
    const said = (first: string, second: string) => rulingOf(set, 'abstract', operation(set, first), operation(set, second));
    expect([said('add', 'add'), said('size', 'add'), said('size', 'size')]).toEqual(['always', 'depends', 'always']);
    const counter = named('Counter');
    const [add, value] = [operation(counter, 'add'), operation(counter, 'value')];
    expect(rulingOf(counter, 'abstract', add, add)).toBe('summed');
    expect(rulingOf(counter, 'abstract', add, value)).toBe('never');
  });

  it('let only readers share under reader/writer locks', () => {
    eachPair((type, first, second) => {
      const bothRead = first.class === 'observe' && second.class === 'observe';
      expect(rulingOf(type, 'rw', first, second)).toBe(bothRead ? 'always' : 'never');
    });
    expect(countPairs(named('Set'), 'rw')).toEqual({ always: 6, never: 22, depends: 0, summed: 0, all: 28 });
  });

  it('number every rule that needs words, once for all of its pairs', () => {
    for (const type of types) {
      const conditions = conditionsOf(type);
      expect(conditions.map(({ number }) => number)).toEqual(conditions.map((_, at) => at + 1));
      const { depends, summed } = countPairs(type, 'abstract');
      expect(conditions.flatMap(({ pairs }) => pairs)).toHaveLength(depends + summed);
      for (const { words, ruling, pairs } of conditions) {
        for (const [first, second] of pairs) {
          expect(ruleOf(type, operation(type, first), operation(type, second))).toMatchObject({ when: words, ruling });
        }
      }
    }
  });

  it('keep operations of one mode side by side', () => {
    for (const type of types) {
      for (const locks of ['abstract', 'rw'] as const) {
        const modes = operationsByMode(type, locks).map((one) => modeOf(locks, one));
        expect(modes).toEqual(modes.toSorted((a, b) => a - b));
      }
    }
  });

  it('have words for every kind of value', () => {
    for (const type of types) {
      for (const one of type.operations) {
        for (const kind of [one.result, ...one.parameters.map((parameter) => parameter.kind)]) {
          expect(kindWords(kind), kind).not.toMatch(/_|^(?:void|boolean|scalars?|texts|entries|scored|ranked|optional)$/);
        }
      }
    }
  });

  it('distinguish the modes of each type without colours', () => {
    for (const { name, modes } of types) expect(new Set(modes.map((mode) => modeLook(mode.name).letters)).size, name).toBe(modes.length);
  });
});
