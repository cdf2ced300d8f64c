// Trials of definitions, by the real program and by programs that misbehave.
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
  const { readFileSync } = await import('node:fs');
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

test('one runs at a time, a few wait, and more are refused; closing ends all', async () => {
  trials = new TypeTrials(program('waits', 'exec sleep 60'));
  const codes = Array.from({ length: 12 }, () => codeOf(trials.run(TALLY)));
  expect(await Promise.all(codes.slice(9))).toEqual(['overloaded', 'overloaded', 'overloaded']);
  trials.close();
  expect(await Promise.all(codes.slice(0, 9))).toEqual(Array.from({ length: 9 }, () => 'closing'));
});
