// The client's own tests find each of its mistakes. Each is put in, and the tests run in a process of their own.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { CLIENT_MISTAKES, COMPUTATION_TESTS, TESTS } from './client-mistakes.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** The last lines of vitest, which count the tests. */
async function testsOfTheClient(tests: readonly string[], mistake?: string): Promise<string> {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST') && name !== 'CLARET_LONG');
  const env = { ...Object.fromEntries(inherited), ...(mistake !== undefined && { CLARET_MISTAKE: mistake }) };
  const child = spawn(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', '--maxWorkers', '1', ...tests], { cwd: ROOT, env });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (output += text));
  await new Promise((resolve) => child.on('close', resolve));
  return stripVTControlCharacters(output);
}

test('without a mistake all pass', async () => {
  expect(await testsOfTheClient([...TESTS, ...COMPUTATION_TESTS])).toMatch(/Tests +\d+ passed/);
});

test.each(CLIENT_MISTAKES)('$name is found', async ({ name, tests }) => {
  expect(await testsOfTheClient(tests, name)).toMatch(/Tests +\d+ failed/);
});
