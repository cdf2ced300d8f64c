// What a caller can look up: the data types, where the slots are, and what the error codes mean.
import Type from 'typebox';
import { CAUSES, ERRORS, GatewayError, isErrorCode } from '../errors.ts';
import type { ErrorCode } from '../errors.ts';
import type { Services } from '../services.ts';
import { responses } from './schemas.ts';
import type { RestServer } from './server.ts';

const tags = ['reference'];

const Topology = Type.Object({
  version: Type.Integer(),
  durability: Type.String({ description: 'none | async | sync' }),
  cluster_name: Type.String(),
  shards: Type.Array(
    Type.Object({
      shard: Type.Integer(),
      address: Type.String({ description: 'host:port of its gRPC' }),
      rest_address: Type.String(),
      first_slot: Type.Integer(),
      last_slot: Type.Integer({ description: 'inclusive; there are 16,384 slots' }),
    }),
  ),
});

const ErrorEntry = Type.Object({
  code: Type.String(),
  title: Type.String(),
  meaning: Type.String(),
  http: Type.Integer(),
  grpc: Type.String(),
  retryable: Type.Boolean(),
});

const Types = Type.Object({ types: Type.Array(Type.Unknown()) });
const CauseEntry = Type.Object({
  cause: Type.String(),
  meaning: Type.String(),
  names: Type.String({ description: 'what key, operation, blocking_operation and blocking_label say then' }),
});
const Errors = Type.Object({ errors: Type.Array(ErrorEntry), causes: Type.Array(CauseEntry) });
const CodeParams = Type.Object({ code: Type.String() });

const errorEntry = (code: ErrorCode) => ({ code, ...ERRORS[code] });

export function addReference(app: RestServer, { catalogue, topology }: Services): void {
  app.get(
    '/types',
    { schema: { tags, summary: 'Every data type with its operations and commutativity', response: responses(200, Types) } },
    async (_request, reply) => {
      reply.type('application/json; charset=utf-8').serializer(() => catalogue.json); // already JSON
      return { types: [] };
    },
  );

  app.get('/topology', { schema: { tags, summary: 'Where the slots are', response: responses(200, Topology) } }, () => ({
    version: topology.version,
    durability: topology.durability,
    cluster_name: topology.clusterName,
    shards: topology.members.map(({ shard, grpc, rest, firstSlot, lastSlot }) => (
      { shard, address: grpc, rest_address: rest, first_slot: firstSlot, last_slot: lastSlot }
    )),
  }));

  app.get(
    '/errors',
    { schema: { tags, summary: 'Every error code, and every cause', response: responses(200, Errors) } },
    () => ({
      errors: (Object.keys(ERRORS) as ErrorCode[]).map(errorEntry),
      causes: Object.entries(CAUSES).map(([cause, entry]) => ({ cause, ...entry })),
    }),
  );

  app.get(
    '/errors/:code',
    { schema: { tags, summary: 'What an error code means', params: CodeParams, response: responses(200, ErrorEntry) } },
    (request) => {
      const { code } = request.params;
      if (!isErrorCode(code)) throw new GatewayError('route_not_found', 'There is no such error code.');
      return errorEntry(code);
    },
  );
}
