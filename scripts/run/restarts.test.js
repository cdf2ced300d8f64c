import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RESTART_LIMITS, Restarts } from './restarts.js';

const CRASHED = { code: 1 };
const KILLED = { code: null };

test('the pause doubles with each death within a minute, up to its limit', () => {
  const restarts = new Restarts();
  const pauses = [0, 1, 2, 3, 4, 5, 6].map((second) => restarts.after(KILLED, 1_000 * second).againInMs);
  assert.deepEqual(pauses, [200, 400, 800, 1_600, 3_200, 5_000, 5_000]);
});

test('a process that has been up for a minute starts over with the shortest pause', () => {
  const restarts = new Restarts();
  for (let deaths = 0; deaths < 20; ++deaths) {
    assert.deepEqual(restarts.after(CRASHED, 60_000 * deaths), { againInMs: 200, givenUp: null });
  }
});

test('a process that dies too often within a minute is given up', () => {
  const restarts = new Restarts();
  const verdicts = Array.from({ length: RESTART_LIMITS.deathsMax }, (_, at) => restarts.after(CRASHED, 8_000 * at));
  assert.deepEqual(verdicts.pop(), { againInMs: null, givenUp: 'unsteady' });
  assert.ok(verdicts.every(({ givenUp }) => givenUp === null));
});

test('a process that refuses to run is given up at once', () => {
  assert.deepEqual(new Restarts().after({ code: 2 }, 0), { againInMs: null, givenUp: 'refused' });
});
