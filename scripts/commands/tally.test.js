import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judge, line, sum } from './tally.js';

const FINE = { code: 0, timedOut: false };
const CRASHED = { code: 139, timedOut: false };

test('a runner that crashed, hung, wrote nothing or ran nothing counts as failed', () => {
  const passed = { passed: 7, failed: 0, skipped: 0 };
  assert.equal(judge(passed, FINE).failed, 0);
  assert.equal(judge(passed, CRASHED).failed, 1);
  assert.equal(judge(passed, { code: 124, timedOut: true }).failed, 1);
  assert.equal(judge(null, FINE).failed, 1);
  assert.equal(judge({ passed: 0, failed: 0, skipped: 0 }, FINE).failed, 1);
});

test('failures that the runner counted are not counted twice', () => {
  assert.equal(judge({ passed: 7, failed: 2, skipped: 0 }, { code: 1, timedOut: false }).failed, 2);
});

test('the closing line adds up the sections', () => {
  const total = sum([
    { passed: 1, failed: 0, skipped: 2 },
    { passed: 3, failed: 1, skipped: 0, why: 'x' },
  ]);
  assert.equal(line(total), '4 passed, 1 failed, 2 skipped');
});
