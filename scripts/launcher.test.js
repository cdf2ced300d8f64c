// The launcher as users run it: `npm start` on ports of its own, with all real components. Where it stops for a reason of its own:
// launcher.long.test.js.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { test } from 'node:test';
import { freeRow } from './run/ports.js';
import { runTool } from './run/process.js';
import { findNatsServer } from './setup/nats-server.js';
import { LAUNCHER, PORTS, REPLICATED_PORTS, UP_WITHIN_MS, allFree, gatewayAt, portFlags, withDemo } from './testing-demo.js';
import { becomes, processWith } from './testing.js';

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

const auctionServerAt = (port) => processWith([`apps/rubis/server/main.ts\x00--port\x00${port}`]);
const answers = (url) =>
  fetch(`${url}/readyz`).then(
    ({ status }) => status === 200,
    () => false,
  );

test('the demo', (t) =>
  withDemo(process.execPath, [LAUNCHER, 'start'], async ({ pid, exited, output, ports, auctions, timelines }) => {
    await t.test('prints its addresses, where everything answers', async () => {
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
    });

    await t.test('starts a server that dies again on its port with its data, and says so', async () => {
      const items = async () => (await read(`${auctions}/api/items`)).items.length;
      const before = await items();
      process.kill(gatewayAt(ports[1], 1), 'SIGKILL');
      assert.ok(await becomes(() => /gateway 1 was killed by SIGKILL\. It is started again in 0\.2 s\./.test(output())), output());
      assert.ok(await becomes(() => /gateway 1 is back after \d+\.\d s\./.test(output()), UP_WITHIN_MS), output());
      assert.ok(await becomes(() => answers(`http://127.0.0.1:${ports[2]}`)));

      process.kill(auctionServerAt(ports[4]), 'SIGKILL');
      assert.ok(await becomes(() => /auctions 0 is back after \d+\.\d s\./.test(output()), UP_WITHIN_MS), output());
      assert.ok(await becomes(async () => (await items()) === before));
    });

    await t.test('leaves nothing behind on Ctrl-C, even while one of its processes is away', async () => {
      process.kill(gatewayAt(ports[1], 0), 'SIGKILL');
      assert.ok(await becomes(() => output().includes('gateway 0 was killed by SIGKILL')), output());
      process.kill(pid, 'SIGINT');
      assert.deepEqual(await exited, [0, null]);
      assert.match(output(), /Stopped\.\n$/);
      assert.ok(await allFree(ports));
      assert.equal(processWith([`127.0.0.1:${ports[1]}/`]), undefined);
    });
  }));

test('run through npm, it has stopped before npm returns', () =>
  withDemo('npm', ['start', '--', '--shards', '1', '--visitors', 'off'], async ({ pid, exited, output, ports }) => {
    process.kill(pid, 'SIGTERM'); // only npm, not its group
    assert.deepEqual(await exited, [0, null]);
    assert.match(output(), /Stopped\.\n$/);
    assert.ok(await allFree(ports));
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
