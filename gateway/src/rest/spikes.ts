// /v1/admin/spikes: the laboratory's door.
import Type from 'typebox';
import type { Services } from '../services.ts';
import { RunSchema, SPIKES, WishSchema } from '../laboratory/spike.ts';
import { responses, tryOut } from './schemas.ts';
import type { RestServer } from './rest-server.ts';

const tags = ['admin'];
const PATH = '/admin/spikes';

const Body = Type.Object(WishSchema.properties, {
  additionalProperties: false,
  ...tryOut({ bids: { summary: 'Bids on one auction, for 10 s', value: { spike: SPIKES[0], seconds: 10, clients: 32 } } }),
});

const Overview = Type.Object({
  spikes: Type.Array(Type.Enum([...SPIKES]), { description: 'what can be run' }),
  running: Type.Union([RunSchema, Type.Null()]),
  last: Type.Union([RunSchema, Type.Null()], { description: 'the one before, with what its driver said in the end' }),
  sites: Type.Record(Type.String(), Type.String(), {
    description: 'where people reach the sites (`place.site`), as far as this gateway was told (`siteUrls`)',
  }),
});

export function addSpikes(app: RestServer, { laboratory }: Services): void {
  app.get(
    PATH,
    { schema: { tags, summary: 'List the load spikes: available, running, last', response: responses(200, 'The load spikes', Overview) } },
    async () => laboratory.overview(),
  );

  app.post(
    PATH,
    {
      schema: {
        tags,
        summary: 'Start a load spike',
        description: 'A driver process of this gateway runs the load and ends by itself. One runs at a time (spike_running).',
        body: Body,
        response: responses(201, 'Started', RunSchema),
      },
    },
    async (request, reply) => {
      reply.code(201);
      return laboratory.start(request.body);
    },
  );

  app.delete(
    PATH,
    { schema: { tags, summary: 'Stop the running load spike', response: responses(200, 'The load spikes', Overview) } },
    async () => {
      await laboratory.stop();
      return laboratory.overview();
    },
  );
}
