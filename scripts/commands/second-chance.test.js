import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { FILES_MAX, withSecondChance } from './second-chance.js';

const folder = mkdtempSync(join(tmpdir(), 'claret-second-'));
after(() => rmSync(folder, { recursive: true }));
const file = (name, text = '') => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const slow = file('slow.test.js', 'test("waits for a process", …)');
const failed = (files, why) => ({ tally: { passed: 7, failed: 1, skipped: 2, ...(why ? { why } : {}) }, output: 'first', files });
const passed = { tally: { passed: 1, failed: 0, skipped: 0 }, output: 'second', files: [] };
const never = () => assert.fail('it must not run again');

test('a file that passes alone is named, and its first output is kept', async () => {
  const asked = [];
  const { tally, output } = await withSecondChance(failed([slow]), async (files) => (asked.push(...files), passed));
  assert.deepEqual(asked, [slow]);
  assert.deepEqual([tally.passed, tally.failed, tally.skipped, tally.retried], [8, 0, 2, true]);
  assert.match(tally.why, /second try: .*slow\.test\.js/);
  assert.equal(output, 'first');
});

test('a file that fails again fails, with both outputs', async () => {
  const { tally, output } = await withSecondChance(failed([slow]), async () => ({ ...failed([slow]), output: 'second' }));
  assert.equal(tally.failed, 1);
  assert.match(output, /first[^]*second/);
});

test('a file with random seeds has no second chance', async () => {
  const random = file('random.test.js', 'const seed = freshSeed();');
  assert.equal((await withSecondChance(failed([slow, random]), never)).tally.failed, 1);
});

test('many failures, a broken runner and a run without failures end as they are', async () => {
  const many = failed(Array.from({ length: FILES_MAX + 1 }, (_, i) => file(`${i}.test.js`)));
  for (const run of [many, failed([]), failed([slow], 'took too long and was stopped'), passed]) {
    assert.equal(await withSecondChance(run, never), run);
  }
});
