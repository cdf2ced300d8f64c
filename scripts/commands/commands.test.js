import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { Problem } from '../run/problem.js';
import { rowsOf, tableOf } from './bench-core.js';
import { benchmarks } from './bench.js';
import { forget } from '../kept-data.js';
import { readOptions, usage } from './start.js';
import { scriptTests } from './sections.js';
import { testLong } from './test-long.js';
import { chosen, runSections } from './test.js';

const sectionsOf = (...args) => chosen(args).map(({ section, filters }) => [section, ...filters].join(' '));

test('without arguments every section runs', () => {
  assert.deepEqual(sectionsOf(), ['ts', 'browser', 'scripts', 'check', 'cpp', 'sim']);
});

test('a path is passed to the runner of the tests in it', () => {
  assert.deepEqual(sectionsOf('client'), ['ts client']);
  assert.deepEqual(sectionsOf('apps/rubis/e2e'), ['browser apps/rubis/e2e']);
  assert.deepEqual(sectionsOf('client', 'bid.spec.ts'), ['ts client', 'browser bid.spec.ts']);
});

test('one section can be selected, with its own filters', () => {
  assert.deepEqual(sectionsOf('--only', 'cpp', 'Gate', 'Set'), ['cpp Gate Set']);
  assert.throws(() => sectionsOf('--only', 'cobol'), /takes one of ts, .*; not "cobol"/);
  assert.throws(() => sectionsOf('--onyl', 'cpp'), Problem);
});

test('one section of the long tests can be selected, among them the long ones of the launcher', async () => {
  await assert.rejects(testLong(['--only', 'cobol']), /takes one of laws, storms, mistakes, scripts, ts, .*; not "cobol"/);
  const names = (long) => scriptTests({ long }).map((path) => basename(path));
  assert.ok(names(true).includes('launcher.long.test.js') && !names(true).includes('launcher.test.js'));
  assert.ok(names(false).includes('launcher.test.js') && !names(false).includes('launcher.long.test.js'));
});

test('lanes run in parallel, the sections of a lane in order, and one failure fails the run', async () => {
  const seen = [];
  let release;
  const released = new Promise((resolve) => (release = resolve));
  const section = (name, lane, { failed = 0, after, done } = {}) => ({
    name,
    lane,
    run: async () => {
      await after;
      seen.push(name);
      done?.();
      return { tally: { passed: 1, failed, skipped: 0 }, output: '' };
    },
  });
  const list = [section('a', 0, { after: released }), section('b', 0), section('c', 1), section('d', 1, { done: release })];
  assert.equal(await runSections(list), 0);
  assert.deepEqual(seen, ['c', 'd', 'a', 'b']);
  assert.equal(await runSections([section('a', 0), section('b', 1, { failed: 1 })]), 1);
});

test('a flag overrides its variable, a variable overrides the default', () => {
  const env = { CLARET_GATEWAY_PORT: '8400', CLARET_SHARDS: '5' };
  const options = readOptions(['--shards', '3'], env);
  assert.equal(options.shards, 3);
  assert.equal(options['gateway-port'], 8400);
  assert.equal(options['auctions-port'], 7410);
  assert.equal(options['timelines-port'], 7420);
  assert.equal(options.seed, undefined);
  assert.equal(options.profile, 'small');
});

test('a wrong value names its flag and what it takes', () => {
  for (const text of ['0', '17', '-1', '2.5', 'many', '', ' 3', '1e1']) {
    assert.throws(() => readOptions([`--shards=${text}`], {}), /--shards takes a whole number from 1 to 16/, text);
  }
  assert.throws(() => readOptions([], { CLARET_AUCTIONS_PORT: 'x' }), /--auctions-port/);
  assert.throws(() => readOptions(['--graph-scale', '19'], {}), /--graph-scale takes a whole number from 4 to 18/);
  assert.throws(() => readOptions(['--timeline-servers', '11'], {}), /--timeline-servers takes a whole number from 1 to 10/);
  assert.throws(() => readOptions(['--profile', 'huge'], {}), /small \| claret.*"huge"/);
  assert.equal(readOptions(['--shards', '3', '--dealt-shards', '2'], {})['dealt-shards'], 2);
});

test('a replicated cluster is asked for by a flag or a variable, and has a data folder of its own', () => {
  const of = (args, env = {}) => {
    const { replicated, standbys, 'data-dir': folder } = readOptions(args, env);
    return { replicated, standbys, folder };
  };
  assert.deepEqual(of([]), { replicated: false, standbys: 0, folder: '.data' });
  assert.deepEqual(of(['--replicated']), { replicated: true, standbys: 1, folder: '.data/replicated' });
  assert.deepEqual(of([], { CLARET_REPLICATED: '1', CLARET_STANDBYS: '2' }), { replicated: true, standbys: 2, folder: '.data/replicated' });
  assert.deepEqual(of([], { CLARET_REPLICATED: '0', CLARET_STANDBYS: '2' }), { replicated: false, standbys: 0, folder: '.data' });
  assert.deepEqual(of(['--replicated', '--standbys', '0', '--data-dir', 'x']), { replicated: true, standbys: 0, folder: 'x' });
});

test('what a replicated cluster cannot have is refused', () => {
  assert.throws(() => readOptions(['--standbys', '2'], {}), /--standbys is for a cluster with --replicated/);
  assert.throws(() => readOptions(['--replicated', '--standbys', '5'], {}), /--standbys takes a whole number from 0 to 4/);
  assert.throws(() => readOptions(['--replicated', '--durability', 'async'], {}), /--replicated has durability sync, not "async"/);
  assert.throws(() => readOptions([], { CLARET_REPLICATED: 'yes' }), /CLARET_REPLICATED takes 1 or 0, not "yes"/);
});

test('data is kept unless a fresh start is requested, which deletes the shards and nothing else', async () => {
  assert.deepEqual([readOptions([], {}).fresh, readOptions(['--fresh'], {}).fresh], [false, true]);
  const folder = mkdtempSync(join(tmpdir(), 'claret-test-'));
  for (const name of ['shard-0', 'shard-11', 'shard-x', 'other', 'shard-2']) mkdirSync(join(folder, name));
  for (const name of ['shard-0', 'shard-11', 'shard-x', 'other']) writeFileSync(join(folder, name, 'incarnation'), '1');
  await forget(folder);
  assert.deepEqual(readdirSync(folder).sort(), ['other', 'shard-2', 'shard-x']);
  await forget(join(folder, 'never-made'));
  rmSync(folder, { recursive: true });
});

test('an unknown flag is refused with the list of flags', () => {
  assert.throws(
    () => readOptions(['--ports', '1'], {}),
    (error) => error instanceof Problem && error.message.includes(usage()),
  );
});

test('benchmarks are listed by file name, each with the first line of its file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'claret-test-'));
  try {
    writeFileSync(join(folder, 'frames.ts'), '// What a frame costs.\nrun();\n');
    writeFileSync(join(folder, 'frames.test.ts'), '// not one\n');
    writeFileSync(join(folder, 'notes.md'), '# nor this\n');
    assert.deepEqual(benchmarks(folder), [{ name: 'frames', meaning: 'What a frame costs.' }]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('micro-benchmarks show the median of their runs beside the first', () => {
  const run = (cpu_time, more) => ({
    run_name: 'gate/Counter.add',
    run_type: 'iteration',
    time_unit: 'us',
    cpu_time,
    real_time: 9,
    ...more,
  });
  const rows = rowsOf({
    benchmarks: [
      ...[3, 1, 2].map((time) => run(time, { bytes: 7 })),
      { run_name: 'gate/Counter.add', run_type: 'aggregate', cpu_time: 5, time_unit: 'us' },
      run(1, { run_name: 'commit/Register.set', error_occurred: true, error_message: 'refused on this state' }),
    ],
  });
  assert.deepEqual(rows, [{ name: 'gate/Counter.add', singleNs: 3000, medianNs: 2000, extra: { bytes: 7 } }]);
  assert.match(tableOf(rows), /^benchmark +median ns +single ns\ngate\/Counter\.add +2,000 +3,000 +7 bytes$/);
});
