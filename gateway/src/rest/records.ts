// One operation on one record, as a native operation: GET /v1/records/{key} for an operation that only reads, POST for any. A GET may wait until
// the result is another one. With an Idempotency-Key, a POST is a transaction with an id instead.
import { Scope } from '@claret/client';
import Type from 'typebox';
import { GatewayError } from '../errors.ts';
import type { Services } from '../services.ts';
import { resultToJson } from '../transaction/arguments.ts';
import { scopeOf, signalOf } from './caller.ts';
import { entityTag, isKnown, waitMsOf } from './conditional.ts';
import { catalogued } from './documentation.ts';
import { idempotent } from './idempotency.ts';
import { parseJsonText } from './json.ts';
import { CommittedSchema, IdempotencyHeaders, OperationSchema, responses, tryOut } from './schemas.ts';
import type { RestServer } from './rest-server.ts';

const tags = ['records'];

/** RFC 3339 */
const DATE = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/;

const Params = Type.Object({ key: Type.String({ description: 'key of the record, percent-encoded', examples: ['account:ann'] }) });

const Query = Type.Object(
  {
    type: Type.String({ description: 'data type of the record', examples: ['BoundedCounter'], ...catalogued('type') }),
    operation: Type.String({ description: 'an operation that only reads', examples: ['value'], ...catalogued('operation') }),
    arguments: Type.Optional(Type.String({ description: 'a JSON array, such as ["alice"]', examples: ['[]'] })),
    at: Type.Optional(
      Type.String({
        description:
          'read the record as it was: at a timestamp (`committed_at`), or at the beginning of a millisecond (RFC 3339: 2026-11-27T15:00:00.000Z)',
      }),
    ),
  },
  { additionalProperties: false },
);

const ReadHeaders = Type.Object({
  'if-none-match': Type.Optional(
    Type.String({ description: 'the ETag of an earlier answer: if the result is still that one, the answer is 304' }),
  ),
  prefer: Type.Optional(
    Type.String({
      description: 'with If-None-Match, `wait=20` waits up to 20 seconds, 60 at most, for another result',
      examples: ['wait=20'],
    }),
  ),
});

const EXAMPLES = {
  deposit: {
    summary: 'Add 5 to a balance',
    value: { type: 'BoundedCounter', operation: 'increment', arguments: [5] },
  },
  withdraw: {
    summary: 'Take 5, if there is enough: the result says so',
    value: { type: 'BoundedCounter', operation: 'tryDecrement', arguments: [5] },
  },
};

const Body = Type.Object(Type.Omit(OperationSchema, ['key']).properties, { additionalProperties: false, ...tryOut(EXAMPLES) });

const Answer = Type.Object({
  key: Type.String(),
  value: Type.Unknown({ description: "the operation's result; null where it has none" }),
  committed_at: CommittedSchema.properties.committed_at,
});

const ABOUT_KEYS = 'The keys `.` and `..` cannot stand in a URL: use POST /v1/transactions for them.';

export function addRecords(app: RestServer, { transactions, calls, awaitedChanges, idempotencyMs }: Services): void {
  app.get(
    '/records/:key',
    {
      schema: {
        tags,
        summary: 'Read one record',
        description:
          'One reading operation, outside any transaction. It waits for nothing but transactions that are being committed. With `at` it answers as ' +
          'of that moment, which is `committed_at` then. With the `ETag` of an earlier answer in `If-None-Match` it answers 304 if the result is ' +
          'still the same, and with `Prefer: wait=20` only once the result is another one, or after 20 seconds: send that again and again to ' +
          `follow a record. Results that follow each other closely may be told as one. ${ABOUT_KEYS}`,
        params: Params,
        querystring: Query,
        headers: ReadHeaders,
        response: {
          ...responses(200, 'The result', Answer, { key: 'account:ann', value: 95, committed_at: '116923456789012480' }),
          304: Type.Null({ description: 'The result is still the one that If-None-Match names' }),
        },
      },
    },
    async (request, reply) => {
      const { key } = request.params;
      const { type, operation, arguments: text, at } = request.query;
      const { 'if-none-match': ifNoneMatch, prefer } = request.headers;
      const read = { key, type, operation, arguments: readArguments(text) };
      const waitMs = waitMsOf(prefer);
      if (waitMs > 0 && at !== undefined)
        throw new GatewayError('invalid_request', 'headers/prefer: what has been (`at`) does not change.');
      const giveUpMs = performance.now() + waitMs;
      const [scope, gone] = [scopeOf(reply), signalOf(reply)];
      for (;;) {
        const { value, executedAt } = await calls.run(scope, () => transactions.natives.read(read, scope, momentOf(at)));
        const result = resultToJson(value);
        const tag = entityTag(result);
        reply.header('etag', tag);
        if (!isKnown(tag, ifNoneMatch)) return { key, value: result, committed_at: executedAt.toString() };
        const leftMs = giveUpMs - performance.now();
        if (leftMs <= 0 || !(await awaitedChanges.change(read, executedAt, { waitMs: leftMs, gone }))) return reply.code(304).send(null);
      }
    },
  );

  app.post(
    '/records/:key',
    {
      schema: {
        tags,
        summary: 'Execute one operation on one record',
        description:
          'Outside any transaction, and strictly serializable with all transactions. It never aborts: if it changes what a transaction that is ' +
          'not being committed yet has read, that one runs again. If the answer is lost (`outcome_unknown`), it may have been executed; with an ' +
          `Idempotency-Key it is a transaction of its own, which is safe to send again. ${ABOUT_KEYS}`,
        params: Params,
        headers: IdempotencyHeaders,
        body: Body,
        response: responses(200, 'Executed', Answer, { key: 'account:ann', value: true, committed_at: '116923456789012480' }),
      },
    },
    async (request, reply) => {
      const { key } = request.params;
      const operation = { key, ...request.body };
      if (request.headers['idempotency-key'] === undefined) {
        const { value, executedAt } = await calls.run(scopeOf(reply), (scope) => transactions.natives.perform(operation, scope));
        return { key, value: resultToJson(value), committed_at: executedAt.toString() };
      }
      const { results, committedAt } = await idempotent(request, reply, { keepMs: idempotencyMs, payload: operation }, (idempotency) => {
        const scope = new Scope(); // it is completed even if its caller disconnects
        return calls.run(scope, () => transactions.oneShot('', [operation], { scope, idempotency }));
      });
      return { key, value: resultToJson(results[0]), committed_at: committedAt.toString() };
    },
  );
}

function momentOf(text: string | undefined): Date | bigint | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,20}$/.test(text)) return BigInt(text);
  const date = new Date(text);
  if (!DATE.test(text) || Number.isNaN(date.getTime())) {
    throw new GatewayError('invalid_request', 'querystring/at must be a timestamp or a time such as 2026-11-27T15:00:00.000Z');
  }
  return date;
}

function readArguments(text: string | undefined): unknown[] {
  if (text === undefined || text === '') return [];
  const parsed = parseJsonText(text);
  if (!Array.isArray(parsed)) throw new GatewayError('invalid_request', 'querystring/arguments must be a JSON array');
  return parsed;
}
