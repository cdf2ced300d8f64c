// /v1/admin/spikes: the laboratory's door.
import Type from 'typebox';
import type { Services } from '../services.ts';
import { RunSchema, SPIKES, WishSchema } from '../laboratory/spike.ts';
import { responses } from './schemas.ts';
import type { RestServer } from './server.ts';

const tags = ['admin'];
const PATH = '/admin/spikes';

const Overview = Type.Object({
  spikes: Type.Array(Type.Enum([...SPIKES]), { description: 'what can be run' }),
  running: Type.Union([RunSchema, Type.Null()]),
  last: Type.Union([RunSchema, Type.Null()], { description: 'the one before, with what its driver said in the end' }),
});

export function addSpikes(app: RestServer, { laboratory }: Services): void {
  app.get(
    PATH,
    { schema: { tags, summary: 'What can be run against this cluster, what is running, and what ran last', response: responses(200, Overview) } },
    async () => laboratory.overview(),
  );

  app.post(
    PATH,
    {
      schema: {
        tags,
        summary: 'Storm this cluster for a while',
        description: 'A driver process of this gateway runs the load, and ends by itself. One at a time (spike_running).',
        body: WishSchema,
        response: responses(201, RunSchema),
      },
    },
    async (request, reply) => {
      reply.code(201);
      return laboratory.start(request.body);
    },
  );

  app.delete(
    PATH,
    { schema: { tags, summary: 'Stop the spike that is running, if there is one', response: responses(200, Overview) } },
    async () => {
      await laboratory.stop();
      return laboratory.overview();
    },
  );
}
