// Complete crash runs: ten rounds lose nothing; a loss is found; no files or processes are left behind.
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url));
const LAST_LINE = /^rounds=(\d+) kills=(\d+) acknowledged=(\d+) checked=(\d+) lost=(\d+)$/;

function start(...args: string[]) {
  const child = spawn(process.execPath, [MAIN, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (output += text));
  const ended = new Promise<number | string>((resolve) => child.on('close', (code, signal) => resolve(code ?? signal!)));
  return { child, ended, output: () => output };
}

function figures(output: string) {
  const [, rounds, kills, acknowledged, checked, lost] = LAST_LINE.exec(output.trimEnd().split('\n').at(-1)!)?.map(Number) ?? [];
  return { rounds, kills, acknowledged, checked, lost };
}

/** Names of the folders and processes of that process's runs. */
function leftBehind(pid: number): string[] {
  const name = `claret-crash-${pid}-`;
  const processes = readdirSync('/proc').filter((entry) => {
    try {
      return /^\d+$/.test(entry) && readFileSync(`/proc/${entry}/cmdline`, 'utf8').includes(name);
    } catch {
      return false; // it has ended in the meantime
    }
  });
  return [...readdirSync(tmpdir()).filter((entry) => entry.startsWith(name)), ...processes];
}

test('ten rounds: every acknowledged transaction survives each, and the whole history is consistent', async () => {
  const run = start('--rounds', '10', '--seed', '7');
  expect(await run.ended, run.output()).toBe(0);
  const { rounds, kills, acknowledged, checked, lost } = figures(run.output());
  expect(rounds).toBe(10);
  expect(kills).toBeGreaterThanOrEqual(10);
  expect(acknowledged).toBeGreaterThan(0);
  expect(checked).toBe(acknowledged);
  expect(lost).toBe(0);
  expect(run.output()).toContain('history ok');
  expect(run.output()).toMatch(/^transactions with ids: [1-9]\d*; .* once answered: [1-9]\d* times, and answered the same$/m);
  expect(run.output()).toMatch(/^natives: ([1-9]\d*) acknowledged and \1 of them checked/m);
  expect(run.output()).toMatch(/^warranties: [1-9]\d* of \d+ results came from memory; committed without a message: [1-9]\d*$/m);
  await expect.poll(() => leftBehind(run.child.pid!)).toEqual([]);
});

test('with a disk that lies about its syncs, the loss is found', async () => {
  const run = start('--rounds', '20', '--seed', '7', '--disk', 'lying', '--workload', 'rawmix');
  expect(await run.ended).toBe(1);
  const { rounds, lost } = figures(run.output());
  expect(lost, run.output()).toBeGreaterThan(0);
  expect(rounds).toBeLessThan(20);
});

test.each(['SIGTERM', 'SIGKILL'] as const)('%s in the middle of a run leaves nothing behind', async (signal) => {
  const run = start('--rounds', '1000', '--seed', '7', '--workload', 'rawmix');
  await expect.poll(run.output).toContain('round 1:');
  expect(leftBehind(run.child.pid!)).not.toEqual([]);
  run.child.kill(signal);
  expect(await run.ended).toBe(signal === 'SIGTERM' ? 143 : 'SIGKILL');
  await expect.poll(() => leftBehind(run.child.pid!)).toEqual([]);
});

test('wrong arguments are reported in a line, with exit code 2', async () => {
  const run = start('--rounds', 'many');
  expect(await run.ended).toBe(2);
  expect(run.output()).toContain('--rounds takes a whole number up to 10000, not "many"');
});
