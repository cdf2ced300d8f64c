// Installed types in the simulation: they are changed while transactions run, and what is wrong with them is found.
import { expect, test } from 'vitest';
import { ClaretError } from '@claret/client';
import type { HistoryAttempt } from '@claret/client';
import { WRONG_WORKLOADS } from '../../workloads/index.ts';
import { ownTypes } from '../../workloads/own-types.ts';
import { run } from '../run.ts';
import { Chance } from '../../../kit/random.ts';
import { Refusals } from '../../workloads/types/refusals.ts';

const MINUTES = 0.1;
const SEEDS_MAX = 10;

test('versions, a retired type and an added operation come while transactions run', async () => {
  const seen = new Set<string>();
  const note = ({ outcome, error, ops }: HistoryAttempt) => {
    if (outcome === 'ok') for (const { type, op } of ops) seen.add(`${type}.${op}`);
    else if (error !== undefined) seen.add(error);
  };
  let changes = 0;
  for (const seed of [1, 2]) {
    const { violations, typeChanges } = await run({ seed, minutes: MINUTES, plan: 'crashes', workload: 'own-types', onAttempt: note });
    expect(violations).toEqual([]);
    changes += typeChanges;
  }
  expect(changes).toBeGreaterThan(20);
  expect([...seen]).toEqual(
    expect.arrayContaining([
      ...['SeatMap.open', 'SeatMap.reserve', 'SeatMap.giveBack', 'SeatMap.left', 'SeatMap.atLeast', 'SeatMap.move', 'SeatMap.guest'],
      ...['RateLimiter.allow', 'RateLimiter.left', 'Leaderboard.score', 'Leaderboard.top', 'Leaderboard.rank', 'Leaderboard.points'],
      ...['SeatMap.taken', 'SeatMap.free', 'below_bound', 'unknown_type', 'type_retired'],
    ]),
  );
});

test.each(WRONG_WORKLOADS)('the workload $name is found wrong', async ({ name }) => {
  let seed = 0;
  let rule: string | undefined;
  while (rule === undefined && seed < SEEDS_MAX) {
    rule = (await run({ seed: ++seed, minutes: MINUTES, plan: 'calm', workload: name })).violations[0]?.rule;
  }
  console.log(`${name}: ${seed} of ${SEEDS_MAX} seeds, by the rule "${rule}"`);
  expect(['result', 'order', 'linear', 'snapshot', 'own types']).toContain(rule);
});

test('a refusal without a reason is blamed', () => {
  const { types } = 'begin' in ownTypes ? ownTypes.begin(new Chance(1)) : ownTypes;
  const blamed: string[] = [];
  let nowMs = 0;
  const refusals = new Refusals(
    types!,
    () => nowMs,
    (_rule, text) => void blamed.push(text.split(' was refused with ')[1]!.split(':')[0]!),
  );
  const refused = (code: string, key: string, operation?: string) =>
    refusals.judge(new ClaretError({ code: code as 'gave_up', message: '', key, ...(operation !== undefined && { operation }) }), nowMs);
  refused('unknown_type', 'hall:0');
  refused('unknown_operation', 'hall:0');
  refused('SeatMap.taken', 'hall:0', 'SeatMap.reserve');
  refused('gave_up', 'hall:0', 'SeatMap.reserve');
  refused('session_lost', 'hall:0', 'SeatMap.left');
  expect(blamed).toEqual([]);
  for (const [i, type] of types!.first.entries()) {
    nowMs = i;
    refusals.confirmed(type);
  }
  nowMs = 10;
  refused('unknown_operation', 'hall:0');
  refusals.asked({ retire: 'Leaderboard' });
  refused('type_retired', 'board:0');
  expect(blamed).toEqual([]);
  refused('unknown_type', 'hall:0');
  refused('SeatMap.taken', 'hall:0', 'SeatMap.giveBack');
  refused('type_retired', 'limiter:0');
  refused('wrong_type', 'hall:0', 'SeatMap.reserve');
  expect(blamed).toEqual(['unknown_type', 'SeatMap.taken', 'type_retired', 'wrong_type']);
});
