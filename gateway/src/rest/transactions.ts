// POST /v1/transactions: a one-shot transaction over any keys of the cluster, at most once per Idempotency-Key.
import { Scope } from '@claret/client';
import Type from 'typebox';
import type { Services } from '../services.ts';
import { resultToJson } from '../transaction/arguments.ts';
import { scopeOf } from './caller.ts';
import { idempotent } from './idempotency.ts';
import { CommittedSchema, LabelSchema, OperationsSchema, responses } from './schemas.ts';
import type { RestServer } from './server.ts';

const Body = Type.Object({ label: Type.Optional(LabelSchema), operations: OperationsSchema }, { additionalProperties: false });

const Headers = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({ description: 'a quoted string; remembered for a while by this gateway process, in memory' }),
  ),
});

export function addTransactions(app: RestServer, { transactions, calls, idempotency }: Services): void {
  app.post(
    '/transactions',
    {
      schema: {
        tags: ['transactions'],
        summary: 'Run a list of operations as one transaction: executed and committed, or nothing happened',
        headers: Headers,
        body: Body,
        response: responses(200, CommittedSchema),
      },
    },
    (request, reply) =>
      idempotent(idempotency, request, reply, async () => {
        const { label = '', operations } = request.body;
        // With a key it is to be done whether its caller waits or not.
        const scope = request.headers['idempotency-key'] === undefined ? scopeOf(reply) : new Scope();
        const { results, committedAt, retries } = await calls.run(scope, () => transactions.oneShot(label, operations, scope));
        return { results: results.map(resultToJson), committed_at: committedAt.toString(), retries };
      }),
  );
}
