// The launcher where it stops for a reason of its own; kill-switch.test.js and service.test.js prove the parts.
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { LAUNCHER, allFree, gatewayAt, withDemo } from './testing-demo.js';
import { becomes } from './testing.js';

test('it stops when npm is killed and cannot forward a signal', () =>
  withDemo('npm', ['start', '--', '--shards', '1', '--visitors', 'off'], async ({ pid, ports }) => {
    process.kill(pid, 'SIGKILL');
    assert.ok(await becomes(() => allFree(ports)), 'something still listens');
  }));

test('a server that refuses to run again ends the demo, which gives its reason', () =>
  withDemo(process.execPath, [LAUNCHER, 'start', '--visitors', 'off'], async ({ exited, output, ports, folder }) => {
    rmSync(join(folder, 'shard-1', 'log'), { recursive: true });
    process.kill(gatewayAt(ports[1], 1), 'SIGKILL');
    assert.deepEqual(await exited, [1, null]);
    assert.match(output(), /gateway 1 refused to run \(exit code 2\)\. Stopping the rest\.[^]*shard-1/);
    assert.ok(await allFree(ports));
  }));
