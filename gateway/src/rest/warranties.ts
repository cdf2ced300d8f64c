// /v1/admin/warranties: the results that a shard has promised of one record, and who has the promises.
import { recordWarranties, type ShownWarranty } from '@claret/client/telemetry';
import Type from 'typebox';
import type { Services } from '../services.ts';
import { responses, typed } from './schemas.ts';
import type { RestServer } from './rest-server.ts';

const PATH = '/admin/warranties';
const tags = ['admin'];

const Query = Type.Object(
  { key: Type.String({ minLength: 1, description: 'key of the record', examples: ['{auction:42}:bids'] }) },
  { additionalProperties: false },
);

const STANDING: ShownWarranty = {
  operation: 'TopK.top',
  arguments: [10],
  age_ms: 5312.4,
  recalled_ago_ms: null,
  ends_in_ms: null,
  granted: 2,
  uses: 0,
  holders: [{ session: 'auctions-1', grants: 2, lost: false, silent_ms: 3.1, lapses_in_ms: null }],
};
const RECALLED: ShownWarranty = {
  ...STANDING,
  recalled_ago_ms: 0,
  ends_in_ms: 996.9,
  holders: [{ session: 'auctions-1', grants: 2, lost: false, silent_ms: 3.1, lapses_in_ms: 996.9 }],
};
const example = (warranty: ShownWarranty) => ({ key: '{auction:42}:bids', shard: 0, warranties: [warranty] });

export function addWarranties(app: RestServer, { warranties }: Services): void {
  app.get(
    PATH,
    {
      schema: {
        tags,
        summary: 'List the warranties of a record',
        description: 'Results that the shard has promised, so that clients answer from memory, and the clients that have the promises.',
        querystring: Query,
        response: responses(200, 'The warranties', typed(recordWarranties), example(STANDING)),
      },
    },
    (request) => warranties.ask(request.query.key, false),
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
        response: responses(200, 'Recalled: those that still stand', typed(recordWarranties), example(RECALLED)),
      },
    },
    (request) => warranties.ask(request.query.key, true),
  );
}
