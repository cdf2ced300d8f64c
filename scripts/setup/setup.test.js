import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

import { Problem } from '../run/problem.js';
import { runTool } from '../run/process.js';
import { findBrowser } from './browser.js';
import { commandFor, isCommand, missingFrom } from './debian.js';
import { withLock } from './lock.js';
import { failuresOf } from './native.js';
import { node24 } from './node24.js';
import { outerPath, sameTree } from './npm.js';
import { sideBySide } from './setup.js';
import { hashOf, isStamped, writeStamp } from './stamp.js';

/** @param {(folder: string) => unknown} use */
async function inFolder(use) {
  const folder = mkdtempSync(join(tmpdir(), 'claret-test-'));
  try {
    await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

test('a package known to dpkg but not installed is missing', () => {
  const answer = 'cmake installed\ng++ config-files\nninja-build installed';
  assert.deepEqual(missingFrom(['g++', 'cmake', 'ninja-build', 'libabsl-dev'], answer), ['g++', 'libabsl-dev']);
  assert.deepEqual(missingFrom(['cmake'], answer), []);
});

test('the suggested command installs all missing packages at once', () => {
  assert.match(commandFor(['g++', 'cmake']), /^sudo apt-get update && sudo apt-get install -y .* g\+\+ cmake$/);
});

test('a command is found on the PATH only', () =>
  inFolder((folder) => {
    writeFileSync(join(folder, 'tool'), '');
    assert.equal(isCommand('tool', `/nowhere:${folder}`), true);
    assert.equal(isCommand('tool', '/nowhere'), false);
    assert.equal(isCommand('tool', ''), false);
  }));

test('the browser of the tests is the configured one, else a headless build, else a full one', () =>
  inFolder((folder) => {
    const PATH = `/nowhere:${folder}`;
    assert.equal(findBrowser({ PATH }), undefined);
    writeFileSync(join(folder, 'chromium'), '');
    assert.equal(findBrowser({ PATH }), join(folder, 'chromium'));
    writeFileSync(join(folder, 'chromium-headless-shell'), '');
    assert.equal(findBrowser({ PATH }), join(folder, 'chromium-headless-shell'));
    assert.equal(findBrowser({ PATH, CLARET_CHROMIUM: '/opt/mine' }), '/opt/mine');
  }));

test('a hash covers contents, names and new files, and leaves out excluded files', () =>
  inFolder((folder) => {
    const take = (path) => !path.endsWith('dist');
    const hash = () => hashOf([folder], take);
    mkdirSync(join(folder, 'dist'));
    writeFileSync(join(folder, 'a'), 'one');
    const first = hash();
    writeFileSync(join(folder, 'dist', 'made'), 'x');
    assert.equal(hash(), first);
    writeFileSync(join(folder, 'a'), 'two');
    const second = hash();
    assert.notEqual(second, first);
    writeFileSync(join(folder, 'b'), '');
    assert.notEqual(hash(), second);
    rmSync(join(folder, 'b'));
    assert.equal(hash(), second);
  }));

test('a stamp holds for one hash', () =>
  inFolder((folder) => {
    const stamp = join(folder, 'below', 'stamp');
    assert.equal(isStamped(stamp, 'a'), false);
    writeStamp(stamp, 'a');
    assert.equal(isStamped(stamp, 'a'), true);
    assert.equal(isStamped(stamp, 'b'), false);
  }));

const WANTED = {
  packages: {
    '': { version: '1.0.0' },
    client: { version: '0.1.0' },
    'node_modules/@claret/client': { link: true },
    'node_modules/a': { version: '1.2.3' },
    'node_modules/a-windows': { version: '1.2.3', optional: true },
  },
};
const installed = (changes) => ({
  packages: {
    client: { version: '0.1.0' },
    'node_modules/@claret/client': { link: true },
    'node_modules/a': { version: '1.2.3' },
    ...changes,
  },
});

test('node_modules matches without packages for other systems', () => {
  assert.equal(sameTree(WANTED, installed({})), true);
});

test('node_modules with another version, a missing package or an additional one does not match', () => {
  assert.equal(sameTree(WANTED, installed({ 'node_modules/a': { version: '1.2.4' } })), false);
  assert.equal(sameTree(WANTED, { packages: {} }), false);
  assert.equal(sameTree(WANTED, installed({ 'node_modules/b': { version: '1.0.0' } })), false);
});

test('npm ci runs on a Node that it does not remove', () => {
  assert.equal(outerPath('/x/node_modules/.bin:/usr/bin:/y/node_modules/.bin:/bin'), '/usr/bin:/bin');
});

test('the TypeScript runs on Node 24 or later', async () => {
  const { output } = await runTool(node24(), ['--version']);
  assert.ok(Number(/^v(\d+)\./.exec(output)[1]) >= 24, output);
});

test('only the failed steps of a failed build are shown', () => {
  const output = '[1/3] Building a.o\nFAILED: b.o\ng++ b.cc\nb.cc:1: error: no\n[3/3] Building c.o\nninja: build stopped';
  assert.equal(failuresOf(output), 'FAILED: b.o\ng++ b.cc\nb.cc:1: error: no\nninja: build stopped');
  assert.equal(failuresOf('ninja: error: no such target'), 'ninja: error: no such target');
});

test('a lock is held by one at a time and waited for', () =>
  inFolder(async (folder) => {
    const lock = join(folder, 'lock');
    const events = [];
    const isWaitedFor = Promise.withResolvers();
    const first = withLock(lock, async () => {
      events.push('first in');
      await isWaitedFor.promise;
      events.push('first out');
    });
    const second = withLock(
      lock,
      async () => events.push('second in'),
      ({ pid, folder: of }) => {
        events.push(`waits for ${pid} in ${of}`);
        isWaitedFor.resolve();
      },
    );
    await Promise.all([first, second]);
    assert.deepEqual(events, ['first in', `waits for ${process.pid} in ${realpathSync(folder)}`, 'first out', 'second in']);
    assert.equal(existsSync(lock), false);
  }));

test('a lock is released when the work fails', () =>
  inFolder(async (folder) => {
    const lock = join(folder, 'lock');
    await assert.rejects(
      withLock(lock, async () => Promise.reject(new Error('no'))),
      /^Error: no$/,
    );
    assert.equal(await withLock(lock, async () => 'in'), 'in');
  }));

/** @param {object} holder as the lock's file has it; the lock is to be void */
const isVoid = (folder, holder) => {
  const lock = join(folder, 'lock');
  writeFileSync(lock, typeof holder === 'string' ? holder : JSON.stringify(holder));
  return withLock(
    lock,
    async () => JSON.parse(readFileSync(lock, 'utf8')).pid === process.pid,
    () => assert.fail('the lock is waited for'),
  );
};

/** As this process would hold a lock in the folder. */
const ownHolder = (folder) => withLock(join(folder, 'own'), async () => JSON.parse(readFileSync(join(folder, 'own'), 'utf8')));

test('a lock whose holder has ended is taken over', () =>
  inFolder(async (folder) => {
    const { output } = await runTool(process.execPath, ['-p', 'process.pid']);
    assert.ok(await isVoid(folder, { ...(await ownHolder(folder)), pid: Number(output) }));
  }));

test('a lock is void if its process began later than its holder, since numbers of processes are used again', () =>
  inFolder(async (folder) => {
    assert.ok(await isVoid(folder, { ...(await ownHolder(folder)), began: '1' }));
  }));

test('a lock that was copied with its folder is void, though its holder lives', () =>
  inFolder(async (folder) => {
    assert.ok(await isVoid(folder, { ...(await ownHolder(folder)), folder: '/another/tree' }));
    assert.ok(await isVoid(folder, String(process.pid)), 'a lock that names no folder');
  }));

test('works run in parallel, each once and after its dependencies', async () => {
  const seen = [];
  const ends = Object.fromEntries(['base', 'left', 'right', 'alone'].map((name) => [name, Promise.withResolvers()]));
  /** It ends once another work has ended. */
  const work = (name, after, until) => ({
    after,
    run: async () => {
      seen.push(`${name}<`);
      await ends[until]?.promise;
      seen.push(`>${name}`);
      setImmediate(ends[name].resolve);
    },
  });
  const works = {
    base: work('base', [], 'alone'),
    left: work('left', ['base'], 'right'),
    right: work('right', ['base']),
    alone: work('alone', []),
  };
  assert.deepEqual(await sideBySide(works, ['left', 'right', 'alone']), new Map());
  assert.deepEqual(seen.slice(0, 3), ['base<', 'alone<', '>alone']);
  assert.deepEqual(seen.slice(3), ['>base', 'left<', 'right<', '>right', '>left']);
});

test('dependents of a failed work fail with it, other works are done, and an error that is not a Problem is thrown', async () => {
  const problem = new Problem('no compiler');
  const done = [];
  const works = {
    compiler: { after: [], run: () => Promise.reject(problem) },
    core: { after: ['compiler'], run: async () => done.push('core') },
    pages: { after: [], run: async () => done.push('pages') },
    slip: { after: [], run: () => Promise.reject(new TypeError('a slip')) },
  };
  assert.deepEqual(await sideBySide(works, ['core', 'pages']), new Map([['core', problem]]));
  assert.deepEqual(done, ['pages']);
  await assert.rejects(sideBySide(works, ['core', 'slip']), TypeError);
});
