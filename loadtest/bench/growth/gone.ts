// Loads that leave nothing behind: reads of records that are absent, records that expire, sessions that end. Memory that grows under them is lost.

import { connect } from '@claret/client';
import { createClient } from 'redis';
import type { Cluster } from '../../../scripts/cluster.js';
import { counted, STEP_MAX, type StartLoad } from './load.ts';

const EXPIRES_MS = 1_000;
/** Each has a pipeline of one step under way. */
const PIPELINES = 4;
const SESSIONS_AT_ONCE = 16;

/** A connection to each Redis door. */
async function doorsOf({ gateways }: Cluster) {
  const doors = gateways.map(({ resp }) => createClient({ url: `redis://${resp!}` }));
  for (const door of doors) {
    door.on('error', () => {}); // the commands under way fail, and with them the load
    await door.connect();
  }
  return doors;
}

export const absent: StartLoad = async (cluster, count) => {
  const [doors, claret] = [await doorsOf(cluster), await connect({ addresses: cluster.gateways.map(({ grpc }) => grpc) })];
  const about = 'GET of keys that are absent through the Redis doors, and one transaction in each 256 that reads four';
  return counted(
    { about, unit: 'reads', clients: PIPELINES, count },
    async (from) => {
      const door = doors[(from / STEP_MAX) % doors.length]!;
      const keys = Array.from({ length: STEP_MAX - 4 }, (_, i) => `absent:${from + i}`);
      const four = [0, 1, 2, 3].map((i) => claret.on.register(`absent:${from + keys.length + i}`).get());
      const [values, read] = await Promise.all([Promise.all(keys.map((key) => door.get(key))), claret.transact('Absent', four)]);
      if ([...values, ...read].some((value) => value !== null)) throw new Error('an absent key has a value');
      return STEP_MAX;
    },
    () => Promise.all([claret.close(), ...doors.map((door) => door.close())]),
  );
};

export const expiring: StartLoad = async (cluster, count) => {
  const doors = await doorsOf(cluster);
  return counted(
    {
      about: `SET of a new key each, which expires after ${EXPIRES_MS / 1_000} s, through the Redis doors`,
      unit: 'keys',
      clients: PIPELINES,
      count,
    },
    async (from) => {
      const door = doors[(from / STEP_MAX) % doors.length]!;
      await Promise.all(Array.from({ length: STEP_MAX }, (_, i) => door.set(`expires:${from + i}`, 'a value', { PX: EXPIRES_MS })));
      return STEP_MAX;
    },
    () => Promise.all(doors.map((door) => door.close())),
  );
};

export const sessions: StartLoad = async ({ gateways }, count) => {
  const addresses = gateways.map(({ grpc }) => grpc);
  const visit = async (name: number) => {
    const claret = await connect({ addresses, name: `visitor ${name}` });
    await claret.native.counter('visits').add(1);
    await claret.close();
  };
  return counted(
    { about: 'clients that connect to all gateways, add to a counter and leave', unit: 'clients', clients: SESSIONS_AT_ONCE, count },
    async (from) => {
      let done = 0;
      for (; done < STEP_MAX; done++) await visit(from + done);
      return done;
    },
  );
};
