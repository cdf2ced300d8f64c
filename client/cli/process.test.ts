// The command line as a process: `client/bin/claret.js` with signals, pipes and terminals, and the completion scripts.

import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startCluster, type TestCluster } from '../../gateway/src/testing/cluster.ts';

// On a busy machine a process takes seconds to start.
const BIN = fileURLToPath(new URL('../bin/claret.js', import.meta.url));

let cluster: TestCluster;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'claret-cli-'));
  cluster = await startCluster(2);
});
afterAll(async () => {
  await cluster.close();
  rmSync(folder, { recursive: true });
});

const { PATH, NODE_COMPILE_CACHE } = process.env;
const environment = () => ({ PATH, NODE_COMPILE_CACHE, HOME: folder, CLARET_GATEWAY: cluster.gateways[0]!.member.rest });

interface Process {
  out: () => string;
  err: () => string;
  type(text: string): void;
  kill(signal: NodeJS.Signals): void;
  ended: Promise<number | string>;
}

// Not spawnSync, since the gateways run in this process.
function start(command: string, args: string[], input?: string): Process {
  const child = spawn(command, args, { env: environment(), stdio: ['pipe', 'pipe', 'pipe'] });
  const written = { out: '', err: '' };
  child.stdout.on('data', (chunk: Buffer) => (written.out += chunk));
  child.stderr.on('data', (chunk: Buffer) => (written.err += chunk));
  if (input !== undefined) child.stdin.end(input);
  const ended = new Promise<number | string>((resolve) => child.on('close', (code, signal) => resolve(code ?? signal!)));
  return {
    out: () => written.out,
    err: () => written.err,
    type: (text) => void child.stdin.write(text),
    kill: (signal) => void child.kill(signal),
    ended,
  };
}

const claret = (...words: string[]): Process => start(process.execPath, [BIN, ...words]);
const missing = (command: string) => spawnSync(command, ['--version'], { stdio: 'ignore' }).error !== undefined;

test('the command line runs from its source, reads operations from a pipe, prints results and ends with an exit code', async () => {
  const piped = start(process.execPath, [BIN, 'transact', '--json'], 'Counter.add piped 2\nCounter.value piped\n');
  expect(await piped.ended).toBe(0);
  expect(JSON.parse(piped.out())).toMatchObject({ results: [null, 0] });
  const wrong = claret('Set.size', 'piped');
  expect(await wrong.ended).toBe(1);
  expect(wrong.err()).toContain('the record is a Counter');
});

test('a Node that is too old for the sources is rejected with a message', async () => {
  const old = join(folder, 'old.mjs');
  writeFileSync(old, "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.1.0' } });\n");
  const run = start(process.execPath, ['--import', old, BIN, '--version']);
  // If the package has been built, the built files run on any Node.
  if ((await run.ended) !== 0) expect(run.err()).toMatch(/not built, and running it from source takes Node 24; this is Node 20\.1\.0\./);
  else expect(run.out()).toMatch(/^\d/);
});

test('Ctrl-C ends a watch with exit code 0', async () => {
  const watching = claret('watch', 'Counter.value', 'p');
  await expect.poll(watching.out).toMatch(/\d\n$/);
  watching.kill('SIGINT');
  expect(await watching.ended).toBe(0);
  expect(watching.err()).toBe('');
});

test('a reader that closes the pipe early causes no error', async () => {
  const piped = start('bash', ['-c', `"${process.execPath}" "${BIN}" types | head -1; echo "\${PIPESTATUS[0]}"`]);
  expect(await piped.ended).toBe(0);
  expect(piped.out()).toMatch(/^type +operations\n0\n$/);
  expect(piped.err()).toBe('');
});

describe.skipIf(missing('script'))('on a terminal', () => {
  const onTerminal = (line: string, columns = 80) =>
    start('script', ['-qec', `stty cols ${columns} rows 24; exec "${process.execPath}" "${BIN}" ${line}`, '/dev/null']);

  test('output has colours, unless NO_COLOR is set', async () => {
    const coloured = onTerminal('conditions');
    expect(await coloured.ended).toBe(0);
    expect(coloured.out()).toContain('\u001b[1mabstract\u001b[22m');
    const plain = start('script', ['-qec', `NO_COLOR=1 "${process.execPath}" "${BIN}" conditions`, '/dev/null']);
    expect(await plain.ended).toBe(0);
    expect(plain.out()).toContain('abstract');
    expect(plain.out()).not.toContain('\u001b[');
  });

  test('top draws over its last picture, and hides the cursor until the end', async () => {
    const top = onTerminal('top');
    const pictures = () => top.out().split('claret top').length - 1;
    await expect.poll(pictures).toBeGreaterThan(2);
    top.type('\u0003'); // Ctrl-C
    expect(await top.ended).toBe(0);
    const [before, ...drawn] = top.out().split('claret top');
    expect(before).toContain('\u001b[?25l');
    // The cursor moves up again, so nothing scrolls away.
    for (const picture of drawn.slice(0, -1)) expect(picture).toMatch(/\u001b\[\d*A/);
    expect(drawn.at(-1)).toContain('\u001b[?25h');
  });
});

test.skipIf(missing('zsh'))('completion for zsh is a script that the shell can parse', async () => {
  const printed = claret('completion', 'zsh');
  expect(await printed.ended).toBe(0);
  const script = join(folder, 'claret.zsh');
  writeFileSync(script, printed.out());
  const read = start('zsh', ['-n', script]);
  expect(await read.ended).toBe(0);
  expect(read.err()).toBe('');
});

test.skipIf(missing('bash'))('bash completes commands, options, types and operations', async () => {
  const lines: [string[], string[]][] = [
    [['sh'], ['shards']],
    [['Set.a'], ['Set.add']],
    [
      ['--gateway', 'db1:7400', 'Counter.'],
      ['Counter.add', 'Counter.value'],
    ],
    [
      ['conditions', 'phasing'],
      ['phasing=off', 'phasing=on'],
    ],
    [['get', '--l'], ['--limit']],
    [['types', 'TopK.m'], ['TopK.max']],
    [
      ['completion', ''],
      ['bash', 'zsh'],
    ],
    [['get', '--limit', ''], []],
  ];
  const tries = lines.map(
    ([words]) =>
      `COMP_WORDS=(claret ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}; COMPREPLY=(); _claret; echo "\${COMPREPLY[*]}"`,
  );
  const shell = start('bash', ['-c', `source <("${process.execPath}" "${BIN}" completion bash)\n${tries.join('\n')}`]);
  expect(await shell.ended).toBe(0);
  expect(shell.err()).toBe('');
  expect(shell.out().split('\n').slice(0, -1)).toEqual(lines.map(([, completed]) => completed.join(' ')));
});
