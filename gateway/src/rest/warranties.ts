// /v1/admin/warranties: the results that a shard has promised of one record, and who has the promises.
import Type from 'typebox';
import type { Services } from '../services.ts';
import { responses } from './schemas.ts';
import type { RestServer } from './rest-server.ts';

const PATH = '/admin/warranties';
const tags = ['admin'];

const Query = Type.Object(
  { key: Type.String({ minLength: 1, description: 'key of the record', examples: ['{auction:42}:bids'] }) },
  { additionalProperties: false },
);

const orNull = (description: string) => Type.Union([Type.Number(), Type.Null()], { description });

const Holder = Type.Object({
  session: Type.String({ description: "the client's name; empty if it cannot be shown" }),
  grants: Type.Integer({ description: 'more than one: it asked for the result several times at once' }),
  lost: Type.Boolean({ description: 'its stream has broken' }),
  silent_ms: orNull('since its last frame; null: it is lost'),
  lapses_in_ms: orNull('then it is waited for no longer; null: it has not been asked to return its grant'),
});

const Warranty = Type.Object({
  operation: Type.String(),
  arguments: Type.Array(Type.Unknown()),
  age_ms: Type.Number(),
  recalled_ago_ms: orNull('since when something waits for its end; null: nothing does'),
  ends_in_ms: orNull('the latest end; null: it is not recalled'),
  granted: Type.Integer({ description: 'grants, returned ones included' }),
  uses: Type.Integer({ description: 'operations that it has answered, as far as clients have said by returning their grants' }),
  holders: Type.Array(Holder),
});

const Answer = Type.Object({
  key: Type.String(),
  shard: Type.Integer(),
  warranties: Type.Array(Warranty, { description: 'those that stand, the oldest first' }),
});

const STANDING = {
  operation: 'TopK.top',
  arguments: [10],
  age_ms: 5312.4,
  recalled_ago_ms: null,
  ends_in_ms: null,
  granted: 2,
  uses: 0,
  holders: [{ session: 'auctions-1', grants: 2, lost: false, silent_ms: 3.1, lapses_in_ms: null }],
};
const RECALLED = {
  ...STANDING,
  recalled_ago_ms: 0,
  ends_in_ms: 996.9,
  holders: [{ session: 'auctions-1', grants: 2, lost: false, silent_ms: 3.1, lapses_in_ms: 996.9 }],
};
const example = (warranty: object) => ({ key: '{auction:42}:bids', shard: 0, warranties: [warranty] });

export function addWarranties(app: RestServer, { warranties }: Services): void {
  const ask = async (key: string, recall: boolean) => ({ key, ...(await warranties.ask(key, recall)) });

  app.get(
    PATH,
    {
      schema: {
        tags,
        summary: 'List the warranties of a record',
        description: 'Results that the shard has promised, so that clients answer from memory, and the clients that have the promises.',
        querystring: Query,
        response: responses(200, 'The warranties', Answer, example(STANDING)),
      },
    },
    (request) => ask(request.query.key, false),
  );

  app.delete(
    PATH,
    {
      schema: {
        tags,
        summary: 'Recall the warranties of a record',
        description:
          'Their clients are asked to return them, as for a change that would violate them. Those that are silent are waited for no longer than ' +
          '`warrantyTermMs`. What is read often is promised again afterwards, unless the condition `warranties` is off.',
        querystring: Query,
        response: responses(200, 'Recalled: those that still stand', Answer, example(RECALLED)),
      },
    },
    (request) => ask(request.query.key, true),
  );
}
