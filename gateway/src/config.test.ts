import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ConfigError, ConfigSchema, DEFAULTS, helpText, ownAddresses, readConfig } from './config.ts';
import { parseCluster } from './cluster.ts';

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'claret-config-'));
});
afterAll(() => rmSync(dir, { recursive: true }));
const file = (content: string): string => {
  const path = join(dir, `${Math.random()}.json`);
  writeFileSync(path, content);
  return path;
};

test('by default the gateway binds to loopback', () => {
  const { config } = readConfig([], {});
  expect(config).toEqual({ ...DEFAULTS, dataDir: '.data/shard-0', pollMicroseconds: config.pollMicroseconds });
  expect(config.cluster).toBe('127.0.0.1:7401/127.0.0.1:7400');
});

test('a flag beats the environment, which beats the file, which beats the default', () => {
  const path = file('{"idleMs": 11, "phaseCapMs": 12, "woundDelayMs": 13}');
  const env = { CLARET_PHASE_CAP_MS: '22', CLARET_WOUND_DELAY_MS: '23' };
  const { config } = readConfig(['--config', path, '--wound-delay-ms', '33'], env);
  expect([config.woundGraceMs, config.idleMs, config.phaseCapMs, config.woundDelayMs]).toEqual([DEFAULTS.woundGraceMs, 11, 22, 33]);
});

test('by default a gateway polls if the host has a CPU beyond those for its gateways and a log’s disk', () => {
  const cluster = (host: (shard: number) => string, shards: number) =>
    Array.from({ length: shards }, (_, shard) => `${host(shard)}:${9000 + 2 * shard}/${host(shard)}:${9001 + 2 * shard}`).join(',');
  const polls = (...args: string[]) => readConfig(args, { CLARET_TOKEN: 'x'.repeat(16) }).config.pollMicroseconds;
  const crowded = availableParallelism();
  expect(
    polls(
      '--cluster',
      cluster(() => '127.0.0.1', crowded),
    ),
  ).toBe(0);
  const apart = cluster((shard) => `10.0.0.${shard}`, crowded);
  expect(polls('--cluster', apart, '--durability', 'none')).toBe(crowded > 1 ? 200 : 0);
  expect(polls('--cluster', apart)).toBe(crowded > 2 ? 200 : 0);
  expect(
    polls(
      '--cluster',
      cluster(() => '127.0.0.1', crowded),
      '--poll-microseconds',
      '50',
    ),
  ).toBe(50);
});

test('the file can be named by the environment', () => {
  expect(readConfig([], { CLARET_CONFIG: file('{"idleMs": 77}') }).config.idleMs).toBe(77);
});

test('booleans can be spelled in several ways', () => {
  expect(readConfig(['--phasing=off'], { CLARET_EXIT_WITH_PARENT: '1' }).config).toMatchObject({ phasing: false, exitWithParent: true });
});

test('--print-config and --help are not settings', () => {
  expect(readConfig(['--print-config'], {})).toMatchObject({ printConfig: true, help: false });
  expect(readConfig(['--help'], {}).help).toBe(true);
  expect(helpText()).toContain('--session-lease-ms 5000');
});

describe('a wrong setting is refused with its name, its origin and the allowed values:', () => {
  const two = '127.0.0.1:1/127.0.0.1:2,127.0.0.1:3/127.0.0.1:4';
  const rows: [string, string[], NodeJS.ProcessEnv, string | undefined, RegExp][] = [
    ['text for a number', ['--idle-ms', 'soon'], {}, undefined, /--idle-ms: "soon" is not an integer from 10 to 600000/],
    ['a fraction', ['--idle-ms', '12.5'], {}, undefined, /--idle-ms/],
    [
      'a number out of bounds',
      [],
      { CLARET_POLL_MICROSECONDS: '5000' },
      undefined,
      /CLARET_POLL_MICROSECONDS: 5000 is not an integer from -1 to 1000/,
    ],
    ['a word that is no choice', ['--locks', 'loose'], {}, undefined, /"loose" is not one of rw, abstract/],
    ['a value that there was once', [], { CLARET_COMBINING: 'on' }, undefined, /CLARET_COMBINING: "on" is not one of off, auto/],
    ['another one', [], {}, '{"warranties": "on"}', /warranties in .*"on" is not one of off, auto/],
    ['a setting that there was once', [], {}, '{"natives": "pass"}', /there is no setting 'natives'/],
    ['an unknown flag', ['--colour', 'red'], {}, undefined, /colour/],
    ['a stray word', ['start'], {}, undefined, /start/],
    ['a flag without its value', ['--idle-ms'], {}, undefined, /idle-ms/],
    ['an unknown setting in the file', [], {}, '{"colour": 1}', /there is no setting 'colour'/],
    ['a wrong type in the file', [], {}, '{"idleMs": "12"}', /idleMs in .*"12" is not an integer/],
    ['a file that is not JSON', [], {}, '{', /cannot read the configuration file/],
    ['a file that is not an object', [], {}, '[1]', /must hold a JSON object/],
    ['a shard outside of the cluster', ['--shard', '2', '--cluster', two], {}, undefined, /--shard: there is no shard 2 in a cluster of 2/],
    ['half a pair', ['--cluster', '127.0.0.1:1'], {}, undefined, /--cluster: '127.0.0.1:1' is not a pair/],
    ['a port that is none', ['--cluster', '127.0.0.1:99999/127.0.0.1:1'], {}, undefined, /'127.0.0.1:99999' is not host:port/],
    ['one address twice', ['--cluster', '127.0.0.1:1/127.0.0.1:1'], {}, undefined, /used twice/],
    [
      'four addresses',
      ['--cluster', 'h:1/h:2/h:3/h:4'],
      {},
      undefined,
      /--cluster: 'h:1\/h:2\/h:3\/h:4' is not a pair .* with or without a third/,
    ],
    ['a third address that is empty', ['--cluster', '127.0.0.1:1/127.0.0.1:2/'], {}, undefined, /--cluster: '.*\/' is not a pair/],
    ['a door without a port', ['--cluster', '127.0.0.1:1/127.0.0.1:2/127.0.0.1'], {}, undefined, /'127.0.0.1' is not host:port/],
    [
      'a door at the address of another gateway',
      ['--cluster', '127.0.0.1:1/127.0.0.1:2/127.0.0.1:4,127.0.0.1:3/127.0.0.1:4'],
      {},
      undefined,
      /--cluster: '127.0.0.1:4' is used twice/,
    ],
    ['a port of the door that is none', ['--resp-port', '65536'], {}, undefined, /--resp-port: 65536 is not an integer from 0 to 65535/],
    ['the port of REST for the door', [], { CLARET_RESP_PORT: '7400' }, undefined, /CLARET_RESP_PORT: '127.0.0.1:7400' is used twice/],
    [
      'two ports for one door',
      ['--resp-port', '6379', '--cluster', '127.0.0.1:1/127.0.0.1:2/127.0.0.1:3'],
      {},
      undefined,
      /--resp-port: the Redis door of this gateway is at '127.0.0.1:3'/,
    ],
    ['a redirect that is neither on nor off', ['--resp-redirect', 'moved'], {}, undefined, /--resp-redirect: "moved" is not on or off/],
    [
      'a door that everybody reaches',
      ['--cluster', '127.0.0.1:1/127.0.0.1:2/10.0.0.1:3'],
      {},
      undefined,
      /without a token everybody who reaches 10.0.0.1/,
    ],
    [
      'a standby whose door is that of a shard',
      [
        ...['--log', 'jetstream', '--nats', '127.0.0.1:4222', '--cluster', '127.0.0.1:1/127.0.0.1:2/127.0.0.1:3'],
        ...['--standby', '127.0.0.1:4/127.0.0.1:5/127.0.0.1:3'],
      ],
      {},
      undefined,
      /--standby: '.*' has an address of shard 0/,
    ],
    ['NATS servers for a local log', ['--nats', '127.0.0.1:4222'], {}, undefined, /--nats: only a gateway with the setting log=jetstream/],
    ['a standby of a local log', ['--standby', '127.0.0.1:1/127.0.0.1:2'], {}, undefined, /--standby: only shards with a replicated log/],
    [
      'a standby at a place of the cluster',
      ['--log', 'jetstream', '--nats', '127.0.0.1:4222', '--standby', '127.0.0.1:7401/127.0.0.1:7402'],
      {},
      undefined,
      /--standby: '127.0.0.1:7401\/127.0.0.1:7402' has an address of shard 0/,
    ],
    [
      'a standby that everybody reaches',
      ['--log', 'jetstream', '--nats', '127.0.0.1:4222', '--standby', '10.0.0.1:1/10.0.0.1:2'],
      {},
      undefined,
      /without a token everybody who reaches 10.0.0.1/,
    ],
    ['a replicated log without servers', ['--log', 'jetstream'], {}, undefined, /--log: .* needs the addresses of its NATS servers/],
    ['a server without a port', ['--log', 'jetstream', '--nats', '127.0.0.1'], {}, undefined, /--nats: '127.0.0.1' is not host:port/],
    [
      'servers that anybody reaches, without a secret',
      ['--log', 'jetstream', '--nats', '127.0.0.1:4222,10.0.0.1:4222'],
      { CLARET_NATS_TOKEN: '' },
      undefined,
      /--nats: everybody who reaches 10\.0\.0\.1 could read and change the log/,
    ],
    [
      'a replicated log that may lose the last second',
      ['--log', 'jetstream', '--nats', '127.0.0.1:4222', '--durability', 'async'],
      {},
      undefined,
      /--durability: a replicated log has durability sync only/,
    ],
    [
      'a name with a dot, for a replicated log',
      ['--log', 'jetstream', '--nats', '127.0.0.1:4222', '--cluster-name', 'a.b'],
      {},
      undefined,
      /--cluster-name: with a replicated log, the name takes no dot/,
    ],
    ['a default lifetime over the longest', ['--interactive-ms', '60000', '--interactive-ms-max', '1000'], {}, undefined, /interactiveMs/],
  ];
  test.each(rows)('%s', (_name, args, env, content, message) => {
    const all = content === undefined ? args : ['--config', file(content), ...args];
    expect(() => readConfig(all, env)).toThrow(message);
  });
});

test.each(['', '0', '-1', 'two', 'Infinity', 'NaN'])('CLARET_TRIAL_SECONDS=%o is refused at start', (text) => {
  expect(() => readConfig([], { CLARET_TRIAL_SECONDS: text })).toThrow(
    new ConfigError(`CLARET_TRIAL_SECONDS: ${JSON.stringify(text)} is not a positive number`),
  );
  expect(() => readConfig([], { CLARET_TRIAL_SECONDS: '0.2' })).not.toThrow();
});

describe('the Redis door of a gateway', () => {
  const doorOf = (...args: string[]) => ownAddresses(readConfig(args, { CLARET_TOKEN: 'x'.repeat(16) }).config).resp;
  const jetstream = ['--log', 'jetstream', '--nats', '127.0.0.1:4222'];

  test('is not there by default, and forwards where it is', () => {
    expect([doorOf(), DEFAULTS.respRedirect]).toEqual([undefined, false]);
    expect(readConfig(['--resp-redirect', 'on'], {}).config.respRedirect).toBe(true);
  });

  test('is where the third part of its place in the cluster says; a gateway without that part has none', () => {
    const cluster = ['--cluster', '127.0.0.1:1/127.0.0.1:2/127.0.0.1:3,127.0.0.1:4/127.0.0.1:5'];
    expect(doorOf(...cluster)).toBe('127.0.0.1:3');
    expect(doorOf(...cluster, '--shard', '1')).toBeUndefined();
    expect(parseCluster(cluster[1]!).map(({ resp }) => resp)).toEqual(['127.0.0.1:3', undefined]);
  });

  test.each([
    ['127.0.0.1:7401/127.0.0.1:7400', '127.0.0.1:6379'],
    ['db1:7401/127.0.0.1:7400', 'db1:6379'],
    ['[::1]:7401/[::1]:7400', '[::1]:6379'],
    ['db1:7401/db1:7400/redis.db1:6379', 'redis.db1:6379'],
  ])('of %s with the setting respPort is at %s', (cluster, door) => {
    expect(doorOf('--cluster', cluster, '--resp-port', '6379')).toBe(door);
  });

  test('of a standby is where that says, whatever the shards have', () => {
    const cluster = [...jetstream, '--cluster', '127.0.0.1:1/127.0.0.1:2/127.0.0.1:3'];
    expect(doorOf(...cluster, '--standby', '127.0.0.1:4/127.0.0.1:5/127.0.0.1:6')).toBe('127.0.0.1:6');
    expect(doorOf(...cluster, '--standby', '127.0.0.1:4/127.0.0.1:5')).toBeUndefined();
    expect(doorOf(...cluster, '--standby', '127.0.0.1:4/127.0.0.1:5', '--resp-port', '6')).toBe('127.0.0.1:6');
  });
});

test('with a token or a file of options, NATS servers may have any address', () => {
  const servers = ['--log', 'jetstream', '--nats', '10.0.0.1:4222'];
  expect(readConfig(servers, { CLARET_NATS_TOKEN: 'secret' }).config.natsToken).toBe('secret');
  expect(readConfig([...servers, '--nats-options', 'nats.json'], {}).config.natsOptions).toBe('nats.json');
});

test('the slots of a cluster cover every slot once, in order', () => {
  for (const shards of [1, 2, 3, 7, 16]) {
    const members = parseCluster(Array.from({ length: shards }, (_, i) => `h:${1000 + i}/h:${2000 + i}`).join(','));
    let next = 0;
    for (const member of members) {
      expect(member.slots[0]!.first).toBe(next);
      next = member.slots[0]!.last + 1;
    }
    expect(next).toBe(16_384);
  }
});

test('docs/running.md lists every setting with its default and its meaning', () => {
  const page = readFileSync(new URL('../../docs/running.md', import.meta.url), 'utf8');
  const settings = ConfigSchema.properties as unknown as Record<string, { default: unknown; description: string }>;
  for (const [name, { default: value, description }] of Object.entries(settings)) {
    const row = page.split('\n').find((line) => line.startsWith(`| \`${name}\` |`));
    expect(row, name).toContain(value === '' ? '|  |' : `| \`${String(value)}\` |`);
    expect(row, name).toContain(description);
  }
});
