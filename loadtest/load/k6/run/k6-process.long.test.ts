// Runs the real k6 with short scripts.

import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { ensureK6 } from '../../../../scripts/setup/k6.js';
import { FILES, K6Failed, runK6, summaryIn } from './k6-process.ts';

/** Enough to build k6 first. */
const INSTALL_MS = 15 * 60_000;

let program: string;
let folder: string;
beforeAll(async () => void (program = await ensureK6()), INSTALL_MS);
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'claret-test-'))));
afterEach(() => rmSync(folder, { recursive: true }));

function run(
  script: string,
  {
    limit_ms = 30_000,
    signal = new AbortController().signal,
    onStart = () => {},
  }: { limit_ms?: number; signal?: AbortSignal; onStart?: (pid: number) => void } = {},
) {
  const path = join(folder, 'script.ts');
  writeFileSync(path, script);
  return runK6({ program, script: path, folder, limit_ms, signal, onStart });
}

const isAlive = (pid: number) => existsSync(`/proc/${pid}`);

test("a script's output goes to the ledger unchanged, and the script gets the path of its data", async () => {
  await run(`export default function () { console.log(JSON.stringify(['bid "ö"', __ENV.STORM_DATA])); }`);
  expect(readFileSync(join(folder, FILES.ledger), 'utf8')).toBe(`${JSON.stringify(['bid "ö"', join(folder, FILES.data)])}\n`);
});

test('a folder that is reused holds only the new ledger', async () => {
  for (const number of [1, 2]) await run(`export default function () { console.log('[${number}]'); }`);
  expect(readFileSync(join(folder, FILES.ledger), 'utf8')).toBe('[2]\n');
});

test('a crossed threshold is reported, and is not a failure of k6', async () => {
  const summary = await run(`
    import { Counter } from 'k6/metrics';
    const count = new Counter('count');
    export const options = { iterations: 3, thresholds: { count: ['count<3', 'count<4'] } };
    export default function () { count.add(1); }`);
  expect(summary).toMatchObject({ thresholds: ['count: count<3'], dropped: 0, requests: 0, thrown: { count: 0, first: null } });
});

test('arrivals without a free virtual user are counted', async () => {
  const { dropped } = await run(`
    import { sleep } from 'k6';
    export const options = { scenarios: { all: { executor: 'constant-arrival-rate', rate: 10, duration: '1s', preAllocatedVUs: 1 } } };
    export default function () { sleep(2); }`);
  expect(dropped).toBeGreaterThan(5);
});

test("a script that cannot run is a failure with k6's message", async () => {
  await expect(run(`export default function () {}\nthrow new Error('no such scenario');`)).rejects.toThrow(
    /k6 ended with exit code \d+:\n[^]*no such scenario/,
  );
  await expect(run('export default function () {}\nthrow new Error();')).rejects.toThrow(K6Failed);
});

test('visits that ended in an exception are counted, and the first exception is reported', async () => {
  const { thrown } = await run(
    `export const options = { iterations: 3 };\nexport default function () { throw new Error('nobody is logged in'); }`,
  );
  expect(thrown).toEqual({ count: 3, first: 'Error: nobody is logged in' });
});

test('a k6 that does not end in time is stopped', async () => {
  let pid = 0;
  const endless = `import { sleep } from 'k6';\nexport const options = { duration: '60s' };\nexport default function () { sleep(1); }`;
  await expect(run(endless, { limit_ms: 1_500, onStart: (own) => (pid = own) })).rejects.toThrow(/had not ended after 2 s/);
  expect(isAlive(pid)).toBe(false);
});

test('an aborted k6 has ended when the abort is reported', async () => {
  const stop = new AbortController();
  let pid = 0;
  const running = run(
    `import { sleep } from 'k6';\nexport const options = { duration: '60s' };\nexport default function () { sleep(1); }`,
    { signal: stop.signal, onStart: (own) => (pid = own) },
  );
  await sleep(1_000);
  stop.abort();
  await expect(running).rejects.toThrow(K6Failed);
  expect(isAlive(pid)).toBe(false);
});

test('a missing program is a failure of k6', async () => {
  program = join(folder, 'nowhere');
  try {
    await expect(run('')).rejects.toThrow(/cannot be run/);
  } finally {
    program = await ensureK6();
  }
});

test('thresholds in the summary are true if they were crossed', () => {
  const text = JSON.stringify({
    metrics: {
      http_reqs: { count: 7 },
      dropped_iterations: { count: 2, thresholds: { 'count<1': true } },
      d: { thresholds: { 'p(99)<1': false } },
    },
  });
  expect(summaryIn(text, '')).toEqual({
    thrown: { count: 0, first: null },
    dropped: 2,
    thresholds: ['dropped_iterations: count<1'],
    requests: 7,
  });
});
