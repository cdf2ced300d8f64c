// GET and PUT /v1/admin/conditions: the concurrency control in force, for the whole cluster.
import Type from 'typebox';
import type { Services } from '../services.ts';
import { ConditionsSchema, responses } from './schemas.ts';
import type { RestServer } from './server.ts';

const tags = ['admin'];

const Answer = Type.Object({
  ...ConditionsSchema.properties,
  shards: Type.Array(
    Type.Object({
      shard: Type.Integer(),
      conditions: Type.Union([ConditionsSchema, Type.Null()], { description: 'null when the shard did not answer' }),
      error: Type.Optional(Type.String()),
    }),
  ),
});

export function addConditions(app: RestServer, { conditions }: Services): void {
  app.get(
    '/admin/conditions',
    { schema: { tags, summary: "This shard's conditions, and every other's", response: responses(200, Answer) } },
    async () => ({ ...conditions.local(), shards: await conditions.everywhere() }),
  );

  app.put(
    '/admin/conditions',
    {
      schema: {
        tags,
        summary: 'Switch the whole cluster, at run time',
        body: ConditionsSchema,
        response: responses(200, Answer),
      },
    },
    async (request) => ({ ...request.body, shards: await conditions.setEverywhere(request.body) }),
  );
}
