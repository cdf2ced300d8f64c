import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { after, beforeEach, test } from 'node:test';
import { KillSwitch } from './kill-switch.js';

const open = [];
after(() => open.forEach((each) => each.close()));

let url;
let child;
beforeEach(async () => {
  child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
  const killSwitch = new KillSwitch(async () => [child]);
  open.push(killSwitch, { close: () => child.kill('SIGKILL') });
  url = await killSwitch.open();
});

const post = async (to, body) => (await fetch(to, { method: 'POST', body })).status;

test('the process of a shard is killed on request, and no second one at once', async () => {
  const ended = once(child, 'exit');
  assert.equal(await post(url, '{"shard":0}'), 204);
  assert.deepEqual(await ended, [null, 'SIGKILL']);
  assert.equal(await post(url, '{"shard":0}'), 409);
});

test('nothing is killed without the secret, for a shard that is not there, or by something else than a request', async () => {
  assert.equal(await post(new URL('/', url).href, '{"shard":0}'), 404);
  assert.equal(await post(url, '{"shard":1}'), 404);
  assert.equal(await post(url, 'shard 0'), 404);
  assert.equal((await fetch(url)).status, 404);
  assert.equal(child.exitCode, null);
  assert.equal(child.signalCode, null);
});
