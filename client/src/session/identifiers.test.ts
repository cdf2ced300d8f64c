// Identifiers that clients make, beside those that shards draw.

import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Claret } from '../claret.ts';
import { systemEnvironment } from '../environment/system-environment.ts';
import { inProcessCluster, type InProcessCluster } from '../testing/in-process-cluster.ts';
import { Identifiers } from './identifiers.ts';

let cluster: InProcessCluster;

beforeEach(async () => {
  cluster = await inProcessCluster({ shards: 2 });
});
afterEach(() => cluster.stop());

const draw = (claret: Claret) => claret.transaction('Draw', (tx) => [tx.newId(), tx.newId()]);
/** of an identifier that a client makes */
const stemOf = (id: string) => id.split('-').slice(0, 3).join('-');

it('nobody gets an identifier twice: neither clients, nor sessions of one client, nor who draws at the shard', async () => {
  const ids: string[] = [];
  const clients = await Promise.all(Array.from({ length: 5 }, () => cluster.connect()));
  for (const claret of clients) await claret.clock.ready();
  for (let round = 0; round < 3; round++) {
    for (const claret of clients) {
      ids.push(...(await draw(claret)));
      for (let n = 0; n < 2; n++) ids.push(await claret.native.uidGenerator('ids').next());
    }
    const stems = new Set(ids.map(stemOf));
    for (const host of cluster.hosts) host.breakSessions();
    // New sessions have new stems.
    for (const claret of clients) await expect.poll(async () => stems.has(stemOf((await draw(claret))[0]!))).toBe(false);
  }
  expect(ids.length).toBe(3 * 5 * 4);
  expect(new Set(ids).size).toBe(ids.length);
});

it('a client that no shard has welcomed yet draws by chance', () => {
  const ids = new Identifiers(systemEnvironment);
  const early = [ids.next(), ids.next()];
  for (const id of early) expect(id).toMatch(/^[0-9a-z]{10,25}$/);
  expect(early[0]).not.toBe(early[1]);
  const incarnation = { high: 0, low: 40 };
  ids.onWelcome({ shard: 2, incarnation, serial: 36 });
  expect([ids.next(), ids.next()]).toEqual(['14-10-2-1', '14-10-2-2']);
  ids.onWelcome({ shard: 0, incarnation, serial: 37 });
  expect(ids.next()).toBe('14-11-0-1');
});
