// Connections to other gateways, with servers that take every call and never answer, as a gateway that stands still does.
import { Server, ServerCredentials } from '@grpc/grpc-js';
import type { UntypedServiceImplementation } from '@grpc/grpc-js';
import { afterEach, expect, test } from 'vitest';
import { parseCluster } from '../cluster.ts';
import type { ClusterMember } from '../cluster.ts';
import { Peers } from './peers.ts';
import { claretService } from './proto.ts';

const servers: Server[] = [];
const peers = new Peers({ token: '', adminToken: '' });
afterEach(() => {
  peers.close();
  for (const server of servers.splice(0)) server.forceShutdown();
});

/** The calls that have come to a server, by name. */
async function silentGateway(): Promise<{ member: ClusterMember; calls: string[] }> {
  const calls: string[] = [];
  const names = ['Session', 'WatchTelemetry', 'Backup', 'GetConditions'];
  const server = new Server();
  server.addService(
    Object.fromEntries(names.map((name) => [name, claretService[name]!])),
    Object.fromEntries(names.map((name) => [name, () => void calls.push(name)])) as UntypedServiceImplementation,
  );
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) => (error ? reject(error) : resolve(bound))),
  );
  servers.push(server);
  return { member: parseCluster(`127.0.0.1:${port}/h:1`)[0]!, calls };
}

const gone = (open: (handlers: { onClose: () => void }) => unknown) => new Promise<void>((resolve) => void open({ onClose: resolve }));
const ignored = { onFrame: () => {}, onWritable: () => {}, onMessage: () => {} };

test('an address that is forgotten breaks its streams and calls, and those of other addresses go on', async () => {
  const [moved, other] = [await silentGateway(), await silentGateway()];
  const ended: string[] = [];
  const sessionEnded = gone((handlers) => peers.openSession(moved.member, { ...ignored, ...handlers }));
  const telemetryEnded = gone((handlers) => peers.watchTelemetry(moved.member, { ...ignored, ...handlers }));
  const backup = peers.openShardBackup(moved.member);
  // Expected from the start: a call also ends when its time is over, which may be before all calls have come.
  const broken = Promise.allSettled([backup.ready(), peers.getConditions(moved.member)]);
  peers.openSession(other.member, { ...ignored, onClose: () => ended.push('other') });
  await expect.poll(() => [moved.calls.length, other.calls.length], { interval: 5 }).toEqual([4, 1]);
  peers.forget(moved.member.grpc);
  await Promise.all([sessionEnded, telemetryEnded]);
  expect(await broken).toMatchObject([
    { status: 'rejected', reason: { message: expect.stringMatching(/takes no part in the backup/) } },
    { status: 'rejected', reason: { code: 'shard_unavailable' } },
  ]);
  expect(ended).toEqual([]);
});

test('a member that has moved is reached at its new address', async () => {
  const [before, after] = [await silentGateway(), await silentGateway()];
  const { member } = before;
  const previous = member.grpc;
  const ended = gone((handlers) => peers.openSession(member, { ...ignored, ...handlers }));
  await expect.poll(() => before.calls, { interval: 5 }).toEqual(['Session']);
  member.grpc = after.member.grpc;
  peers.forget(previous);
  await ended;
  peers.openSession(member, { ...ignored, onClose: () => {} });
  await expect.poll(() => after.calls, { interval: 5 }).toEqual(['Session']);
  expect(before.calls).toEqual(['Session']);
});
