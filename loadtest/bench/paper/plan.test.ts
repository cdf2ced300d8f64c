import { expect, it } from 'vitest';
import { Pace, WARM_SHARE } from './pace.ts';
import { cellsIn, planOf } from './plan.ts';
import { POINTS } from './points.ts';
import { Progress, duration } from '../../kit/progress.ts';
import type { TraceRow } from './raw.ts';
import { nameOf } from './resume.ts';
import type { Settings } from './settings.ts';
import { tracePlan, traceSeconds } from './trace-plan.ts';

const settings: Settings = {
  points: POINTS.slice(0, 2),
  sendings: ['interactive', 'one-shot'],
  clients: [8, 64],
  conditions: ['rw', 'abstract', 'none'],
  rounds: 2,
  shards: 1,
  drivers: 1,
  deferral: true,
  poll: 0,
  seed: 1,
  retwisScale: 4,
  rubisItems: 10,
  seconds: null,
  minutes: 1,
  quick: false,
  folder: '',
  json: undefined,
  profile: null,
  fresh: false,
  noted: {},
};

it('every cell is planned once, with the conditions of a group together and in another order in each round', () => {
  const blocks = planOf(settings, new Set());
  expect(blocks.map(({ point, round }) => [point.name, round])).toEqual([
    ['alpha=0.2 update=0.5', 0],
    ['alpha=0.4 update=0.5', 0],
    ['alpha=0.2 update=0.5', 1],
    ['alpha=0.4 update=0.5', 1],
  ]);
  expect(cellsIn(blocks)).toBe(2 * 2 * 2 * 3 * 2);
  expect(blocks[0]!.groups[0]!.conditions).toEqual(['rw', 'abstract', 'none']);
  expect(blocks[2]!.groups[0]!.conditions).toEqual(['abstract', 'none', 'rw']);
});

it('measured cells are omitted, and blocks without remaining cells with them', () => {
  const all = planOf(settings, new Set());
  const names = all.flatMap(({ point, round, groups }) =>
    groups.flatMap(({ sending, clients, conditions }) =>
      conditions.map((condition) => nameOf({ workload: point.workload, point: point.name, sending, clients, condition, round })),
    ),
  );
  expect(new Set(names).size).toBe(cellsIn(all));
  const left = planOf(settings, new Set(names.slice(0, 13)));
  expect(cellsIn(left)).toBe(cellsIn(all) - 13);
  expect(left).toHaveLength(3);
  expect(planOf(settings, new Set(names))).toEqual([]);
});

it('traces cover the chosen conditions without a trace, if rubis bid-heavy is among the points', () => {
  const rubis: Settings = { ...settings, points: POINTS, conditions: ['rw', 'rw+phasing', 'none'], seed: 7, poll: 300 };
  const there: TraceRow = { kind: 'trace', condition: 'none', round: 0, window_s: 1, txn_per_s: [1], closings: [] };
  expect(tracePlan(rubis, [])).toMatchObject({ conditions: ['rw+phasing', 'none'], seed: 7, poll_us: 300, items: 10 });
  expect(tracePlan(rubis, [there])).toMatchObject({ conditions: ['rw+phasing'] });
  expect(tracePlan(rubis, [there, { ...there, condition: 'rw+phasing' }])).toBeNull();
  expect(tracePlan(settings, [])).toBeNull();
  expect(tracePlan({ ...rubis, quick: true }, [])).toMatchObject({ conditions: ['rw+phasing'], seconds: 10, warm_seconds: 1 });
  expect(traceSeconds(tracePlan({ ...rubis, quick: true }, []))).toBe(16);
  expect(traceSeconds(null)).toBe(0);
});

it('cells measure as long as time allows, and shorter if the overhead turns out larger', () => {
  const pace = new Pace(1000, { longest: 10 });
  let now = 0;
  let left = { cells: 100, blocks: 10 };
  const first = pace.span(now, left);
  expect(first).toBeGreaterThan(5);
  for (let block = 0; block < 10; block++) {
    now += 10;
    left = { ...left, blocks: left.blocks - 1 };
    pace.blockTook(10);
    for (let cell = 0; cell < 10; cell++) {
      const span = pace.span(now, left);
      const took = span * (1 + WARM_SHARE) + 1;
      now += took;
      pace.cellTook(took, span);
      left = { ...left, cells: left.cells - 1 };
    }
    expect(now + pace.left(now, left)).toBeLessThan(1020);
  }
  expect(now).toBeGreaterThan(950);
  expect(now).toBeLessThan(1020);
  expect(new Pace(0, { fixed: 3 }).span(50, left)).toBe(3);
});

it('progress rewrites its line on a terminal, and prints one now and then elsewhere', () => {
  const seen = (isTTY: boolean) => {
    let nowMs = 0;
    let text = '';
    const progress = new Progress({ isTTY, columns: 10, write: (more) => void (text += more) }, () => nowMs);
    for (const word of ['one', 'two', 'a long three']) {
      progress.show(word);
      nowMs += 10_000;
    }
    progress.end();
    return text;
  };
  expect(seen(true)).toBe('\r\u001b[Kone\r\u001b[Ktwo\r\u001b[Ka long th\r\u001b[K');
  expect(seen(false)).toBe('one\na long three\n');
  expect([40.4, 89, 600, 3900].map(duration)).toEqual(['40 s', '89 s', '10 min', '1 h 5 min']);
});
