// Whoever knows the cluster's token can pose as a shard that joins. Such a shard is not sent the admin token, and no data type is taken from it.
import { Metadata, Server, ServerCredentials } from '@grpc/grpc-js';
import type { MethodDefinition, ServerUnaryCall, sendUnaryData } from '@grpc/grpc-js';
import { expect, test } from 'vitest';
import { freePorts } from '../../scripts/run/ports.js';
import { claretService } from './grpc/proto.ts';
import { startCluster } from './testing/cluster.ts';
import type { TestCluster } from './testing/cluster.ts';
import { SEAT_MAP, TALLY } from './testing/definitions.ts';

const TOKEN = 'correct-horse-battery-staple';
const ADMIN = 'battery-staple-correct-horse';

/** Has a type that nobody has tried, and notes the tokens of those that call it. */
class FalseShard {
  readonly tokens: string[] = [];
  private readonly server = new Server();
  private readonly type = { id: 128, name: 'Tally', version: '1', hash: 'ab', retired: false, definition: TALLY };

  async start(address: string): Promise<void> {
    const answer = (call: ServerUnaryCall<unknown, unknown>, callback: sendUnaryData<unknown>) => {
      this.tokens.push(String(call.metadata.get('authorization')[0]));
      callback(null, { types: [this.type], done: true });
    };
    const { GetTypes, FollowType } = claretService as Record<string, MethodDefinition<object, object>>;
    this.server.addService({ GetTypes: GetTypes!, FollowType: FollowType! }, { GetTypes: answer, FollowType: answer });
    await new Promise<void>((resolve, reject) => {
      this.server.bindAsync(address, ServerCredentials.createInsecure(), (error) => (error === null ? resolve() : reject(error)));
    });
  }

  close = () => this.server.forceShutdown();
}

/** A call with the cluster's token. */
function callWithToken(cluster: TestCluster, shard: number, name: string, request: object): Promise<unknown> {
  const { path, requestSerialize, responseDeserialize } = claretService[name] as MethodDefinition<object, object>;
  const metadata = new Metadata();
  metadata.set('authorization', `Bearer ${TOKEN}`);
  return new Promise((resolve, reject) => {
    cluster
      .grpcClient(shard)
      .makeUnaryRequest(path, requestSerialize, responseDeserialize, request, metadata, (error, answer) =>
        error === null ? resolve(answer) : reject(error),
      );
  });
}

test('a false shard gets no admin token, and its types are taken by nobody', async () => {
  const cluster = await startCluster(2, { token: TOKEN, adminToken: ADMIN });
  const installed = async (shard: number) => (await cluster.gateways[shard]!.rest.inject('/v1/types')).json().installed;
  const [grpc, rest] = (await freePorts(2)).map((port) => `127.0.0.1:${port}`);
  const other = new FalseShard();
  await other.start(grpc!);
  for (const shard of [0, 1]) await callWithToken(cluster, shard, 'Greet', { shard: 2, address: grpc, restAddress: rest });
  const answer = await cluster.gateways[1]!.rest.inject({
    method: 'POST',
    url: '/v1/types',
    headers: { authorization: `Bearer ${ADMIN}` },
    payload: { definition: SEAT_MAP },
  });
  expect([answer.statusCode, answer.json().code]).toEqual([409, 'type_conflict']);
  expect(other.tokens.length).toBeGreaterThan(0);
  expect(new Set(other.tokens)).toEqual(new Set([`Bearer ${TOKEN}`]));
  await callWithToken(cluster, 1, 'FollowType', { id: 128 }).catch(() => {});
  for (const shard of [0, 1]) expect(await installed(shard)).toEqual([]);
  other.close();
  await cluster.close();
});
