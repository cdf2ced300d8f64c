// Natives of a request against real shards, one of which can be stopped.
import { Scope, type Claret } from '@claret/client';
import { inProcessCluster, type InProcessCluster } from '@claret/client/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { RequestProblem } from '../problem.ts';
import { withinScope } from './natives.ts';

let cluster: InProcessCluster;
let claret: Claret;

beforeEach(async () => {
  cluster = await inProcessCluster();
  claret = await cluster.connect();
});
afterEach(() => cluster.stop());

const scopeOfMs = (ms: number) => new Scope(performance.now() + ms);
const read = () => claret.native.counter('a').value();
const change = () => claret.native.counter('a').add(1);
const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => error,
  );

test('A native is answered as it is without a scope', async () => {
  const scope = scopeOfMs(60_000);
  expect(await withinScope(scope, true, change)).toBeUndefined();
  expect([await withinScope(scope, false, read), scope.underWay, scope.changed]).toEqual([1, 0, true]);
  expect(await failureOf(withinScope(scope, false, () => claret.native.set('a').size()))).toMatchObject({ code: 'wrong_type' });
  expect(await withinScope(new Scope(), false, read)).toBe(1);
});

test('At the deadline a read is answered that the store is busy, and a change that its outcome is unknown', async () => {
  cluster.hosts[0]!.stop();
  const scope = scopeOfMs(50);
  const failures = await Promise.all([failureOf(withinScope(scope, false, read)), failureOf(withinScope(scope, true, change))]);
  expect(failures).toMatchObject([{ code: 'busy', extras: { retry_after_s: 1 } }, { code: 'outcome_unknown' }]);
  for (const failure of failures) expect(failure).toBeInstanceOf(RequestProblem);
  expect([scope.underWay, scope.changed]).toEqual([0, true]);
});

test('A read that is called off is not waited for any more, and none begins after that', async () => {
  cluster.hosts[0]!.stop();
  const scope = scopeOfMs(60_000);
  const reading = failureOf(withinScope(scope, false, read));
  expect(scope.underWay).toBe(1);
  scope.callOff();
  expect([scope.underWay, await reading]).toMatchObject([0, { code: 'called_off' }]);
  const natives = claret.counters.natives;
  expect(await failureOf(withinScope(scope, false, read))).toMatchObject({ code: 'called_off' });
  expect(claret.counters.natives).toBe(natives);
});
