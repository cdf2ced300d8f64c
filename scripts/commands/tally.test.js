import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fromCtest, fromPlaywright, fromTap, fromVitest, judge, line, sum } from './tally.js';

const FINE = { code: 0, timedOut: false };
const CRASHED = { code: 139, timedOut: false };

test('CTest: a disabled test counts as skipped, a crash as failed', () => {
  const xml = '<?xml version="1.0"?>\n<testsuite name="x"\n\ttests="5"\n\tfailures="2"\n\tdisabled="1"\n\tskipped="1"\n\ttime="0"\n\t>';
  assert.deepEqual(fromCtest(xml), { passed: 1, failed: 2, skipped: 2 });
  assert.equal(fromCtest('half a fi'), null);
});

test('Vitest: a file that does not load counts as one failure', () => {
  const testResults = [
    { status: 'failed', assertionResults: [] },
    { status: 'failed', assertionResults: [{ status: 'passed' }, { status: 'failed' }] },
    { status: 'passed', assertionResults: [{ status: 'passed' }] },
  ];
  const report = { numPassedTests: 2, numFailedTests: 1, numPendingTests: 3, numTodoTests: 1, testResults };
  assert.deepEqual(fromVitest(report), { passed: 2, failed: 2, skipped: 4 });
});

test('Vitest: a test that passed at its second try is named', () => {
  const assertionResults = [
    { status: 'passed', fullName: 'a cluster starts', failureMessages: ['timed out'] },
    { status: 'passed', fullName: 'a cluster ends', failureMessages: [] },
  ];
  const report = {
    numPassedTests: 2,
    numFailedTests: 0,
    numPendingTests: 0,
    numTodoTests: 0,
    testResults: [{ status: 'passed', assertionResults }],
  };
  assert.deepEqual(fromVitest(report), { passed: 2, failed: 0, skipped: 0, why: 'passed at the second try: a cluster starts' });
});

test('Playwright: a broken set-up counts as failed, and a test that passed at its second try is named', () => {
  const stats = { expected: 4, unexpected: 1, flaky: 1, skipped: 2 };
  const flaky = { title: 'a page', tests: [{ status: 'flaky' }] };
  const suites = [{ suites: [{ specs: [flaky, { title: 'another page', tests: [{ status: 'expected' }] }] }] }];
  assert.deepEqual(fromPlaywright({ stats, suites, errors: [{}] }), {
    passed: 5,
    failed: 2,
    skipped: 2,
    why: 'passed at the second try: a page',
  });
  assert.deepEqual(fromPlaywright({ stats: { ...stats, flaky: 0 } }), { passed: 4, failed: 1, skipped: 2 });
});

test('TAP: the counts come from the closing lines, and without them there is no report', () => {
  const tap = 'ok 1 - # pass 100\n# tests 9\n# pass 4\n# fail 1\n# cancelled 1\n# skipped 2\n# todo 1\n';
  assert.deepEqual(fromTap(tap), { passed: 4, failed: 2, skipped: 3 });
  assert.equal(fromTap('TAP version 13\nok 1 - a\n'), null);
});

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
