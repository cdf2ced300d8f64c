// The published packages: packed, installed from their tarballs into empty folders, and used by README's example, with the machine's Node
// and with that of the set-up.
import { execFile, spawn } from 'node:child_process';
import { accessSync, constants, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { freePorts } from '../../scripts/run/ports.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PACKED = join(ROOT, 'dist', 'packages');
const PATIENT_MS = 900_000;
const run = promisify(execFile);

/** a PATH without the workspace's programs */
const PATH = process.env['PATH']!.split(delimiter)
  .filter((folder) => !folder.includes('node_modules'))
  .join(delimiter);
const ENVIRONMENT = Object.fromEntries(
  Object.entries({ ...process.env, PATH }).filter(([name]) => !/^(?:CLARET_|npm_|NODE_|VITEST)/.test(name)),
);

function machineNode(): string {
  const found = PATH.split(delimiter)
    .map((folder) => join(folder, 'node'))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
  if (found === undefined) throw new Error('there is no node on the PATH');
  return found;
}

const NODES = [machineNode(), process.execPath];

const folder = mkdtempSync(join(tmpdir(), 'claret-packages-'));
const app = join(folder, 'app');
const server = join(folder, 'server');

async function install(into: string, name: string): Promise<void> {
  mkdirSync(into);
  const tarball = join(
    PACKED,
    readdirSync(PACKED).find((file) => file.startsWith(name) && file.endsWith('.tgz'))!,
  );
  await run('npm', ['install', tarball, '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: into,
    env: ENVIRONMENT,
  });
}

beforeAll(async () => {
  await run(process.execPath, [join(ROOT, 'scripts', 'launcher.js'), 'pack'], { cwd: ROOT });
  await Promise.all([install(app, 'claret-client-'), install(server, 'claret-gateway-')]);
}, PATIENT_MS);

afterAll(() => rmSync(folder, { recursive: true }));

/** Starts a gateway from its tarball; returns its gRPC address. */
async function startGateway(node: string): Promise<{ grpc: string; rest: string; stop: () => Promise<number | null> }> {
  const [grpc, rest] = (await freePorts(2)).map((port) => `127.0.0.1:${port}`);
  const args = [
    join(server, 'node_modules', '.bin', 'claret-gateway'),
    '--cluster',
    `${grpc}/${rest}`,
    '--data-dir',
    join(folder, `data-${grpc}`),
  ];
  const child = spawn(node, args, { cwd: server, env: ENVIRONMENT });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk));
  const ended = new Promise<number | null>((resolve) => child.on('exit', resolve));
  await expect.poll(() => output).toContain('"msg":"ready"');
  return { grpc: grpc!, rest: `http://${rest}`, stop: () => (child.kill('SIGTERM'), ended) };
}

/** The code of README's hello.mjs. */
function hello(address: string): string {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
  const [, code] = /`hello\.mjs`[\s\S]*?```js\n([\s\S]*?)```/.exec(readme)!;
  expect(code).toContain('127.0.0.1:7401');
  return code!.replace('127.0.0.1:7401', address);
}

test.each(NODES)("README's example runs in any folder, against a gateway from its tarball: %s", async (node) => {
  const { grpc, rest, stop } = await startGateway(node);
  writeFileSync(join(app, 'hello.mjs'), hello(grpc));
  for (const [i, each] of NODES.entries()) {
    expect((await run(each, ['hello.mjs'], { cwd: app, env: ENVIRONMENT })).stdout).toBe(`visit ${i + 1}\n`);
  }
  const dashboard = await fetch(`${rest}/`, { redirect: 'manual' });
  expect([dashboard.status, dashboard.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/html')]);
  expect(await stop()).toBe(0);
});

test('the installed packages are complete and independent of the workspace', () => {
  for (const [where, name] of [
    [app, 'client'],
    [server, 'gateway'],
  ] as const) {
    const installed = join(where, 'node_modules', '@claret', name);
    const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as Record<string, unknown>;
    expect(manifest).toMatchObject({
      name: `@claret/${name}`,
      license: 'Apache-2.0',
      description: expect.any(String),
      keywords: expect.any(Array),
    });
    expect(manifest).not.toHaveProperty('private');
    for (const file of ['LICENSE', 'README.md']) expect(existsSync(join(installed, file)), file).toBe(true);
    const files = readdirSync(installed, { recursive: true, encoding: 'utf8' });
    expect(files.filter((file) => /(?<!\.d)\.ts$|\.test\.|testing/.test(file))).toEqual([]);
  }
});

test('the declarations are complete, and as strict as the sources', async () => {
  const lines = [
    "import { connect, ClaretError, type Claret } from '@claret/client';",
    "const claret: Claret = await connect({ addresses: ['127.0.0.1:1'] });",
    "const [size]: [number | bigint] = await claret.transact('Size', [claret.on.set('a').size()]);",
    '// @ts-expect-error a counter takes a number',
    "await claret.transaction('Add', async (tx) => tx.counter(String(size)).add('one'));",
    "export const state = (error: unknown): 'none' | 'applied' | 'unknown' | null => (error instanceof ClaretError ? error.commitState : null);",
  ];
  writeFileSync(join(app, 'uses.mts'), lines.join('\n'));
  const types = ['--types', 'node', '--typeRoots', join(ROOT, 'node_modules', '@types')];
  const flags = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022', ...types];
  const { stdout } = await run(process.execPath, [join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc'), ...flags, 'uses.mts'], {
    cwd: app,
  });
  expect(stdout).toBe('');
});

test('the client package contains the command line', async () => {
  const manifest = JSON.parse(readFileSync(join(ROOT, 'client', 'package.json'), 'utf8')) as {
    version: string;
    bin?: Record<string, string>;
  };
  const programs = Object.keys(manifest.bin ?? {});
  for (const program of programs) {
    const { stdout } = await run(NODES[0]!, [join(app, 'node_modules', '.bin', program), '--version'], { cwd: app, env: ENVIRONMENT });
    expect(stdout).toContain(manifest.version);
  }
  expect(existsSync(join(app, 'node_modules', '.bin'))).toBe(true);
});

test('without a usable core and without a compiler, the error says what to install', async () => {
  const core = join(server, 'node_modules', '@claret', 'gateway', 'node_modules', '@claret', 'core');
  rmSync(join(core, 'build'), { recursive: true });
  const env = { ...ENVIRONMENT, PATH: folder };
  const installing = run(NODES[0]!, [join(core, 'install.js')], { env });
  await expect(installing).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/cmake, ninja, c\+\+ are missing[\s\S]*sudo apt-get install g\+\+ cmake ninja-build/),
  });
  const starting = run(NODES[0]!, [join(server, 'node_modules', '.bin', 'claret-gateway')], { cwd: server, env });
  await expect(starting).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^claret-gateway: The native core cannot be loaded: .*npm rebuild @claret\/gateway/),
  });
});
