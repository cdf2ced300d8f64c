// Interactive transactions: begin, operations over several requests, commit or abort. They end by themselves when their
// time is over. They are not retried: the gateway does not know what the caller would do on other results.
import type { FastifyRequest } from 'fastify';
import Type from 'typebox';
import type { Services } from '../services.ts';
import { CommittedSchema, LabelSchema, OperationsSchema, ResultsSchema, responses } from './schemas.ts';
import type { RestServer } from './server.ts';

const tags = ['interactive'];
const Params = Type.Object({ id: Type.String() });
const Begin = Type.Object(
  {
    label: Type.Optional(LabelSchema),
    expires_in_ms: Type.Optional(Type.Integer({ minimum: 1, description: 'aborted this long after it began; 10,000 by default' })),
  },
  { additionalProperties: false },
);
const Begun = Type.Object({
  id: Type.String({ description: 'unguessable; whoever knows it may use the transaction' }),
  expires_at: Type.String({ format: 'date-time' }),
});

const bodyIsOptional = async (request: FastifyRequest) => {
  request.body ??= {};
};

export function addInteractive(app: RestServer, { interactive }: Services): void {
  app.post(
    '/transactions/interactive',
    {
      schema: { tags, summary: 'Begin an interactive transaction', body: Begin, response: responses(201, Begun) },
      preValidation: bodyIsOptional,
    },
    async (request, reply) => {
      const { id, expiresAtMs } = interactive.begin(request.body.label ?? '', request.body.expires_in_ms);
      reply.code(201);
      return { id, expires_at: new Date(expiresAtMs).toISOString() };
    },
  );

  app.post(
    '/transactions/interactive/:id/operations',
    {
      schema: {
        tags,
        summary: 'Execute operations; results show the state before the transaction',
        params: Params,
        body: Type.Object({ operations: OperationsSchema }, { additionalProperties: false }),
        response: responses(200, Type.Object({ results: ResultsSchema })),
      },
    },
    async (request) => ({ results: await interactive.execute(request.params.id, request.body.operations) }),
  );

  app.post(
    '/transactions/interactive/:id/commit',
    { schema: { tags, summary: 'Commit; sent again within a minute, it is answered the same', params: Params, response: responses(200, Type.Omit(CommittedSchema, ['results'])) } },
    async (request) => {
      const { committedAt, retries } = await interactive.commit(request.params.id);
      return { committed_at: committedAt.toString(), retries };
    },
  );

  app.delete(
    '/transactions/interactive/:id',
    { schema: { tags, summary: 'Abort', params: Params, response: responses(204, Type.Null()) } },
    async (request, reply) => {
      interactive.abort(request.params.id);
      reply.code(204);
      return null;
    },
  );
}
