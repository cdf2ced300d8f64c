// Trials of definitions, by the real program and by programs that misbehave.
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, afterEach, expect, test } from 'vitest';
import type { GatewayError } from '../errors.ts';
import { BROKEN_TALLY, SEAT_MAP, TALLY } from '../testing/definitions.ts';
import { TypeTrials, hashOf } from './type-trials.ts';

const folder = mkdtempSync(join(tmpdir(), 'claret-trials-'));
afterAll(() => rmSync(folder, { recursive: true }));

let trials: TypeTrials;
afterEach(() => trials.close());

/** A program with a text of the shell. */
function program(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\n${text}\n`);
  chmodSync(path, 0o755);
  return path;
}
const codeOf = (work: Promise<unknown>) => work.then(() => 'passed').catch(({ code }: GatewayError) => code);

test('tells what it has tried; the same seed finds the same case', async () => {
  trials = new TypeTrials();
  expect(await trials.run(SEAT_MAP, { seconds: 0.1, seed: '5' })).toMatchObject({
    hash: hashOf(SEAT_MAP),
    name: 'SeatMap',
    version: 1,
    seed: '5',
  });
  const { failure } = await trials.run(BROKEN_TALLY, { seconds: 0.1 });
  expect((await trials.run(BROKEN_TALLY, { seconds: 0.1, seed: failure!.seed })).failure).toEqual(failure);
  expect(await codeOf(trials.pass(BROKEN_TALLY))).toBe('type_broken');
});

test('a definition that has passed is not tried again, and another one is', async () => {
  const count = join(folder, 'count');
  trials = new TypeTrials(
    program('counts', `echo >> ${count}; cat > /dev/null; echo '{"name":"Tally","version":1,"seed":"1","pairs":[]}'`),
  );
  await trials.run(TALLY);
  await trials.pass(TALLY);
  await trials.pass(`${TALLY} `);
  expect(readFileSync(count, 'utf8')).toBe('\n\n');
});

test('a text that is no definition is refused; a long one without a process', async () => {
  trials = new TypeTrials();
  expect(await codeOf(trials.run('{'))).toBe('invalid_definition');
  trials = new TypeTrials('/nowhere');
  expect(await codeOf(trials.run(' '.repeat(65_537)))).toBe('invalid_definition');
});

test.each([
  ['does not exist', '/nowhere'],
  ['crashes', program('crashes', 'kill -SEGV $$')],
  ['says nothing', program('silent', 'exit 0')],
  ['says too much', program('loud', 'yes')],
  ['does not end', program('slow', 'exec sleep 60')],
  ['takes too much memory', program('greedy', `exec ${process.execPath} -e 'Buffer.alloc(4e9, 1)'`)],
])('a program that %s is ended, and the laws count as untried', async (_what, path) => {
  trials = new TypeTrials(path, 1_000);
  expect(await codeOf(trials.run(TALLY, { seconds: 0.1 }))).toBe('type_untried');
});

test('a program that is not built yet is said to be that', async () => {
  trials = new TypeTrials('/nowhere');
  await expect(trials.run(TALLY)).rejects.toThrow(/cannot be tried yet: the program that tries them is not built/);
});

test('one runs at a time, a few wait, and more are refused; closing ends all', async () => {
  trials = new TypeTrials(program('waits', 'exec sleep 60'));
  const codes = Array.from({ length: 12 }, () => codeOf(trials.run(TALLY)));
  expect(await Promise.all(codes.slice(9))).toEqual(['overloaded', 'overloaded', 'overloaded']);
  trials.close();
  expect(await Promise.all(codes.slice(0, 9))).toEqual(Array.from({ length: 9 }, () => 'closing'));
});

/** Whether this process runs. One that has ended may wait for its parent to look. */
const runs = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  const status = `/proc/${pid}/stat`;
  return !existsSync(status) || !readFileSync(status, 'utf8').includes(') Z ');
};

test('a trial that is no longer wanted is ended with all that it has started, or never begun; the next one runs', async () => {
  const pids = join(folder, 'pids');
  trials = new TypeTrials(program('forks', `sleep 60 & echo $! $$ >> ${pids}; wait`));
  const [first, second] = [new AbortController(), new AbortController()];
  const running = codeOf(trials.run(TALLY, { signal: first.signal }));
  const waiting = codeOf(trials.run(TALLY, { signal: second.signal }));
  await expect.poll(() => existsSync(pids) && readFileSync(pids, 'utf8').endsWith('\n')).toBe(true);
  second.abort();
  expect(await waiting).toBe('called_off');
  const started = readFileSync(pids, 'utf8').split(/\s/).filter(Boolean).map(Number);
  expect(started.map(runs)).toEqual([true, true]);
  first.abort();
  expect(await running).toBe('called_off');
  await expect.poll(() => started.some(runs)).toBe(false);
  const late = AbortSignal.abort();
  expect(await codeOf(trials.run(TALLY, { signal: late }))).toBe('called_off');
  const third = codeOf(trials.run(TALLY));
  await expect.poll(() => readFileSync(pids, 'utf8').split('\n').filter(Boolean)).toHaveLength(2);
  trials.close();
  expect(await third).toBe('closing');
});
