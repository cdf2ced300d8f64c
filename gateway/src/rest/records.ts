// GET /v1/records/{key}: one reading operation on one record, as a transaction of its own.
import Type from 'typebox';
import { GatewayError } from '../errors.ts';
import type { Services } from '../services.ts';
import { resultToJson } from '../transaction/arguments.ts';
import { scopeOf } from './caller.ts';
import { catalogued } from './documentation.ts';
import { parseJsonText } from './json.ts';
import { CommittedSchema, responses } from './schemas.ts';
import type { RestServer } from './rest-server.ts';

const Query = Type.Object(
  {
    type: Type.String({ description: 'data type of the record', examples: ['BoundedCounter'], ...catalogued('type') }),
    operation: Type.String({ description: 'an operation that only reads', examples: ['value'], ...catalogued('operation') }),
    arguments: Type.Optional(Type.String({ description: 'a JSON array, such as ["alice"]', examples: ['[]'] })),
  },
  { additionalProperties: false },
);

const Answer = Type.Object({
  key: Type.String(),
  value: Type.Unknown({ description: "the operation's result" }),
  committed_at: CommittedSchema.properties.committed_at,
});

export function addRecords(app: RestServer, { transactions, calls }: Services): void {
  app.get(
    '/records/:key',
    {
      schema: {
        tags: ['records'],
        summary: 'Read one record',
        description:
          'One reading operation, as a transaction of its own. The keys `.` and `..` cannot stand in a URL: read them with POST /v1/transactions.',
        params: Type.Object({ key: Type.String({ description: 'key of the record, percent-encoded', examples: ['account:ann'] }) }),
        querystring: Query,
        response: responses(200, 'The result', Answer, { key: 'account:ann', value: 95, committed_at: '116923456789012480' }),
      },
    },
    async (request, reply) => {
      const { key } = request.params;
      const { type, operation, arguments: text } = request.query;
      const read = { key, type, operation, arguments: readArguments(text) };
      const { results, committedAt } = await calls.run(scopeOf(reply), (scope) => transactions.read('', read, scope));
      return { key, value: resultToJson(results[0]), committed_at: committedAt.toString() };
    },
  );
}

function readArguments(text: string | undefined): unknown[] {
  if (text === undefined || text === '') return [];
  const parsed = parseJsonText(text);
  if (!Array.isArray(parsed)) throw new GatewayError('invalid_request', 'querystring/arguments must be a JSON array');
  return parsed;
}
