import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { createApp, ownVersion, Refusal } from './create.ts';
import { packageName } from './name.ts';

const TEMPLATE = fileURLToPath(new URL('../template', import.meta.url));
const BIN = fileURLToPath(new URL('../bin/create-claret-app.js', import.meta.url));

let outside: string;
beforeEach(() => {
  outside = mkdtempSync(join(tmpdir(), 'claret-create-'));
});
afterEach(() => rmSync(outside, { recursive: true }));

const manifestOf = (folder: string) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
const filesOf = (folder: string) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();

describe('a new app', () => {
  it('is the template under its own name, with the client of this version', () => {
    const folder = join(outside, 'deeper', 'My Poll');
    expect(createApp({ folder, client: null })).toBe('my-poll');
    expect(filesOf(folder)).toEqual(
      filesOf(TEMPLATE)
        .map((file) => file.replace(/^gitignore$/, '.gitignore'))
        .sort(),
    );
    expect(manifestOf(folder)).toMatchObject({ name: 'my-poll', dependencies: { '@claret/client': `^${ownVersion()}` } });
    expect(readFileSync(join(folder, 'README.md'), 'utf8')).toMatch(/^# my-poll\n/);
  });

  it('carries the client that it was given', () => {
    const client = join(outside, 'claret-client-9.tgz');
    writeFileSync(client, 'bytes');
    const folder = join(outside, 'app');
    createApp({ folder, client });
    expect(manifestOf(folder).dependencies['@claret/client']).toBe('file:vendor/claret-client-9.tgz');
    expect(readFileSync(join(folder, 'vendor', 'claret-client-9.tgz'), 'utf8')).toBe('bytes');
  });

  it('may be in an empty folder', () => {
    createApp({ folder: outside, client: null });
    expect(existsSync(join(outside, 'server', 'main.ts'))).toBe(true);
  });

  it('asks for the Fastify that the sites use', () => {
    const { dependencies, devDependencies } = manifestOf(TEMPLATE);
    const own = { ...dependencies, ...devDependencies };
    const known = ['../../../apps/site', '../../..', '../../../loadtest'].map((room) =>
      manifestOf(fileURLToPath(new URL(room, import.meta.url))),
    );
    const theirs = Object.assign({}, ...known.flatMap((each) => [each.dependencies, each.devDependencies]));
    delete own['@claret/client'];
    expect(own).toEqual(Object.fromEntries(Object.keys(own).map((name) => [name, theirs[name]])));
  });
});

describe('what is there already', () => {
  it('is not touched', () => {
    writeFileSync(join(outside, 'mine.txt'), 'mine');
    const before = filesOf(outside);
    expect(() => createApp({ folder: outside, client: null })).toThrow(/is not empty: it has mine\.txt\. Nothing was changed/);
    expect(filesOf(outside)).toEqual(before);
    expect(() => createApp({ folder: join(outside, 'mine.txt'), client: null })).toThrow(/is a file/);
    expect(readFileSync(join(outside, 'mine.txt'), 'utf8')).toBe('mine');
  });

  it('is looked at before anything is made', () => {
    const folder = join(outside, 'app');
    expect(() => createApp({ folder, client: join(outside, 'none.tgz') })).toThrow(Refusal);
    mkdirSync(join(outside, 'client'));
    expect(() => createApp({ folder, client: join(outside, 'client') })).toThrow(Refusal);
    expect(() => createApp({ folder: join(outside, '…'), client: null })).toThrow(/no name for a package/);
    expect(readdirSync(outside)).toEqual(['client']);
  });
});

it('a name is made of what npm takes', () => {
  const names = ['My Poll!', 'Übersicht', '.hidden', 'a_b.c-d', '…', 'node_modules', `x${'y'.repeat(300)}`].map((name) =>
    packageName(`/x/${name}`),
  );
  expect(names).toEqual(['my-poll', 'ubersicht', 'hidden', 'a_b.c-d', null, null, `x${'y'.repeat(213)}`]);
});

describe('the program', () => {
  const run = (...args: string[]) => spawnSync(process.execPath, [BIN, ...args], { cwd: outside, encoding: 'utf8' });

  it('says what to do next, also in a folder whose name a shell would take apart', () => {
    const { status, stdout } = run("it's mine");
    expect([status, stdout]).toEqual([0, expect.stringContaining('it-s-mine is ready')]);
    expect(stdout).toContain(String.raw`cd 'it'\''s mine'`);
    expect(run('next').stdout).toContain('  cd next\n  npm install\n');
  });

  it('answers with a sentence and an exit code', () => {
    writeFileSync(join(outside, 'mine.txt'), 'mine');
    expect(run()).toMatchObject({ status: 1, stdout: '', stderr: expect.stringMatching(/^create-claret-app: .* is not empty/) });
    expect(run('a', 'b')).toMatchObject({ status: 2, stderr: expect.stringContaining('One folder, please, not a and b.') });
    expect(run('--what')).toMatchObject({ status: 2, stderr: expect.stringContaining('--client FILE') });
    expect(run('--version')).toMatchObject({ status: 0, stdout: `${ownVersion()}\n` });
    expect(run('--help')).toMatchObject({ status: 0, stdout: expect.stringContaining('npm create claret-app') });
    expect(readdirSync(outside)).toEqual(['mine.txt']);
  });
});
