// Services with small programs in place of servers: how they are kept running, and how they end.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { becomes, gone, isAlive } from '../testing.js';
import { freePorts } from './ports.js';
import { Service } from './service.js';

/** All deaths count as recent, however slow the machine is. */
const QUICK = { firstMs: 20, longestMs: 40, withinMs: 600_000 };
/** A server that is ready when it answers. */
const serving = (port) => `require('node:http').createServer((_, answer) => answer.end()).listen(${port}, '127.0.0.1')`;

/** A started service with what it told, stopped when `use` has ended. */
async function withService({ program, port = undefined, ...more }, use) {
  const deaths = [];
  const backs = [];
  const row = { kind: 'fixture', name: 'fixture', command: process.execPath, args: ['-e', program], ...more };
  if (port !== undefined) row.url = `http://127.0.0.1:${port}`;
  const host = { restarts: QUICK, onDeath: (death) => deaths.push(death), onBack: (back) => backs.push(back), ...more.host };
  const service = new Service(row, host);
  try {
    await use({ service, deaths, backs });
  } finally {
    await service.stop();
  }
}

test('a process that is killed is started again, and is back when it answers', async () => {
  const [port] = await freePorts(1);
  await withService({ program: serving(port), port }, async ({ service, deaths, backs }) => {
    await service.ready();
    const { pid } = service;
    process.kill(pid, 'SIGKILL');
    assert.ok(await becomes(() => backs.length > 0));
    assert.notEqual(service.pid, pid);
    assert.ok(isAlive(service.pid));
    assert.equal((await fetch(`http://127.0.0.1:${port}`)).status, 200);
    assert.deepEqual(
      deaths.map(({ name, code, signal, againInMs, givenUp }) => ({ name, code, signal, againInMs, givenUp })),
      [{ name: 'fixture', code: null, signal: 'SIGKILL', againInMs: 20, givenUp: null }],
    );
    assert.equal(backs[0].name, 'fixture');
    assert.ok(backs[0].awayMs >= 20);
  });
});

test('a process has the variables of its row beside those of its host, and only its news is passed on', async () => {
  const lines = [];
  const program = 'console.log(process.env.COMMON, process.env.OWN); console.log("chatter")';
  const host = { env: { COMMON: 'a', OWN: 'b' }, onLine: (name, line) => lines.push(`${name}: ${line}`) };
  await withService({ program, env: { OWN: 'c' }, isNews: (line) => line !== 'chatter', mayEnd: true, host }, async ({ service }) => {
    await service.child.exited;
    assert.deepEqual(lines, ['fixture: a c']);
    assert.deepEqual(service.child.lastLines, ['a c', 'chatter']);
  });
});

test('a process that ends before it was ready is a failed start, and is not started again', async () => {
  const [port] = await freePorts(1);
  await withService({ program: 'console.log("no room"); process.exit(1)', port }, async ({ service, deaths }) => {
    await assert.rejects(
      service.ready(),
      ({ message }) => message.startsWith('fixture ended before it was ready:') && message.includes('no room'),
    );
    assert.ok(await becomes(() => deaths.length > 0));
    await sleep(4 * QUICK.firstMs);
    assert.deepEqual(
      deaths.map(({ againInMs, givenUp }) => ({ againInMs, givenUp })),
      [{ againInMs: null, givenUp: null }],
    );
  });
});

test('a process that does not stay up is given up after its last allowed death', async () => {
  await withService({ program: 'process.exit(1)', host: { restarts: { ...QUICK, deathsMax: 3 } } }, async ({ service, deaths }) => {
    await service.ready();
    assert.ok(await becomes(() => deaths.at(-1)?.givenUp === 'unsteady'));
    assert.deepEqual(
      deaths.map(({ againInMs }) => againInMs),
      [20, 40, null],
    );
  });
});

test('a process that refuses to run is given up, with its last lines', async () => {
  await withService({ program: 'console.error("the log is damaged"); process.exit(2)' }, async ({ service, deaths }) => {
    await service.ready();
    assert.ok(await becomes(() => deaths.length > 0));
    assert.equal(deaths[0].givenUp, 'refused');
    assert.deepEqual(deaths[0].lastLines, ['the log is damaged']);
  });
});

test('a program whose work is done is not started again', async () => {
  await withService({ program: '', mayEnd: true }, async ({ service, deaths }) => {
    await service.ready();
    await service.child.exited;
    await sleep(4 * QUICK.firstMs);
    assert.deepEqual(deaths, []);
    assert.equal(await gone(service.pid), true);
  });
});

test('a service that is stopped during its pause stays down', async () => {
  const PAUSE_MS = 5_000;
  const folder = mkdtempSync(join(tmpdir(), 'claret-service-'));
  const starts = join(folder, 'starts');
  const program = `require('node:fs').appendFileSync(${JSON.stringify(starts)}, '.'); setInterval(() => {}, 1000)`;
  const started = () => readFileSync(starts, { encoding: 'utf8', flag: 'a+' }).length;
  try {
    await withService({ program, host: { restarts: { firstMs: PAUSE_MS } } }, async ({ service, deaths }) => {
      await service.ready();
      assert.ok(await becomes(() => started() === 1));
      process.kill(service.pid, 'SIGKILL');
      assert.ok(await becomes(() => deaths.length > 0));
      await service.stop();
      await sleep(1.2 * PAUSE_MS);
      assert.equal(started(), 1);
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('a service without limits for restarts stays dead', async () => {
  await withService({ program: 'setInterval(() => {}, 1000)', host: { restarts: undefined } }, async ({ service, deaths }) => {
    await service.ready();
    process.kill(service.pid, 'SIGKILL');
    assert.ok(await becomes(() => deaths.length > 0));
    assert.equal(deaths[0].againInMs, null);
    await sleep(4 * QUICK.firstMs);
    assert.ok(service.child.ended);
  });
});
