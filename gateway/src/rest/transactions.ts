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
    Type.String({ description: 'a quoted string: sent again with it, here or at another gateway, the same request commits once' }),
  ),
});

export function addTransactions(app: RestServer, { transactions, calls, idempotencyMs }: Services): void {
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
    async (request, reply) => {
      const { label = '', operations } = request.body;
      const { results, committedAt, retries } = await idempotent(request, reply, idempotencyMs, (again) => {
        // With a key it is to be done whether its caller waits or not.
        const scope = again === undefined ? scopeOf(reply) : new Scope();
        return calls.run(scope, () => transactions.oneShot(label, operations, scope, again));
      });
      return { results: results.map(resultToJson), committed_at: committedAt.toString(), retries };
    },
  );
}
