// Real NATS servers: as processes of a cluster, and on a folder that is kept. Skipped where nats-server is not installed.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { forget } from '../kept-data.js';
import { processes } from '../processes.js';
import { freePorts, natsPorts } from '../run/ports.js';
import { Child } from '../run/process.js';
import { Service } from '../run/service.js';
import { findNatsServer } from '../setup/nats-server.js';
import { becomes, gone } from '../testing.js';
import { configure, keptToken, natsServers, tokenFile } from './configuration.js';
import { refuseRunning } from './kept.js';

const program = await findNatsServer();
const skip = program === null && 'nats-server is not installed';
const SERVICES = new URL('../run/service.js', import.meta.url).href;

/** The rows of three configured servers on free ports, below `dir`. */
async function rowsIn(dir) {
  const nats = natsPorts(await freePorts(9));
  const servers = natsServers(dir, nats);
  const token = keptToken(dir);
  configure(servers, token);
  return processes({ logLevel: 'warn' }, { gateways: [], auctions: [], timelines: [], nats }, dir, { program, token, servers });
}

async function withServices(use) {
  const dir = mkdtempSync(join(tmpdir(), 'claret-nats-test-'));
  const deaths = [];
  const backs = [];
  const host = { restarts: { firstMs: 20 }, onDeath: (death) => deaths.push(death), onBack: (back) => backs.push(back) };
  const services = (await rowsIn(dir)).map((row) => new Service(row, host));
  try {
    await Promise.all(services.map((service) => service.ready()));
    await use({ dir, services, deaths, backs });
  } finally {
    await Promise.all(services.map((service) => service.stop()));
    rmSync(dir, { recursive: true });
  }
}

test('a server that is killed is started again, and is back when it has what the others have', { skip }, () =>
  withServices(async ({ services, deaths, backs }) => {
    const killed = services[1].pid;
    assert.match(readFileSync(`/proc/${killed}/cmdline`, 'utf8'), /^[^\0]*nats-server\0/);
    process.kill(killed, 'SIGKILL');
    assert.ok(await becomes(() => backs.length > 0));
    assert.deepEqual(
      deaths.map(({ name, signal, givenUp }) => ({ name, signal, givenUp })),
      [{ name: 'NATS server 1', signal: 'SIGKILL', givenUp: null }],
    );
    assert.notEqual(services[1].pid, killed);
  }),
);

test('while servers run, nothing is forgotten, and no second one starts on their folders', { skip }, () =>
  withServices(async ({ dir, services }) => {
    await assert.rejects(refuseRunning(dir), /NATS servers run on .*nats-0.*nothing was changed/);
    await assert.rejects(forget(dir), /nothing was changed/);
    assert.ok(existsSync(join(dir, 'nats-0', 'jetstream')));
    const deaths = [];
    const second = new Service(services[0].row, { onDeath: (death) => deaths.push(death) });
    await second.child.exited;
    assert.deepEqual(
      [deaths[0].code, deaths[0].lastLines],
      [2, [`${join(dir, 'nats-0')} is in use by another NATS server: stop it first, or use another data directory`]],
    );
    await Promise.all(services.map((service) => service.stop()));
    await forget(dir);
    assert.equal(existsSync(join(dir, 'nats-0')), false);
  }),
);

test('a server ends when the process that started it is killed with SIGKILL', { skip }, async () => {
  const dir = mkdtempSync(join(tmpdir(), 'claret-nats-test-'));
  try {
    const [row] = await rowsIn(dir);
    const code = `
      const { Service } = await import(${JSON.stringify(SERVICES)});
      console.log(new Service(${JSON.stringify(row)}, {}).pid);`;
    const pid = await new Promise((resolve) => {
      const parent = new Child({
        name: 'parent',
        command: process.execPath,
        args: ['--input-type=module', '-e', code],
        onLine(line) {
          process.kill(parent.pid, 'SIGKILL'); // only the process, not its group
          resolve(Number(line));
        },
      });
    });
    assert.ok(await gone(pid), `process ${pid} is left`);
  } finally {
    rmSync(dir, { recursive: true });
  }
});

test('the token is made once, and only its owner can read the files that have it', () => {
  const dir = mkdtempSync(join(tmpdir(), 'claret-nats-test-'));
  try {
    const token = keptToken(dir);
    assert.match(token, /^[0-9a-f]{48}$/);
    assert.equal(keptToken(dir), token);
    const [server] = natsServers(dir, natsPorts([1, 2, 3]));
    configure([server], token);
    for (const file of [tokenFile(dir), server.file]) assert.equal(statSync(file).mode & 0o777, 0o600, file);
    assert.ok(readFileSync(server.file, 'utf8').includes('sync_interval: always'));
  } finally {
    rmSync(dir, { recursive: true });
  }
});
