// Routes of interactive transactions: begin, operations over several requests, commit or abort. A transaction aborts when its time limit
// has passed. It is not retried, since only the caller knows what to do if a retry returns other results.
import type { FastifyRequest } from 'fastify';
import Type from 'typebox';
import type { Services } from '../services.ts';
import { CommittedSchema, LabelSchema, OperationsSchema, ResultsSchema, responses, tryOut } from './schemas.ts';
import type { RestServer } from './rest-server.ts';

const tags = ['interactive'];
const Params = Type.Object({ id: Type.String({ description: 'as the begin answered it' }) });
const Begin = Type.Object(
  {
    label: Type.Optional(LabelSchema),
    expires_in_ms: Type.Optional(
      Type.Integer({ minimum: 1, description: 'the transaction aborts this long after its begin; 10,000 by default' }),
    ),
  },
  {
    additionalProperties: false,
    ...tryOut({ begin: { summary: 'Begin, with a minute to finish', value: { label: 'Transfer', expires_in_ms: 60_000 } } }),
  },
);
const Operations = Type.Object(
  { operations: OperationsSchema },
  {
    additionalProperties: false,
    ...tryOut({
      read: { summary: 'Read a balance', value: { operations: [{ key: 'account:ann', type: 'BoundedCounter', operation: 'value' }] } },
      take: {
        summary: 'Take 5',
        value: { operations: [{ key: 'account:ann', type: 'BoundedCounter', operation: 'decrement', arguments: [5] }] },
      },
    }),
  },
);
const Begun = Type.Object({
  id: Type.String({ description: 'unguessable; knowing it is the permission to use the transaction' }),
  expires_at: Type.String({ format: 'date-time' }),
});

const bodyIsOptional = async (request: FastifyRequest) => {
  request.body ??= {};
};

export function addInteractive(app: RestServer, { interactive }: Services): void {
  app.post(
    '/transactions/interactive',
    {
      schema: {
        tags,
        summary: 'Begin an interactive transaction',
        body: Begin,
        response: responses(201, 'Begun', Begun, { id: '0:3f9a…', expires_at: '2026-11-21T12:00:00.000Z' }),
      },
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
        summary: 'Execute operations',
        description: 'Results show the committed state: a transaction does not see its own changes. Locks are held until commit or abort.',
        params: Params,
        body: Operations,
        response: responses(200, 'Executed, not yet committed', Type.Object({ results: ResultsSchema }), { results: [95] }),
      },
    },
    async (request) => ({ results: await interactive.execute(request.params.id, request.body.operations) }),
  );

  app.post(
    '/transactions/interactive/:id/commit',
    {
      schema: {
        tags,
        summary: 'Commit',
        description: 'Safe to send again for a minute: the answer stays the same.',
        params: Params,
        response: responses(200, 'Committed', Type.Omit(CommittedSchema, ['results']), { committed_at: '116923456789012480', retries: 0 }),
      },
    },
    async (request) => {
      const { committedAt, retries } = await interactive.commit(request.params.id);
      return { committed_at: committedAt.toString(), retries };
    },
  );

  app.delete(
    '/transactions/interactive/:id',
    { schema: { tags, summary: 'Abort', params: Params, response: responses(204, 'Aborted: nothing happened', Type.Null()) } },
    async (request, reply) => {
      interactive.abort(request.params.id);
      reply.code(204);
      return null;
    },
  );
}
