// Reference data: the topology and the meaning of error codes.
import Type from 'typebox';
import { CAUSES, ERRORS, GatewayError, TYPES_OWN_REFUSAL, isErrorCode, isRefusalCode } from '../errors.ts';
import type { ErrorCode, RefusalCode } from '../errors.ts';
import type { Overview } from '../replication/overview.ts';
import type { Services } from '../services.ts';
import { responses } from './schemas.ts';
import type { RestServer } from './rest-server.ts';

const tags = ['reference'];

const addresses = {
  address: Type.String({ description: 'host:port of gRPC' }),
  rest_address: Type.String(),
  resp_address: Type.Optional(Type.String({ description: 'host:port of the Redis door, if there is one' })),
};
const Followed = Type.Object({
  shard: Type.Integer(),
  position: Type.Integer({ description: 'the last entry of the log of the shard that the standby has restored' }),
  ready: Type.Boolean({ description: 'it has reached the end of the log, and can take the shard over within moments' }),
});
const Topology = Type.Object({
  version: Type.Integer({ description: '1 at first; it grows with each move of slots and each take-over of a shard' }),
  durability: Type.String({ description: 'none, async or sync' }),
  cluster_name: Type.String(),
  replicated: Type.Boolean({ description: 'another gateway may take a shard over at any time' }),
  shards: Type.Array(
    Type.Object({
      shard: Type.Integer(),
      ...addresses,
      slots: Type.Array(
        Type.Object({
          first: Type.Integer(),
          last: Type.Integer({ description: 'inclusive, of 16,384 slots' }),
          version: Type.Integer({ description: 'how often they have moved' }),
        }),
        { description: 'runs of slots, in order' },
      ),
      incarnation: Type.Optional(Type.Integer({ description: 'grows with each owner; only if replicated' })),
      since_ms: Type.Optional(Type.Number({ description: 'when the owner took the shard, by its wall clock; only if replicated' })),
    }),
  ),
  standbys: Type.Array(Type.Object({ ...addresses, follows: Type.Array(Followed) }), {
    description: 'the gateways that own no shard at present',
  }),
});

const ErrorEntry = Type.Object({
  code: Type.String(),
  title: Type.String(),
  meaning: Type.String(),
  http: Type.Integer(),
  grpc: Type.String(),
  retryable: Type.Boolean(),
});

const CauseEntry = Type.Object({
  cause: Type.String(),
  meaning: Type.String(),
  names: Type.String({ description: 'the meaning of key, operation, blocking_operation and blocking_label with this cause' }),
});
const Errors = Type.Object({ errors: Type.Array(ErrorEntry), causes: Type.Array(CauseEntry) });
const CodeParams = Type.Object({ code: Type.String({ description: 'code of an error', examples: ['below_bound'] }) });

const errorEntry = (code: ErrorCode | RefusalCode) => ({ code, ...(isErrorCode(code) ? ERRORS[code] : TYPES_OWN_REFUSAL) });

function sinceOf(shard: number, overview: Overview | undefined) {
  const owner = overview?.owners.find((one) => one.shard === shard);
  return owner && { incarnation: owner.incarnation, since_ms: owner.sinceMs };
}

function followedBy(address: string, overview: Overview | undefined) {
  const standby = overview?.standbys.find(({ grpc }) => grpc === address);
  return (standby?.follows ?? []).map(({ shard, position, isReady }) => ({ shard, position, ready: isReady }));
}

export function addReference(app: RestServer, { topology, overview }: Services): void {
  app.get(
    '/topology',
    {
      schema: {
        tags,
        summary: 'List the shards with their addresses and slots, and the standbys with what they follow',
        response: responses(200, 'The topology', Topology),
      },
    },
    () => ({
      version: topology.version,
      durability: topology.durability,
      cluster_name: topology.clusterName,
      replicated: topology.replicated,
      shards: topology.members.map(({ shard, grpc, rest, resp, slots }) => ({
        shard,
        address: grpc,
        rest_address: rest,
        resp_address: resp,
        slots: [...slots],
        ...sinceOf(shard, overview),
      })),
      standbys: topology.standbys.map(({ grpc, rest, resp }) => ({
        address: grpc,
        rest_address: rest,
        resp_address: resp,
        follows: followedBy(grpc, overview),
      })),
    }),
  );

  app.get(
    '/errors',
    { schema: { tags, summary: 'List the error codes and causes', response: responses(200, 'All codes', Errors) } },
    () => ({
      errors: (Object.keys(ERRORS) as ErrorCode[]).map(errorEntry),
      causes: Object.entries(CAUSES).map(([cause, entry]) => ({ cause, ...entry })),
    }),
  );

  app.get(
    '/errors/:code',
    { schema: { tags, summary: 'Explain an error code', params: CodeParams, response: responses(200, 'The code', ErrorEntry) } },
    (request) => {
      const { code } = request.params;
      if (!isErrorCode(code) && !isRefusalCode(code)) throw new GatewayError('route_not_found', 'There is no such error code.');
      return errorEntry(code);
    },
  );
}
