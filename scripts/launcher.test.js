// The launcher as users run it: `npm start` on ports of its own, with all real components.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ROOT } from './paths.js';
import { freeRow, isTaken } from './run/ports.js';
import { runTool } from './run/process.js';
import { findNatsServer } from './setup/nats-server.js';
import { becomes, processWith } from './testing.js';

const LAUNCHER = fileURLToPath(new URL('./launcher.js', import.meta.url));
const UP_WITHIN_MS = 600_000;
/** Two gateways with two ports each, one server of each site, and two Redis doors. */
const PORTS = 8;
const portFlags = (first) => [
  ...['--gateway-port', first, '--auctions-port', first + 4, '--timelines-port', first + 5, '--resp-port', first + 6],
  ...['--nats-port', first + PORTS],
];
/** In place of a gateway a standby, and three NATS servers with three ports each. */
const REPLICATED_PORTS = PORTS + 9;

function killGroup(pid) {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if (error.code !== 'ESRCH') throw error; // the process has ended, as expected
  }
}

/**
 * Runs a demo on free ports, and calls `use` once it is up.
 * @param {string} command @param {string[]} args
 * @param {(demo: {pid: number, exited: Promise<unknown[]>, output: () => string, ports: number[], auctions: string, timelines: string,
 *   folder: string}) => unknown} use
 */
async function withDemo(command, args, use, count = PORTS) {
  const first = await freeRow(count);
  const folder = mkdtempSync(join(tmpdir(), 'claret-demo-'));
  const flags = [...portFlags(first), '--graph-scale', 8, '--data-dir', folder].map(String);
  // Not a Child, which would clean up behind the launcher: the test checks that the launcher does that itself.
  const demo = spawn(command, [...args, ...flags], { cwd: ROOT, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const exited = once(demo, 'close');
  let output = '';
  for (const stream of [demo.stdout, demo.stderr]) stream.on('data', (bytes) => (output += bytes));
  try {
    assert.ok(await becomes(() => output.includes('Claret is up.') || demo.exitCode !== null, UP_WITHIN_MS), output);
    assert.equal(demo.exitCode, null, output);
    const ports = Array.from({ length: count }, (_, at) => first + at);
    const [auctions, timelines] = [4, 5].map((at) => `http://127.0.0.1:${first + at}`);
    await use({ pid: demo.pid, exited, output: () => output, ports, auctions, timelines, folder });
  } finally {
    killGroup(demo.pid);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What a Redis door says to PING. */
async function ping(port) {
  const socket = connect(port, '127.0.0.1');
  socket.write('PING\r\n');
  const [answer] = await once(socket, 'data');
  socket.destroy();
  return String(answer);
}

/** A site refuses what it cannot answer in time, as on a busy machine. */
async function read(url) {
  let answer;
  assert.ok(await becomes(async () => (answer = await fetch(url)).status === 200), url);
  return answer.json();
}

const allFree = async (ports) => !(await Promise.all(ports.map(isTaken))).includes(true);

test('the demo starts, prints its addresses, and stops completely on Ctrl-C', () =>
  withDemo(process.execPath, [LAUNCHER, 'start'], async ({ pid, exited, output, ports, auctions, timelines }) => {
    for (const [at, port, door] of [
      [0, ports[0], ports[6]],
      [1, ports[2], ports[7]],
    ]) {
      const rest = `http://127\\.0\\.0\\.1:${port}`;
      const others = `gRPC at 127\\.0\\.0\\.1:${port + 1}, Redis at 127\\.0\\.0\\.1:${door}`;
      assert.match(output(), new RegExp(`gateway ${at} +${rest} .*${others}\\)`));
      assert.equal((await fetch(`http://127.0.0.1:${port}/readyz`)).status, 200);
      assert.equal(await ping(door), '+PONG\r\n');
    }
    assert.match(output(), new RegExp(`Redis +redis-cli -p ${ports[6]}\\n`));
    assert.match(output(), new RegExp(`auctions +${auctions}\\n`));
    assert.match(output(), new RegExp(`timelines +${timelines}\\n`));
    assert.match(output(), /Data is kept in .*, durability sync/);
    const dashboard = `http://127.0.0.1:${ports[0]}`;
    assert.match(output(), new RegExp(`Claret is up\\.\\n\\n +dashboard +${dashboard}\\n`));
    assert.match(await (await fetch(dashboard)).text(), /<script type="module"/);
    assert.ok((await (await fetch(`${dashboard}/v1/admin/spikes`)).json()).spikes.includes('bid-spike'));
    for (const site of [auctions, timelines]) {
      assert.equal((await read(`${site}/api/session`)).dashboard_url, dashboard);
    }
    for (const site of [auctions, timelines]) {
      const page = await fetch(`${site}/`);
      assert.equal(page.status, 200);
      assert.match(page.headers.get('content-type'), /text\/html/);
    }
    const { items } = await read(`${auctions}/api/items`);
    assert.ok(items.length > 0, 'no auctions in the data set');
    const { accounts } = await read(`${timelines}/api/demo`);
    assert.equal(accounts.length, 4, 'no demo accounts on the timelines');
    const { posts } = await read(`${timelines}/api/trending`);
    assert.ok(posts.length > 0, 'nothing is trending');
    process.kill(pid, 'SIGINT');
    assert.deepEqual(await exited, [0, null]);
    assert.match(output(), /Stopped\.\n$/);
    assert.ok(await allFree(ports));
  }));

test('run through npm, it has stopped before npm returns', () =>
  withDemo('npm', ['start', '--'], async ({ pid, exited, ports }) => {
    process.kill(pid, 'SIGTERM'); // only npm, not its group
    assert.deepEqual(await exited, [0, null]);
    assert.ok(await allFree(ports));
  }));

test('it stops when npm is killed and cannot forward a signal', () =>
  withDemo('npm', ['start', '--'], async ({ pid, ports }) => {
    process.kill(pid, 'SIGKILL');
    assert.ok(await becomes(() => allFree(ports)), 'something still listens');
  }));

/** The process of a server of this demo. */
const gatewayAt = (port, shard) => processWith([`--shard\x00${shard}`, `127.0.0.1:${port}`]);
const auctionServerAt = (port) => processWith([`apps/rubis/server/main.ts\x00--port\x00${port}`]);
const answers = (url) =>
  fetch(`${url}/readyz`).then(
    ({ status }) => status === 200,
    () => false,
  );

test('a server that dies is started again on its port with its data, and the demo says so', () =>
  withDemo(process.execPath, [LAUNCHER, 'start'], async ({ pid, exited, output, ports, auctions }) => {
    const items = async () => (await read(`${auctions}/api/items`)).items.length;
    const before = await items();
    process.kill(gatewayAt(ports[1], 1), 'SIGKILL');
    assert.ok(await becomes(() => /gateway 1 was killed by SIGKILL\. It is started again in 0\.2 s\./.test(output())), output());
    assert.ok(await becomes(() => /gateway 1 is back after \d+\.\d s\./.test(output()), UP_WITHIN_MS), output());
    assert.ok(await becomes(() => answers(`http://127.0.0.1:${ports[2]}`)));

    process.kill(auctionServerAt(ports[4]), 'SIGKILL');
    assert.ok(await becomes(() => /auctions 0 is back after \d+\.\d s\./.test(output()), UP_WITHIN_MS), output());
    assert.ok(await becomes(async () => (await items()) === before));

    // Stopped while one of its processes is away, it leaves nothing behind either.
    process.kill(gatewayAt(ports[1], 0), 'SIGKILL');
    assert.ok(await becomes(() => output().includes('gateway 0 was killed by SIGKILL')), output());
    process.kill(pid, 'SIGTERM');
    assert.deepEqual(await exited, [0, null]);
    assert.match(output(), /Stopped\.\n$/);
    assert.ok(await allFree(ports));
    assert.equal(processWith([`127.0.0.1:${ports[1]}/`]), undefined);
  }));

const noNats = (await findNatsServer()) === null && 'nats-server is not installed';

test('on a replicated log, a standby takes over from a gateway that is killed, and the demo says so', { skip: noNats }, () =>
  withDemo(
    process.execPath,
    [LAUNCHER, 'start', '--replicated', '--shards', '1', '--visitors', 'off'],
    async ({ pid, exited, output, ports, auctions }) => {
      // Whichever is first takes the shard.
      const owner = Number(/gateway (\d) .*owner of shard 0, process \d+ /.exec(output())?.[1]);
      const standby = 1 - owner;
      assert.match(output(), new RegExp(`gateway ${standby} .*standby, process \\d+ `));
      assert.match(output(), new RegExp(`NATS 2 +127\\.0\\.0\\.1:${ports[PORTS + 2]} `));
      process.kill(Number(new RegExp(`Try: kill -9 (\\d+) {3}\\(gateway ${owner}, `).exec(output())[1]), 'SIGKILL');
      assert.ok(
        await becomes(
          () => output().includes(`gateway ${standby} owns shard 0 now, in place of gateway ${owner}. The shard was away for`),
          UP_WITHIN_MS,
        ),
        output(),
      );
      assert.match(
        output(),
        new RegExp(
          `gateway ${owner}, the owner of shard 0, was killed by SIGKILL\\. A standby takes the shard over\\. .* again in 0\\.2 s\\.`,
        ),
      );
      assert.ok(
        await becomes(() => new RegExp(`gateway ${owner} is back after \\d+\\.\\d s, as a standby\\.`).test(output()), UP_WITHIN_MS),
        output(),
      );
      assert.ok(await becomes(() => answers(auctions), UP_WITHIN_MS));
      process.kill(pid, 'SIGINT');
      assert.deepEqual(await exited, [0, null]);
      assert.ok(await allFree(ports));
    },
    REPLICATED_PORTS,
  ),
);

test('a server that refuses to run again ends the demo, which gives its reason', () =>
  withDemo(process.execPath, [LAUNCHER, 'start'], async ({ exited, output, ports, folder }) => {
    rmSync(join(folder, 'shard-1', 'log'), { recursive: true });
    process.kill(gatewayAt(ports[1], 1), 'SIGKILL');
    assert.deepEqual(await exited, [1, null]);
    assert.match(output(), /gateway 1 refused to run \(exit code 2\)\. Stopping the rest\.[^]*shard-1/);
    assert.ok(await allFree(ports));
  }));

test('a taken port is named with the flag that moves it, before anything starts', async () => {
  const first = await freeRow(PORTS);
  for (const [offset, flag] of [
    [3, 'gateway-port'],
    [4, 'auctions-port'],
    [5, 'timelines-port'],
    [7, 'resp-port'],
  ]) {
    const squatter = createServer().listen(first + offset, '127.0.0.1');
    await once(squatter, 'listening');
    const args = [LAUNCHER, 'start', ...portFlags(first).map(String)];
    const { code, output } = await runTool(process.execPath, args);
    squatter.close();
    await once(squatter, 'close');
    assert.equal(code, 1);
    assert.match(output, new RegExp(`Port ${first + offset} .* is taken .*--${flag}`));
    assert.doesNotMatch(output, /Starting/);
  }
});

test('an unknown command lists the known ones', async () => {
  const { code, output } = await runTool(process.execPath, [LAUNCHER, 'strat']);
  assert.equal(code, 1);
  assert.match(output, /npm run one of: start, test, /);
});
