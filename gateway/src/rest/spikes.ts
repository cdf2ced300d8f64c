// /v1/admin/spikes: the REST routes of the laboratory.
import Type from 'typebox';
import type { Services } from '../services.ts';
import { RunSchema, SPIKES, SpikeRequestSchema } from '../laboratory/spike.ts';
import { responses, tryOut, WantedConditionsSchema } from './schemas.ts';
import type { RestServer } from './rest-server.ts';

const tags = ['admin'];
const PATH = '/admin/spikes';

const Body = Type.Object(SpikeRequestSchema.properties, {
  additionalProperties: false,
  ...tryOut({ bids: { summary: 'Bids on one auction, for 10 s', value: { spike: SPIKES[0], seconds: 10, clients: 32 } } }),
});

const Conditions = Type.Object(WantedConditionsSchema.properties, {
  additionalProperties: false,
  ...tryOut({ rw: { summary: 'Reader/writer locks', value: { locks: 'rw', phasing: false, combining: 'off' } } }),
});

const Overview = Type.Object({
  spikes: Type.Array(Type.Enum([...SPIKES]), { description: 'the available spikes' }),
  running: Type.Union([RunSchema, Type.Null()]),
  last: Type.Union([RunSchema, Type.Null()], { description: 'the previous spike, with the last line of its driver' }),
  sites: Type.Record(Type.String(), Type.String(), {
    description: 'public URLs of the sites (`place.site`), as configured (`siteUrls`)',
  }),
  kills: Type.Boolean({ description: 'a launcher starts the processes of shards again, so they can be killed (POST /v1/admin/kills)' }),
});

const Kill = Type.Object(
  { shard: Type.Integer({ minimum: 0 }) },
  { additionalProperties: false, ...tryOut({ second: { summary: 'The second shard', value: { shard: 1 } } }) },
);

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

  app.post(
    '/admin/kills',
    {
      schema: {
        tags,
        summary: 'Kill the process of a shard',
        description:
          'To show what becomes of it (SIGKILL). Only where a launcher starts it again, as npm start does, and one at a time (kill_refused).',
        body: Kill,
        response: responses(202, 'It is killed in a moment', Kill),
      },
    },
    async (request, reply) => {
      await laboratory.kill(request.body.shard);
      reply.code(202);
      return request.body;
    },
  );

  app.put(
    `${PATH}/conditions`,
    {
      schema: {
        tags,
        summary: 'Switch the cluster while a load spike runs',
        description:
          'The remaining stages of the spike are left out. At its end the cluster gets the conditions from before it, unless it is switched ' +
          'otherwise meanwhile. Without a running spike: no_spike.',
        body: Conditions,
        response: responses(200, 'Switched', RunSchema),
      },
    },
    async (request) => laboratory.switchTo(request.body),
  );
}
