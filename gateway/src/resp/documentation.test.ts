// docs/redis.md against the core and a door: its tables are those of the catalogue, and it says of every command rightly whether it is there.
import { readFileSync } from 'node:fs';
import { catalogue } from '@claret/core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Catalogue } from '../../../client/scripts/catalogue.ts';
import { withCommands } from '../../../client/scripts/generate-redis-page.ts';
import { startCluster } from '../testing/cluster.ts';
import type { TestCluster } from '../testing/cluster.ts';
import { RedisClient } from '../testing/redis-client.ts';

const page = readFileSync(new URL('../../../docs/redis.md', import.meta.url), 'utf8');
const described = JSON.parse(catalogue()) as Catalogue;

let cluster: TestCluster;
let client: RedisClient;
beforeAll(async () => {
  cluster = await startCluster(1, { doors: true });
  client = await RedisClient.open(cluster.gateways[0]!.member.resp!);
});
afterAll(async () => {
  client?.close();
  await cluster?.close();
});

const upper = (name: string): string => name.replace('|', ' ').toUpperCase();
/** what stands in capitals between backticks: commands, and a few other words of Redis */
const namesIn = (text: string): string[] => [...text.matchAll(/`([A-Z_]+(?: [A-Z-]+)?)`/g)].map(([, name]) => name!);
const [there, missing] = page.split(/^## What is not there$/m) as [string, string];

test('the tables of commands are up to date with the core', () => {
  expect(withCommands(page, described)).toBe(page);
});

test('every command that a door knows is on the page', async () => {
  const names = ((await client.call('COMMAND', 'LIST')) as string[]).filter(
    (name, _, all) => !all.some((other) => other.startsWith(`${name}|`)),
  );
  const tables = there.slice(there.indexOf('## Commands'), there.indexOf('## What differs'));
  const listed = new Set(namesIn(tables));
  expect(names.map(upper).filter((name) => !listed.has(name))).toEqual([]);
  const known = new Set([...names.map(upper), 'COMMAND']);
  expect([...listed].filter((name) => !known.has(name))).toEqual([]);
});

test('no command that the page says is missing is there', async () => {
  const cells = missing.split('\n').flatMap((line) => (line.startsWith('| `') ? [line.split(' | ')[0]!] : []));
  expect(cells.length).toBeGreaterThan(10);
  const commands = cells.flatMap((cell) => namesIn(cell.replaceAll(/`BYLEX` of `ZRANGE`|`PFCOUNT` of several keys/g, '')));
  for (const name of commands) {
    expect([name, await client.call(...name.split(' '))]).toEqual([name, { error: expect.stringMatching(/^ERR unknown (?:sub)?command/) }]);
  }
});

test('what is not there of a command that is there is answered with the error on the page', async () => {
  await client.call('ZADD', 'ranking', 1, 'a');
  expect(await client.call('PFCOUNT', 'one', 'other')).toEqual({ error: /`(ERR PFCOUNT[^`]*)`/.exec(missing)![1] });
  expect(await client.call('ZRANGE', 'ranking', '-', '+', 'BYLEX')).toEqual({ error: /`(ERR BYLEX[^`]*)`/.exec(missing)![1] });
});
