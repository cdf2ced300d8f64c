import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fromGoogleTest, fromPlaywright, fromTap, fromVitest, processorTimes } from './reports.js';

test('GoogleTest: a disabled test counts as skipped, and each case has its time', () => {
  const one = (name, more) => ({ name, classname: 'Gate', time: '0.25s', result: 'COMPLETED', ...more });
  const testsuite = [one('Opens'), one('Shuts', { failures: [{ failure: 'no' }] }), one('Waits', { result: 'SUPPRESSED' })];
  const report = fromGoogleTest({ testsuites: [{ name: 'Gate', testsuite }] });
  assert.deepEqual(report.tally, { passed: 1, failed: 1, skipped: 1 });
  assert.deepEqual(report.parts[0], { name: 'Gate.Opens', ms: 250 });
});

test('Vitest: a file that does not load counts as one failure', () => {
  const testResults = [
    { status: 'failed', assertionResults: [] },
    { status: 'failed', assertionResults: [{ status: 'passed' }, { status: 'failed' }] },
    { status: 'passed', assertionResults: [{ status: 'passed' }] },
  ];
  const report = { numPassedTests: 2, numFailedTests: 1, numPendingTests: 3, numTodoTests: 1, testResults };
  assert.deepEqual(fromVitest(report).tally, { passed: 2, failed: 2, skipped: 4 });
});

test('Vitest: a file has its path in the project and its time', () => {
  const testResults = [{ name: '/p/client/a.test.ts', status: 'passed', startTime: 1000, endTime: 1500, assertionResults: [] }];
  const report = { numPassedTests: 0, numFailedTests: 0, numPendingTests: 0, numTodoTests: 0, testResults };
  assert.deepEqual(fromVitest(report, '/p').parts, [{ name: 'client/a.test.ts', ms: 500 }]);
  const cpu = processorTimes('["/p/client/a.test.ts",750.5]\n["/p/other.test.ts",1]\n');
  assert.deepEqual(fromVitest(report, '/p', cpu).parts, [{ name: 'client/a.test.ts', ms: 500, cpuMs: 750.5 }]);
});

test('Playwright: a broken set-up counts as failed', () => {
  const stats = { expected: 4, unexpected: 1, flaky: 0, skipped: 2 };
  assert.deepEqual(fromPlaywright({ stats, errors: [{}] }).tally, { passed: 4, failed: 2, skipped: 2 });
});

test('Playwright: the times of a file are added up', () => {
  const stats = { expected: 2, unexpected: 0, flaky: 0, skipped: 0 };
  const spec = (duration) => ({ tests: [{ results: [{ duration }] }] });
  const suites = [{ file: 'a.spec.ts', specs: [spec(100)], suites: [{ file: 'a.spec.ts', specs: [spec(50)] }] }];
  assert.deepEqual(fromPlaywright({ stats, suites }).parts, [{ name: 'a.spec.ts', ms: 150 }]);
});

test('TAP: the counts come from the closing lines, and without them there is no report', () => {
  const tap = 'ok 1 - # pass 100\n  ---\n  duration_ms: 12.5\n  ...\n# tests 9\n# pass 4\n# fail 1\n# cancelled 1\n# skipped 2\n# todo 1\n';
  assert.deepEqual(fromTap(tap), { tally: { passed: 4, failed: 2, skipped: 3 }, parts: [{ name: '# pass 100', ms: 12.5 }] });
  assert.equal(fromTap('TAP version 13\nok 1 - a\n'), null);
});
