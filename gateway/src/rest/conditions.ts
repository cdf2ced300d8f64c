// GET and PUT /v1/admin/conditions: the concurrency control in force, for the whole cluster.
import Type from 'typebox';
import type { Services } from '../services.ts';
import type { ShardConditions } from '../store/cluster-conditions.ts';
import { ConditionsSchema, responses } from './schemas.ts';
import type { RestServer } from './server.ts';

const tags = ['admin'];

const version = { description: 'greater at each change, 0 as configured; the newest wins' };

const Answer = Type.Object({
  ...ConditionsSchema.properties,
  version: Type.Integer(version),
  shards: Type.Array(
    Type.Object({
      shard: Type.Integer(),
      conditions: Type.Union([ConditionsSchema, Type.Null()], { description: 'null when the shard did not answer' }),
      version: Type.Union([Type.Integer(version), Type.Null()]),
      draining: Type.Boolean({ description: 'not yet in force: to or from none the shard empties itself first' }),
      error: Type.Optional(Type.String()),
    }),
  ),
});

export function addConditions(app: RestServer, { conditions }: Services): void {
  const answer = (shards: ShardConditions[]) => {
    const { draining: _, ...told } = conditions.local();
    return { ...told, shards };
  };

  app.get(
    '/admin/conditions',
    { schema: { tags, summary: "This shard's conditions, and every other's", response: responses(200, Answer) } },
    async () => answer(await conditions.everywhere()),
  );

  app.put(
    '/admin/conditions',
    {
      schema: {
        tags,
        summary: 'Switch the whole cluster, at run time',
        description:
          'Every shard, or nothing is changed (shard_unavailable). A shard that is cut off in the very moment of the change follows ' +
          'as soon as another gateway reaches it (conditions_partial); one that restarts asks the others.',
        body: ConditionsSchema,
        response: responses(200, Answer),
      },
    },
    async (request) => answer(await conditions.setEverywhere(request.body)),
  );
}
