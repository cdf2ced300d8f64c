// POST /v1/transactions: a one-shot transaction over any keys of the cluster, at most once per Idempotency-Key.
import { Scope } from '@claret/client';
import Type from 'typebox';
import type { Services } from '../services.ts';
import { resultToJson } from '../transaction/arguments.ts';
import { scopeOf } from './caller.ts';
import { idempotent } from './idempotency.ts';
import { CommittedSchema, IdempotencyHeaders, LabelSchema, OperationSchema, responses, tryOut } from './schemas.ts';
import type { RestServer } from './rest-server.ts';

const balance = (key: string, operation: string, n?: number) => ({
  key,
  type: 'BoundedCounter',
  operation,
  arguments: n === undefined ? [] : [n],
});

const Operation = Type.Object(
  {
    ...OperationSchema.properties,
    expect: Type.Optional(
      Type.Unknown({
        description:
          'the result that the operation has to have, as it was read before; null: absent. Where it has another one, nothing happens: expectation_failed',
      }),
    ),
  },
  { additionalProperties: false },
);

const EXAMPLES = {
  open: {
    summary: 'Open accounts',
    value: { label: 'Open', operations: [balance('account:ann', 'increment', 100), balance('account:bob', 'increment', 100)] },
  },
  transfer: {
    summary: 'Transfer: refused with below_bound where ann has less than 5',
    value: {
      label: 'Transfer',
      operations: [balance('account:ann', 'decrement', 5), balance('account:bob', 'increment', 5)],
    },
  },
  read: {
    summary: 'Read both balances at one moment',
    value: { label: 'Balances', operations: [balance('account:ann', 'value'), balance('account:bob', 'value')] },
  },
  openOnce: {
    summary: 'Open an account, unless it is there: refused with expectation_failed the second time',
    value: {
      label: 'Open once',
      operations: [{ key: 'account:eve', type: 'Record', operation: 'exists', expect: false }, balance('account:eve', 'increment', 100)],
    },
  },
};

const Body = Type.Object(
  {
    label: Type.Optional(LabelSchema),
    operations: Type.Array(Operation, { minItems: 1, description: '1 to 4,096 operations, in order' }),
  },
  { additionalProperties: false, ...tryOut(EXAMPLES) },
);

export function addTransactions(app: RestServer, { transactions, calls, idempotencyMs }: Services): void {
  app.post(
    '/transactions',
    {
      schema: {
        tags: ['transactions'],
        summary: 'Run operations as one transaction',
        description:
          'All of them happen, or none. Conflicts with other transactions are retried for you. To read, decide and write, give the operations ' +
          'that were read before as `expect` what they told: the list commits only if that is still so, and else says what is so now.',
        headers: IdempotencyHeaders,
        body: Body,
        response: responses(200, 'Committed', CommittedSchema, { results: [100, 100], committed_at: '116923456789012480', retries: 0 }),
      },
    },
    async (request, reply) => {
      const { body } = request;
      const { label = '', operations } = body;
      const { results, committedAt, retries } = await idempotent(
        request,
        reply,
        { payload: body, keepMs: idempotencyMs },
        (idempotency) => {
          // With a key, the transaction is completed even if its caller disconnects.
          const scope = idempotency === undefined ? scopeOf(reply) : new Scope();
          return calls.run(scope, () => transactions.oneShot(label, operations, { scope, idempotency }));
        },
      );
      return { results: results.map(resultToJson), committed_at: committedAt.toString(), retries };
    },
  );
}
