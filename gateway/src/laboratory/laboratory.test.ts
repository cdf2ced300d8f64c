// The laboratory with real gateways and the real driver; faulty drivers are small programs.
import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { freePorts } from '../../../scripts/run/ports.js';
import { startCluster } from '../testing/cluster.ts';
import type { TestCluster } from '../testing/cluster.ts';
import type { Switchable } from './borrowed-conditions.ts';
import type { LaboratoryConfig, Overview } from './laboratory.ts';
import { SPIKES } from './spike.ts';
import type { SpikeRun } from './spike.ts';

const DRIVER = fileURLToPath(new URL('../../../loadtest/load/spike/main.ts', import.meta.url));
const GATEWAY = fileURLToPath(new URL('../main.ts', import.meta.url));
const JSON_TYPE = { 'content-type': 'application/json' };
const PATIENCE = { interval: 20 };

const configOf = (spikeDriver: string): LaboratoryConfig => ({
  spikeDriver,
  token: '',
  siteUrls: '',
  killSwitch: '',
  durability: 'none',
  dataDir: '',
});

/** A cluster whose conditions do not change. */
const NONE: Switchable = { local: () => expect.fail('asked for'), setEverywhere: () => expect.fail('switched') };
const RW = { locks: 'rw', phasing: false, combining: 'off' } as const;
const FULL = { locks: 'abstract', phasing: true, combining: 'auto' } as const;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'claret-laboratory-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

let cluster: TestCluster | undefined;
afterEach(async () => {
  await cluster?.close();
  cluster = undefined;
});

function program(text: string): string {
  const path = join(folder, `driver-${Math.random()}.mjs`);
  writeFileSync(path, text);
  return path;
}

const call = async (method: 'GET' | 'POST' | 'DELETE', payload?: object, headers: Record<string, string> = JSON_TYPE) => {
  const answer = await cluster!.gateways[0]!.rest.inject({
    method,
    url: '/v1/admin/spikes',
    headers: method === 'GET' ? {} : headers,
    ...(payload && { payload: JSON.stringify(payload) }),
  });
  return { status: answer.statusCode, body: answer.json() as Overview & SpikeRun & { code: string; detail: string } };
};
const overview = async () => (await call('GET')).body;
const kill = async (shard: number) => {
  const answer = await cluster!.gateways[0]!.rest.inject({
    method: 'POST',
    url: '/v1/admin/kills',
    headers: JSON_TYPE,
    payload: { shard },
  });
  return { status: answer.statusCode, body: answer.json() as { code: string; detail: string } };
};
const idle = async () => {
  await expect.poll(async () => (await overview()).running, PATIENCE).toBeNull();
  return (await overview()).last!;
};
/** Resolves with the running spike once its load has begun. */
const running = async () => {
  let spike: SpikeRun | null = null;
  await expect.poll(async () => (spike = (await overview()).running)?.line?.state, PATIENCE).toBe('running');
  return spike!;
};
/** Starts a spike that sets conditions. A gateway that stands still for two seconds counts as away; then nothing has begun. */
const begun = async (wish: object) => {
  let answer = await call('POST', wish);
  while (['shard_unavailable', 'conditions_partial'].includes(answer.body.code)) answer = await call('POST', wish);
  return answer;
};
const seconds = (count: number, more: object = {}) => ({ spike: 'bid-spike', seconds: count, clients: 8, ...more });
const isAlive = (pid: number): boolean => {
  try {
    // A zombie has no command line.
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8') !== '';
  } catch {
    return false;
  }
};
const childrenOf = (pid: number | undefined): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .split(' ')
    .filter((text) => text !== '')
    .map(Number);

describe('with the real driver', () => {
  // The other three run in a browser: natives.long, warranties.long and epochs.long.
  test.each(['bid-spike', 'viral-post', 'rawmix'] as const)(
    '%s runs over two shards, reports its progress, and ends without mismatches',
    async (spike) => {
      cluster = await startCluster(2, { spikeDriver: DRIVER, siteUrls: 'auctions=http://127.0.0.1:7410,timelines=https://t.example/' });
      expect(await overview()).toEqual({
        spikes: [...SPIKES],
        running: null,
        last: null,
        sites: { auctions: 'http://127.0.0.1:7410', timelines: 'https://t.example' },
        kills: false,
      });
      const sites: Record<string, string> = { 'bid-spike': 'auctions', 'viral-post': 'timelines' };
      const wanted = { spike, seconds: 2, clients: 2 };
      const began = await call('POST', { ...wanted, ...(spike === 'rawmix' && { alpha: 0.8, update: 0.9 }) });
      expect([began.status, began.body]).toEqual([201, expect.objectContaining({ ...wanted, line: null })]);
      expect((await running()).line).toMatchObject({ done_s: expect.any(Number), of_s: 2, committed_per_s: expect.any(Number) });
      const { line, ...asked } = await idle();
      expect(asked).toMatchObject(wanted);
      expect(line).toMatchObject({ state: 'ended', mismatches: [], stopped: false });
      expect(line!.committed!).toBeGreaterThan(0);
      const { what, acknowledged, stored } = line!.compared!;
      expect([what, stored]).toEqual([expect.any(String), acknowledged]);
      expect(line!.p99_ms!).toBeGreaterThanOrEqual(line!.p50_ms!);
      expect(line!.place?.site).toBe(sites[spike]);
    },
  );

  test('only one spike runs at a time; after a stop, another can be started, whose driver ends with the gateway', async () => {
    cluster = await startCluster(2, { spikeDriver: DRIVER });
    await call('POST', seconds(60));
    await running();
    const second = await call('POST', seconds(1));
    expect([second.status, second.body.code]).toEqual([409, 'spike_running']);
    const stopped = await call('DELETE');
    expect(stopped).toMatchObject({
      status: 200,
      body: { running: null, last: { line: { state: 'ended', stopped: true, mismatches: [] } } },
    });
    expect((await call('DELETE')).body).toEqual(stopped.body);
    const before = childrenOf(process.pid);
    expect((await call('POST', seconds(60))).status).toBe(201);
    await running();
    const [pid] = childrenOf(process.pid).filter((child) => !before.includes(child));
    expect(isAlive(pid!)).toBe(true);
    await cluster.gateways[0]!.close();
    expect(isAlive(pid!)).toBe(false);
  });

  test('the driver does not outlive a killed gateway, which says after its restart that the spike was cut off', async () => {
    const [grpc, rest] = await freePorts(2);
    const address = `127.0.0.1:${grpc}/127.0.0.1:${rest}`;
    const url = `http://127.0.0.1:${rest}`;
    const data = join(folder, 'killed');
    const args = ['--cluster', address, '--data-dir', join(data, 'shard-0'), '--spike-driver', DRIVER];
    const gateway = spawn(process.execPath, [GATEWAY, ...args, '--log-level', 'silent'], { stdio: 'ignore' });
    const isReady = () =>
      fetch(`${url}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      );
    await expect.poll(isReady, PATIENCE).toBe(true);
    await fetch(`${url}/v1/admin/spikes`, { method: 'POST', headers: JSON_TYPE, body: JSON.stringify(seconds(60)) });
    const spikes = async () => (await (await fetch(`${url}/v1/admin/spikes`)).json()) as Overview;
    await expect.poll(async () => (await spikes()).running?.line?.state, PATIENCE).toBe('running');
    const [pid] = childrenOf(gateway.pid);
    expect(isAlive(pid!)).toBe(true);
    gateway.kill('SIGKILL');
    await expect.poll(() => isAlive(pid!), PATIENCE).toBe(false);
    cluster = await startCluster(1, { spikeDriver: DRIVER, durability: 'sync' }, data);
    const message = 'The gateway that ran it ended before the spike did.';
    expect(await overview()).toMatchObject({ running: null, last: { ...seconds(60), line: { state: 'failed', message } } });
  });
});

describe('a spike with conditions', () => {
  const conditionsAt = async (gateway: number) => {
    const { locks, phasing, combining } = (await cluster!.gateways[gateway]!.rest.inject('/v1/admin/conditions')).json();
    return { locks, phasing, combining };
  };
  const put = (gateway: number, conditions: object) =>
    cluster!.gateways[gateway]!.rest.inject({ method: 'PUT', url: '/v1/admin/conditions', payload: conditions });
  const begins = async (text: string) => {
    cluster = await startCluster(2, { spikeDriver: program(text) });
    expect((await begun(seconds(1, { conditions: RW }))).body).toMatchObject({ conditions: RW });
    expect([await conditionsAt(0), await conditionsAt(1)]).toEqual([RW, RW]);
  };
  const STAYS = `console.log('{"state":"running"}'); process.stdin.on('end', () => process.exit()).resume();`;

  test('runs under them, and the cluster gets its earlier conditions back at any end', async () => {
    const end = join(folder, 'end-now');
    await begins(`import { existsSync } from 'node:fs';
      setInterval(() => existsSync(${JSON.stringify(end)}) && process.kill(process.pid, 'SIGKILL'), 20);`);
    writeFileSync(end, '');
    await idle();
    expect([await conditionsAt(0), await conditionsAt(1)]).toEqual([FULL, FULL]);
    await cluster!.close();
    await begins(STAYS);
    await running();
    await call('DELETE');
    expect([await conditionsAt(0), await conditionsAt(1)]).toEqual([FULL, FULL]);
  });

  test('keeps conditions that were set meanwhile, at any gateway', async () => {
    await begins(STAYS);
    const theirs = { ...FULL, combining: 'off' };
    await expect.poll(async () => (await put(1, theirs)).statusCode).toBe(200);
    await call('DELETE');
    expect([await conditionsAt(0), await conditionsAt(1)]).toEqual([theirs, theirs]);
  });

  const stay = async (stages: object[]) => {
    cluster = await startCluster(2, { spikeDriver: program(STAYS) });
    await begun(seconds(60, { conditions: RW, stages }));
    await running();
  };
  const switched = (body: object) =>
    cluster!.gateways[0]!.rest.inject({ method: 'PUT', url: '/v1/admin/spikes/conditions', payload: body });
  const PHASING = { ...FULL, combining: 'off' };
  /** Time to switch the cluster before a stage does, and then for the stage to come. */
  const [LATER_S, PAST_MS] = [2, 2_500];
  const SOON = { after_s: 0.05, conditions: { locks: 'abstract', phasing: false, combining: 'off' } };

  test('switches the cluster stage by stage, and back at its end', async () => {
    for (const stages of [[SOON], [SOON, { after_s: 0.1, conditions: PHASING }]]) {
      await stay(stages);
      await expect.poll(() => conditionsAt(1), PATIENCE).toEqual(stages.at(-1)!.conditions);
      await call('DELETE');
      expect([await conditionsAt(0), await conditionsAt(1)]).toEqual([FULL, FULL]);
      await cluster!.close();
      cluster = undefined;
    }
  });

  test('leaves out the stages to come once it is switched by hand, and still gives the conditions back', async () => {
    await stay([{ after_s: LATER_S, conditions: PHASING }]);
    await expect.poll(async () => (await switched(SOON.conditions)).statusCode).toBe(200);
    await new Promise((resolve) => setTimeout(resolve, PAST_MS));
    expect(await conditionsAt(1)).toEqual(SOON.conditions);
    await call('DELETE');
    expect([await conditionsAt(0), await conditionsAt(1)]).toEqual([FULL, FULL]);
    expect((await switched(RW)).json()).toMatchObject({ code: 'no_spike', retryable: false });
  });

  test('leaves out its stages once somebody else has switched the cluster', async () => {
    await stay([{ after_s: LATER_S, conditions: PHASING }]);
    await expect.poll(async () => (await put(1, SOON.conditions)).statusCode).toBe(200);
    await new Promise((resolve) => setTimeout(resolve, PAST_MS));
    expect(await conditionsAt(1)).toEqual(SOON.conditions);
    await call('DELETE');
    expect([await conditionsAt(0), await conditionsAt(1)]).toEqual([SOON.conditions, SOON.conditions]);
  });

  test('restores the conditions when its gateway closes', async () => {
    await begins(STAYS);
    await running();
    await cluster!.gateways[0]!.close();
    expect(await conditionsAt(1)).toEqual(FULL);
  });

  test('does not begin if they cannot be set', async () => {
    cluster = await startCluster(2, { spikeDriver: program(STAYS) });
    await cluster.gateways[1]!.close();
    expect((await call('POST', seconds(1, { conditions: RW }))).body.code).toBe('shard_unavailable');
    expect(await overview()).toMatchObject({ running: null, last: null });
    expect(await conditionsAt(0)).toEqual(FULL);
  });
});

describe('a faulty driver is reported', () => {
  const lastWith = async (text: string) => {
    cluster = await startCluster(1, { spikeDriver: program(text) });
    await call('POST', seconds(1));
    return (await idle()).line!;
  };

  test('with its error message if it crashes', async () => {
    expect(await lastWith(`console.log('{"state":"running","committed":7}'); await null; throw new TypeError('no such thing');`)).toEqual({
      state: 'failed',
      committed: 7,
      message: 'The driver ended with exit code 1: TypeError: no such thing',
    });
  });

  test('with the signal that ended it', async () => {
    expect((await lastWith(`process.kill(process.pid, 'SIGKILL');`)).message).toBe('The driver ended with SIGKILL.');
  });

  test('if its file is missing', async () => {
    cluster = await startCluster(1, { spikeDriver: join(folder, 'nothing.ts') });
    await call('POST', seconds(1));
    expect((await idle()).line).toMatchObject({ state: 'failed', message: expect.stringContaining('Cannot find module') });
  });

  test('if no process can be started because file descriptors have run out', async () => {
    const crowded = program(`
      import { openSync } from 'node:fs';
      import { Driver } from ${JSON.stringify(fileURLToPath(new URL('driver.ts', import.meta.url)))};
      try { for (;;) openSync('/dev/null'); } catch {}
      new Driver('none', [], '', 1, { onLine() {}, onEnd: (message) => process.stdout.write(message) });`);
    const { stdout } = await promisify(execFile)('sh', ['-c', 'ulimit -n 128; exec "$@"', 'sh', process.execPath, crowded]);
    expect(stdout).toMatch(/^The driver could not be started: .*EMFILE/);
  });

  test('with its own message, and other output is ignored', async () => {
    const lines = [
      'warning: {',
      '{"state":"resting"}',
      '[]',
      '{"state":"running","p50_ms":"fast"}',
      '{"state":"failed","message":"why","more":1}',
      'bye',
    ];
    expect(await lastWith(`console.log(${JSON.stringify(lines.join('\n'))}); process.exitCode = 1;`)).toEqual({
      state: 'failed',
      message: 'why',
    });
  });

  test('and killed if it does not end on request', async () => {
    cluster = await startCluster(1, {
      spikeDriver: program(`console.log('{"state":"running"}'); process.on('SIGTERM', () => {}); setInterval(() => {}, 1000);`),
    });
    await call('POST', seconds(1));
    await running();
    const { body } = await call('DELETE');
    expect(body.last!.line).toEqual({ state: 'failed', message: 'The driver did not end in time, and was killed.' });
  });
});

test('a closed laboratory starts nothing', async () => {
  const { Laboratory } = await import('./laboratory.ts');
  const laboratory = new Laboratory({ config: configOf(program('')), addresses: () => [], conditions: NONE, onMark: () => {} });
  await laboratory.close();
  await expect(laboratory.start({ spike: 'rawmix', seconds: 1, clients: 1 })).rejects.toMatchObject({ code: 'closing' });
  expect(laboratory.overview()).toMatchObject({ running: null, last: null });
});

test('marks show when the load began and ended; a spike without load has none', async () => {
  const { Laboratory } = await import('./laboratory.ts');
  const marks: object[] = [];
  const run = async (text: string) => {
    const laboratory = new Laboratory({
      config: configOf(program(text)),
      addresses: () => [],
      conditions: NONE,
      onMark: (what) => marks.push(what),
    });
    await laboratory.start({ spike: 'rawmix', seconds: 1, clients: 1 });
    await expect.poll(() => laboratory.overview().running, PATIENCE).toBeNull();
    return marks.splice(0);
  };
  const running2 = `console.log('{"state":"preparing"}\\n{"state":"running"}\\n{"state":"running"}\\n{"state":"ended"}')`;
  expect(await run(running2)).toEqual([
    { spike: 'began', name: 'rawmix' },
    { spike: 'ended', name: 'rawmix' },
  ]);
  expect(await run(`console.log('{"state":"preparing"}\\n{"state":"failed"}')`)).toEqual([]);
  expect(await run(`console.log('{"state":"running"}'); process.exitCode = 1;`)).toEqual([
    { spike: 'began', name: 'rawmix' },
    { spike: 'ended', name: 'rawmix' },
  ]);
});

test('the end mark is at the end of the load, not of the driver', async () => {
  const { Laboratory } = await import('./laboratory.ts');
  const marks: object[] = [];
  const checks = `console.log('{"state":"running"}\\n{"state":"checking"}'); setInterval(() => {}, 1000);`;
  const laboratory = new Laboratory({
    config: configOf(program(checks)),
    addresses: () => [],
    conditions: NONE,
    onMark: (what) => marks.push(what),
  });
  await laboratory.start({ spike: 'rawmix', seconds: 1, clients: 1 });
  await expect
    .poll(() => marks, PATIENCE)
    .toEqual([
      { spike: 'began', name: 'rawmix' },
      { spike: 'ended', name: 'rawmix' },
    ]);
  expect(laboratory.overview().running?.line?.state).toBe('checking');
  await laboratory.close();
  expect(marks).toHaveLength(2);
});

describe('refused:', () => {
  const WRONG: readonly (readonly [string, object])[] = [
    ['another spike', { spike: 'flood', seconds: 1, clients: 1 }],
    ['no spike', { seconds: 1, clients: 1 }],
    ['no seconds', { spike: 'rawmix', clients: 1 }],
    ['too short', seconds(0.5)],
    ['too long', seconds(121)],
    ['seconds in words', { spike: 'rawmix', seconds: '5', clients: 1 }],
    ['nobody', seconds(1, { clients: 0 })],
    ['half a client', seconds(1, { clients: 1.5 })],
    ['too many', seconds(1, { clients: 385 })],
    ['a skew beyond all', { spike: 'rawmix', seconds: 1, clients: 1, alpha: 2.1 }],
    ['a negative skew', { spike: 'rawmix', seconds: 1, clients: 1, alpha: -0.1 }],
    ['more writes than operations', { spike: 'rawmix', seconds: 1, clients: 1, update: 1.1 }],
    ['a skew where nothing is drawn', seconds(1, { alpha: 1 })],
    ['something more', seconds(1, { program: '/bin/sh' })],
    ['a list', []],
  ];

  test('an invalid request for a spike', async () => {
    cluster = await startCluster(1, { spikeDriver: program('') });
    for (const [what, wish] of WRONG) {
      const { status, body } = await call('POST', wish);
      expect([what, status, body.code]).toEqual([what, 400, 'invalid_request']);
    }
    expect(await overview()).toMatchObject({ running: null, last: null });
  });

  test('the death of a shard, where no launcher would start it again', async () => {
    cluster = await startCluster(1, { spikeDriver: program('') });
    expect(await overview()).toMatchObject({ kills: false });
    const { status, body } = await kill(0);
    expect([status, body.code]).toEqual([409, 'kill_refused']);
  });

  test('any request if there is no laboratory', async () => {
    cluster = await startCluster(1);
    for (const [method, wish] of [['GET'], ['POST', seconds(1)], ['DELETE']] as const) {
      const { status, body } = await call(method, wish);
      expect([method, status, body.code]).toEqual([method, 403, 'laboratory_closed']);
    }
  });

  test('a request from a page of another origin', async () => {
    cluster = await startCluster(1, { spikeDriver: program('') });
    for (const [method, wish] of [['POST', seconds(1)], ['DELETE']] as const) {
      const { status, body } = await call(method, wish, { ...JSON_TYPE, origin: 'http://elsewhere.example', host: 'localhost' });
      expect([method, status, body.code]).toEqual([method, 403, 'forbidden_origin']);
    }
    expect((await overview()).last).toBeNull();
  });

  test('a request without the JSON content type, which a form cannot send, with a body and without', async () => {
    cluster = await startCluster(1, { spikeDriver: program('') });
    for (const type of [
      {},
      { 'content-type': 'text/plain' },
      { 'content-type': 'application/x-www-form-urlencoded' },
      { 'content-type': 'application/json-seq' },
    ]) {
      for (const [method, wish] of [['POST', seconds(1)], ['POST'], ['DELETE']] as const) {
        const { status, body } = await call(method, wish, type as Record<string, string>);
        expect([method, type, status, body.code]).toEqual([method, type, 415, 'unsupported_media_type']);
      }
    }
    expect((await call('POST', seconds(1), { 'content-type': 'Application/JSON; charset=utf-8' })).status).toBe(201);
    await idle();
  });
});
