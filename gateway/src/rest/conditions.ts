// GET and PUT /v1/admin/conditions: the concurrency control in force, for the whole cluster.
import Type from 'typebox';
import { USUAL } from '@claret/client/telemetry';
import type { Services } from '../services.ts';
import type { ShardConditions } from '../store/cluster-conditions.ts';
import { ConditionsSchema, WantedConditionsSchema, responses, tryOut } from './schemas.ts';
import type { RestServer } from './rest-server.ts';

const tags = ['admin'];

const version = { description: 'grows with each change, from 0 at the start; the newest wins' };

const Answer = Type.Object({
  ...ConditionsSchema.properties,
  version: Type.Integer(version),
  normal: Type.Object(ConditionsSchema.properties, { description: 'those that this gateway was started with' }),
  shards: Type.Array(
    Type.Object({
      shard: Type.Integer(),
      conditions: Type.Union([ConditionsSchema, Type.Null()], { description: 'null: the shard did not answer' }),
      version: Type.Union([Type.Integer(version), Type.Null()]),
      error: Type.Optional(Type.String()),
    }),
  ),
});

const EXAMPLE = { ...USUAL, version: 3, shards: [{ shard: 0, conditions: USUAL, version: 3 }] };

const Body = Type.Object(WantedConditionsSchema.properties, {
  additionalProperties: false,
  ...tryOut({
    claret: { summary: 'Commuting locks, phasing, combining (the default)', value: USUAL },
    baseline: { summary: 'Reader/writer locks, as most databases have them', value: { locks: 'rw', phasing: false, combining: 'off' } },
  }),
});

export function addConditions(app: RestServer, { conditions }: Services): void {
  const answer = (shards: ShardConditions[]) => ({ ...conditions.local(), normal: conditions.normal, shards });

  app.get(
    '/admin/conditions',
    {
      schema: {
        tags,
        summary: 'Read the conditions of concurrency control',
        response: responses(200, 'The conditions, as each shard has them', Answer, EXAMPLE),
      },
    },
    async () => answer(await conditions.everywhere()),
  );

  app.put(
    '/admin/conditions',
    {
      schema: {
        tags,
        summary: 'Change the conditions of the whole cluster',
        description:
          'All shards change, or none does (shard_unavailable). A shard that is cut off during the change follows as soon as another ' +
          'gateway reaches it (conditions_partial). A shard that restarts asks the others.',
        body: Body,
        response: responses(200, 'Changed', Answer, EXAMPLE),
      },
    },
    async (request) => answer(await conditions.setEverywhere(request.body)),
  );
}
