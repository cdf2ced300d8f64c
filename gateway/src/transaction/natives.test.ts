// Natives of a caller that has gone, by a client of real shards. rest/records.test.ts and grpc/grpc.test.ts have the rest.
import { Scope, type Claret } from '@claret/client';
import { inProcessCluster, type InProcessCluster } from '@claret/client/testing';
import { catalogue } from '@claret/core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Catalogue } from './catalogue.ts';
import { Natives } from './natives.ts';

let cluster: InProcessCluster;
let claret: Claret;
let natives: Natives;
beforeAll(async () => {
  cluster = await inProcessCluster();
  claret = await cluster.connect();
  natives = new Natives(claret, new Catalogue(catalogue()));
});
afterAll(() => cluster.stop());

const ADD = { key: 'gone', type: 'counter', operation: 'add', arguments: [1] };

function calledOff(): Scope {
  const scope = new Scope();
  scope.callOff();
  return scope;
}

test.each([
  ['has called off its call', calledOff],
  ['has a deadline that is over', () => new Scope(performance.now() - 1)],
])('nothing is sent for a caller that %s', async (_name, scopeOf) => {
  const refused = { code: 'called_off', detail: {}, retryable: false };
  await expect(natives.perform(ADD, scopeOf())).rejects.toMatchObject(refused);
  await expect(natives.read({ ...ADD, operation: 'value', arguments: [] }, scopeOf())).rejects.toMatchObject(refused);
  const operation = { key: 'gone', code: 0, name: 'Counter.add', arguments: [1] };
  await expect(natives.runFromWire([operation], scopeOf())).rejects.toMatchObject(refused);
  expect(claret.counters.natives).toBe(0);
});
