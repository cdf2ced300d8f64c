// The walk of docs/types-of-your-own.md, "A type in half an hour", from the page itself: its files are written, its commands run against a real
// cluster, and what it shows of their output is in it.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startCluster } from './testing/cluster.ts';
import type { TestCluster } from './testing/cluster.ts';

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
const PAGE = readFileSync(path('../../docs/types-of-your-own.md'), 'utf8');
const [, WALK] = /^## A type in half an hour$(.*?)^## /ms.exec(PAGE)!;
const BLOCKS = [...WALK!.matchAll(/^```(\w+)(?: (\S+))?\n(.*?)^```$/gms)].map(([, language, mark, text]) => ({
  language,
  mark,
  text: text!,
}));

// Inside the package, so that the client is found from there.
const folder = mkdtempSync(path('../types-walk-'));
let cluster: TestCluster;
beforeAll(async () => {
  cluster = await startCluster(2, {}, folder);
});
afterAll(async () => {
  await cluster.close();
  rmSync(folder, { recursive: true });
});

/** @returns what the commands print, and whether all went well */
function run(commands: string): Promise<{ output: string; isDone: boolean }> {
  const text = commands
    .replaceAll('npx claret', `"${process.execPath}" "${path('../../client/bin/claret.js')}"`)
    .replaceAll(/^node /gm, `"${process.execPath}" `);
  const env = { ...process.env, CLARET_GATEWAY: cluster.gateways[0]!.member.rest };
  return new Promise((resolve) => {
    execFile('bash', ['-euc', text], { cwd: folder, env }, (error, stdout, stderr) => {
      resolve({ output: stdout + stderr, isDone: error === null });
    });
  });
}

test('the walk of types-of-your-own.md does what the page says', async () => {
  let output = '';
  let shown = 0;
  for (const { language, mark, text } of BLOCKS) {
    if (language === 'ts' && mark?.startsWith('file=')) {
      writeFileSync(join(folder, mark.slice(5)), text.replace('127.0.0.1:7401', cluster.gateways[1]!.member.grpc));
    }
    if (language === 'ts' && mark?.startsWith('in=')) {
      const file = join(folder, mark.slice(3));
      writeFileSync(file, readFileSync(file, 'utf8').replace(/^ {2}commutes: .*\n/m, text));
    }
    if (language === 'sh') {
      const ran = await run(text);
      expect(ran.isDone, ran.output).toBe(mark !== 'fails');
      ({ output } = ran);
    }
    if (language !== 'text') continue;
    for (const line of text.trim().split('\n')) expect(output).toContain(line);
    shown++;
  }
  expect(shown).toBe(7);
});
