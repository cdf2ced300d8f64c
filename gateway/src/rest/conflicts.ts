// GET /v1/admin/conflicts: the pairs of transactions and operations that conflicted at this shard.
import Type from 'typebox';
import type { Services } from '../services.ts';
import { responses } from './schemas.ts';
import type { RestServer } from './rest-server.ts';

const LIMIT = 100;
/** capacity of the core's table (server-core/src/counters/bounds.h) */
const LIMIT_MAX = 4_096;

const Query = Type.Object(
  { limit: Type.Optional(Type.Integer({ default: LIMIT, minimum: 1, maximum: LIMIT_MAX, description: 'rows at most' })) },
  { additionalProperties: false },
);

const Answer = Type.Object({
  shard: Type.Integer(),
  conflicts: Type.Array(
    Type.Object({
      holder_label: Type.String({
        description:
          'label of the transaction that held the lock, waited in front, or was taken out of its chain; "(native)": a waiting native',
      }),
      holder_operation: Type.String(),
      comer_label: Type.String({
        description: 'label of the transaction that had to wait, was denied or was executed again; "(native)": a native',
      }),
      comer_operation: Type.String(),
      outcome: Type.Enum(['waited', 'broke', 'again'], {
        description:
          'broke: the native has ended the holder; again: the holder was taken out of its chain, and the other was executed again',
      }),
      count: Type.Integer(),
    }),
    { description: 'most frequent first' },
  ),
  pairs: Type.Integer({ description: 'number of rows in all' }),
  total: Type.Integer({ description: 'conflicts counted since the gateway started' }),
  dropped: Type.Integer({ description: 'conflicts not counted because the table was full' }),
});

export function addConflicts(app: RestServer, { ownConflicts }: Services): void {
  app.get(
    '/admin/conflicts',
    {
      schema: {
        tags: ['admin'],
        summary: 'List conflicts at this shard by pair of labels and operations',
        querystring: Query,
        response: responses(200, 'The most frequent conflicts', Answer, {
          shard: 0,
          conflicts: [
            {
              holder_label: 'Bid',
              holder_operation: 'TopK.add',
              comer_label: 'ViewAuction',
              comer_operation: 'TopK.top',
              outcome: 'waited',
              count: 1207,
            },
          ],
          pairs: 1,
          total: 1207,
          dropped: 0,
        }),
      },
    },
    async (request) => {
      const { rows, dropped } = ownConflicts.read();
      const shown = rows.toSorted((a, b) => b.count - a.count).slice(0, request.query.limit ?? LIMIT);
      return {
        shard: ownConflicts.shard,
        conflicts: shown.map(({ holderLabel, holderOperation, comerLabel, comerOperation, outcome, count }) => ({
          holder_label: holderLabel,
          holder_operation: holderOperation,
          comer_label: comerLabel,
          comer_operation: comerOperation,
          outcome,
          count,
        })),
        pairs: rows.length,
        total: rows.reduce((sum, { count }) => sum + count, 0),
        dropped,
      };
    },
  );
}
