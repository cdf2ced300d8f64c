// Memory after clients have disconnected: nothing that grows with their number is kept.
import { EventEmitter } from 'node:events';
import { Socket } from 'node:net';
import { queryObjects } from 'node:v8';
import { connect } from '@claret/client';
import { afterEach, expect, test } from 'vitest';
import { startCluster } from '../testing/cluster.ts';
import type { TestCluster } from '../testing/cluster.ts';

const CLIENTS = 60;
const AT_ONCE = 10;

let cluster: TestCluster | undefined;
afterEach(async () => {
  await cluster?.close();
  cluster = undefined;
});

/** Counts the live objects of a class after a garbage collection. Sockets, streams and HTTP/2 connections are all event emitters. */
const alive = (of: new () => unknown): number => queryObjects(of, { format: 'count' }) as unknown as number;

test('no socket, no stream and no connection of a client outlives it', async () => {
  cluster = await startCluster(1);
  const [gateway] = cluster.gateways;
  const { grpc } = gateway!.member;
  const comeAndGo = async (): Promise<void> => {
    const claret = await connect({ addresses: [grpc] });
    await claret.transact('Add', [claret.on.counter('visits').add(1)]);
    await claret.close();
  };
  const sessions = (): number => gateway!.host.counters().sessions;
  const ownSessions = sessions();
  const expectAllGone = async (): Promise<void> => {
    await expect.poll(sessions).toBe(ownSessions);
  };
  const counted = () => ({ sockets: alive(Socket), emitters: alive(EventEmitter) });
  await comeAndGo();
  await expectAllGone();
  const before = counted();
  for (let n = 0; n < CLIENTS; n += AT_ONCE) await Promise.all(Array.from({ length: AT_ONCE }, comeAndGo));
  await expectAllGone();
  const { sockets, emitters } = before;
  const few = CLIENTS / 2; // one client had ten; those that a timer still holds do not matter
  const grown = () => {
    const now = counted();
    return now.sockets > sockets + 5 || now.emitters > emitters + few;
  };
  await expect.poll(grown, { interval: 2_000 }).toBe(false);
});
