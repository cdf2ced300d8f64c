import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { Problem } from '../run/problem.js';
import { isRecentGo, toolsFolder } from './go-tool.js';
import { ensureK6, findK6, isRightK6, K6_VERSION } from './k6.js';
import { isRightNatsServer, NATS_SERVER_VERSION } from './nats-server.js';

/** A temporary home with a folder for fake programs, which are shell scripts. */
async function withHome(use) {
  const home = mkdtempSync(join(tmpdir(), 'claret-test-'));
  const bin = join(home, 'bin');
  mkdirSync(bin);
  const program = (name, script) => {
    writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(bin, name), 0o755);
  };
  try {
    await use({ env: { HOME: home, PATH: `${bin}:/bin:/usr/bin`, XDG_CACHE_HOME: join(home, 'cache') }, bin, home, program });
  } finally {
    rmSync(home, { recursive: true });
  }
}

const says = (version) => `echo "k6 v${version} (go1.26.0, linux/amd64)"`;
/** A fake Go that takes a moment and builds a k6 of that version. */
const building = (version) => `
case "$1" in
  version) echo "go version go1.26.1 linux/amd64" ;;
  install) echo "$GOBIN $2" >> "$HOME/built"; sleep 0.3; printf '#!/bin/sh\\n%s\\n' '${says(version)}' > "$GOBIN/k6"; chmod +x "$GOBIN/k6" ;;
esac`;

test('the cache folder is the one that XDG defines, or in the home', () => {
  assert.equal(toolsFolder({ XDG_CACHE_HOME: '/var/c', HOME: '/h' }), '/var/c/claret/tools');
  assert.equal(toolsFolder({ HOME: '/h' }), '/h/.cache/claret/tools');
  assert.equal(toolsFolder({ XDG_CACHE_HOME: 'relative', HOME: '/h' }), '/h/.cache/claret/tools');
});

test('only the exact version is accepted', () => {
  assert.equal(isRightK6(`k6 v${K6_VERSION} (go1.26.8, linux/amd64)`), true);
  assert.equal(isRightK6(`k6 v${K6_VERSION}0 (go1.26.8, linux/amd64)`), false);
  assert.equal(isRightK6('k6 v0.57.0 (go1.23.6, linux/amd64)'), false);
});

test('only the exact version of nats-server is accepted', () => {
  assert.equal(isRightNatsServer(`nats-server: v${NATS_SERVER_VERSION}`), true);
  assert.equal(isRightNatsServer(`nats-server: v${NATS_SERVER_VERSION}-RC.1`), false);
  assert.equal(isRightNatsServer('nats-server: v2.9.10'), false);
});

test('versions of Go are compared by number, not by text', () => {
  for (const version of ['go1.25.0', 'go1.26', 'go1.100.3', 'go2.0'])
    assert.equal(isRecentGo(`go version ${version} linux/amd64`, [1, 25]), true, version);
  for (const version of ['go1.24.9', 'go1.9', 'devel'])
    assert.equal(isRecentGo(`go version ${version} linux/amd64`, [1, 25]), false, version);
});

test('a k6 on the PATH is used only if its version is right', () =>
  withHome(async ({ env, bin, program }) => {
    program('k6', says('0.57.0'));
    assert.equal(await findK6(env), null);
    program('k6', says(K6_VERSION));
    assert.equal(await ensureK6(env), join(bin, 'k6'));
  }));

test('two concurrent installs build it once and leave no partial files', () =>
  withHome(async ({ env, home, program }) => {
    program('go', building(K6_VERSION));
    const [one, other] = await Promise.all([ensureK6(env), ensureK6(env)]);
    const tools = join(home, 'cache', 'claret', 'tools');
    assert.equal(one, join(tools, `k6-${K6_VERSION}`, 'k6'));
    assert.equal(other, one);
    assert.match(readFileSync(join(home, 'built'), 'utf8'), new RegExp(`^\\S+making-\\S+ go\\.k6\\.io/k6@v${K6_VERSION}\\n$`));
    assert.deepEqual(readdirSync(tools), [`k6-${K6_VERSION}`]);
  }));

test('without a Go, or with an old one, it says what to install and what to type', () =>
  withHome(async ({ env, home, program }) => {
    program('go', 'echo "go version go1.19.8 linux/amd64"');
    await assert.rejects(ensureK6(env, []), (error) => {
      assert.ok(error instanceof Problem);
      assert.match(error.message, /too old to build it \(go version go1\.19\.8/);
      assert.ok(
        error.message.includes(`GOBIN=${join(home, 'cache', 'claret', 'tools', `k6-${K6_VERSION}`)} go install go.k6.io/k6@v${K6_VERSION}`),
      );
      return true;
    });
    program('go', 'exit 1');
    await assert.rejects(
      ensureK6({ ...env, PATH: join(home, 'nowhere') }, []),
      /there is no Go here to build it. Install Go 1\.25 or later/,
    );
  }));

test('a build that fails shows what Go said', () =>
  withHome(async ({ env, program }) => {
    program('go', 'case "$1" in version) echo "go version go1.26.1 x" ;; *) echo "no network"; exit 1 ;; esac');
    await assert.rejects(ensureK6(env), (error) => error instanceof Problem && error.output.includes('no network'));
  }));
