// App servers as processes, with real gateways: starting, refusing to start, stopping, and restarting without loss.
import { join } from 'node:path';

import { CSRF_HEADER } from '@claret/ui/site/api/csrf.ts';
import { newRequestKey, REQUEST_KEY_HEADER } from '@claret/ui/site/api/requestKeys.ts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';

import { freePorts } from '../../../scripts/run/ports.js';
import { startCluster, type TestCluster } from '../../../gateway/src/testing/cluster.ts';
import { startProgram, type Run } from '../../../gateway/src/testing/process.ts';
import type { EntryPage, Posted, Session } from './api.ts';

const MAIN = join(import.meta.dirname, 'main.ts');

let cluster: TestCluster;
const runs: Run[] = [];
beforeAll(async () => void (cluster = await startCluster(2)));
afterEach(async () => {
  for (const { child } of runs) child.kill('SIGKILL');
  await Promise.all(runs.splice(0).map(({ ended }) => ended));
});
afterAll(() => cluster.close());

function start(args: string[], env: NodeJS.ProcessEnv = {}): Run {
  const gateways = cluster.gateways.map(({ member }) => member.grpc).join(',');
  const run = startProgram([process.execPath, MAIN, '--gateways', gateways, ...args], env);
  runs.push(run);
  return run;
}

async function serving(port: number, args: string[] = [], env: NodeJS.ProcessEnv = {}): Promise<Run> {
  const run = start(['--port', String(port), ...args], env);
  await expect.poll(run.output, { interval: 20 }).toContain('Server listening');
  return run;
}

const TIMES_MAX = 20;

/** A browser: sends its cookie to any port of the host, as browsers do. */
class Browser {
  cookie = '';

  /** What a busy machine has refused, or did not answer in time, is sent again with its key, as by a page. */
  async send<Body>(port: number, method: 'GET' | 'POST', path: string, payload?: unknown): Promise<Body> {
    const key = newRequestKey(Date.now());
    for (let times = 1; ; times++) {
      const response = await fetch(`http://127.0.0.1:${port}/api${path}`, {
        method,
        headers: {
          [CSRF_HEADER]: '1',
          [REQUEST_KEY_HEADER]: key,
          cookie: this.cookie,
          ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(payload === undefined ? {} : { body: JSON.stringify(payload) }),
      });
      const [cookie] = response.headers.getSetCookie();
      if (cookie !== undefined) this.cookie = cookie.split(';')[0] ?? '';
      if (response.ok) return (await response.json()) as Body;
      if (response.status !== 503 || times === TIMES_MAX) throw new Error(await response.text());
    }
  }
}

describe('App servers', () => {
  test('show the same, a killed and restarted one has lost no session and no post, and they end when they are told', async () => {
    const [one, two] = (await freePorts(2)) as [number, number];
    const first = await serving(one, ['--dashboard', 'http://127.0.0.1:1/']);
    const second = await serving(two);
    const ann = new Browser();
    const { user, dashboard_url } = await ann.send<Session>(one, 'POST', '/register', { username: 'ann', password: 'correct horse' });
    expect([user?.username, dashboard_url]).toEqual(['ann', 'http://127.0.0.1:1/']);
    const { entry } = await ann.send<Posted>(one, 'POST', '/posts', { text: 'still here 👩‍🚀' });
    first.child.kill('SIGKILL');
    expect(await first.ended).toBe('SIGKILL');

    const shown = async (port: number) => {
      const session = await ann.send<Session>(port, 'GET', '/session');
      const { entries } = await ann.send<EntryPage>(port, 'GET', '/timeline');
      return { user: session.user, entries };
    };
    const everywhere = { user, entries: [entry] };
    expect(await shown(two)).toEqual(everywhere);
    const again = await serving(one, [], { CLARET_EXIT_WITH_PARENT: '1' });
    expect(await shown(one)).toEqual(everywhere);

    again.child.stdin.end(); // as the end of its parent would
    second.child.kill('SIGINT');
    expect([await again.ended, await second.ended]).toEqual([0, 0]);
  });

  test('exit with 0 on SIGTERM, also with open live streams, and report a port in use in one line', async () => {
    const [port] = (await freePorts(1)) as [number];
    const run = await serving(port);
    const watching = await fetch(`http://127.0.0.1:${port}/api/live?latest=1`);
    expect(watching.status).toBe(200);
    const late = start(['--port', String(port), '--log-level', 'silent']);
    expect(await late.ended).toBe(1);
    expect(late.output()).toBe(`port ${port} of 127.0.0.1 is taken\n`);
    run.child.kill('SIGTERM');
    expect(await run.ended).toBe(0);
    await expect(watching.text()).resolves.toContain('event: hello');
  });

  const wrong: [flag: string, value: string, says: string][] = [
    ['--port', '', '--port must be a whole number from 0 to 65535, not \n'],
    ['--dashboard', 'javascript:alert(1)', '--dashboard must be an address like http://127.0.0.1:7400/, not javascript:alert(1)\n'],
  ];
  test.each(wrong)('do not start with %s %s', async (flag, value, says) => {
    const run = start([flag, value]);
    expect(await run.ended).toBe(2);
    expect(run.output()).toBe(says);
  });
});
