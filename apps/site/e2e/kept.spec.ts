// A failed browser test leaves artifacts; a passing one leaves nothing.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';

const PLAYWRIGHT = createRequire(import.meta.url).resolve('@playwright/test/cli');
const CONFIG = join(import.meta.dirname, 'kept', 'playwright.config.ts');

test('a failed test leaves a screenshot and, if requested, a trace; a passing test leaves nothing', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'claret-kept-'));
  try {
    const env = { ...process.env, CLARET_TEST_KEPT: folder, CLARET_TRACE: '1' };
    const child = spawn(process.execPath, [PLAYWRIGHT, 'test', '--config', CONFIG, '--reporter', 'line', '--retries', '0'], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => (output += bytes));
    const [code] = await once(child, 'close');
    expect(code, output).toBe(1);
    expect(output).toContain('1 failed');
    expect(output).toContain('1 passed');

    const left = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    const ending = (end: string) => left.filter((path) => path.endsWith(end));
    expect(
      [ending('trace.zip'), ending('.png')].map(({ length }) => length),
      left.join(' '),
    ).toEqual([1, 1]);
    expect([...ending('trace.zip'), ...ending('.png')].every((path) => path.includes('Wrong'))).toBe(true);
    expect(
      readFileSync(join(folder, ending('.png')[0]!))
        .subarray(1, 4)
        .toString(),
    ).toBe('PNG');
    // The trace shows the page at each step: `npx playwright show-trace`.
    expect(readFileSync(join(folder, ending('trace.zip')[0]!)).toString('latin1')).toMatch(/\.trace/);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
