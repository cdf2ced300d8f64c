// Schemas of a load spike: the request, the lines that its driver prints, and the report of a run. The gateway depends only on the flags
// and the lines of the driver (loadtest/load/spike/main.ts).
import Type from 'typebox';
import { WantedConditionsSchema } from '../rest/schemas.ts';
import type { Static } from 'typebox';

export const SPIKES = ['bid-spike', 'viral-post', 'popular-post', 'natives', 'lists', 'rawmix'] as const;
export const SECONDS_MAX = 120;
export const CLIENTS_MAX = 384;
export const ALPHA_MAX = 2;
export const STAGES_MAX = 8;

const SpikeName = Type.Enum([...SPIKES], {
  description:
    'bid-spike: many bid on one auction of the auction site; viral-post: many repost one post of the timelines; popular-post: nearly all ' +
    'look at one post, and few repost it; natives: ' +
    'native operations and transactions on the same counters, some of which are far more popular than others; lists: ' +
    'transactions that write or read 300 of 20,000 registers at once, in one list; rawmix: ' +
    'transactions of four operations, add or size, on sets of which some are far more popular than others',
});
const share = { minimum: 0, maximum: 1 };

export const SpikeRequestSchema = Type.Object(
  {
    spike: SpikeName,
    seconds: Type.Number({ minimum: 1, maximum: SECONDS_MAX, description: 'duration of the load' }),
    clients: Type.Integer({ minimum: 1, maximum: CLIENTS_MAX, description: 'transactions in flight at once' }),
    alpha: Type.Optional(
      Type.Number({ minimum: 0, maximum: ALPHA_MAX, description: 'rawmix only: skew of the zipfian distribution; 1 by default' }),
    ),
    update: Type.Optional(Type.Number({ ...share, description: 'rawmix only: share of add among the operations; 0.5 by default' })),
    conditions: Type.Optional(
      Type.Object(WantedConditionsSchema.properties, {
        description:
          'conditions of the cluster during the spike; the earlier ones are restored at its end, unless the cluster was switched meanwhile',
      }),
    ),
    stages: Type.Optional(
      Type.Array(
        Type.Object(
          {
            after_s: Type.Number({ minimum: 0, maximum: SECONDS_MAX, description: 'since the begin of the load' }),
            conditions: WantedConditionsSchema,
          },
          { additionalProperties: false },
        ),
        {
          minItems: 1,
          maxItems: STAGES_MAX,
          description:
            'switches of the cluster while the load runs; those to come are left out once somebody switches it. At its end the earlier ' +
            'conditions are restored, as with `conditions`',
        },
      ),
    ),
  },
  { additionalProperties: false },
);
export type SpikeRequest = Static<typeof SpikeRequestSchema>;

const perSecond = 'over the last second; over the whole load once it has ended';
const figure = (description: string) => Type.Optional(Type.Union([Type.Number(), Type.Null()], { description }));

export const LineSchema = Type.Object({
  state: Type.Enum(['preparing', 'running', 'checking', 'ended', 'failed'], {
    description: 'checking: the load has ended, and the stored data is compared with the acknowledged transactions',
  }),
  place: Type.Optional(
    Type.Union([Type.Object({ site: Type.Enum(['auctions', 'timelines']), path: Type.String(), title: Type.String() }), Type.Null()], {
      description: 'the page of a site that shows the spike; null: none',
    }),
  ),
  done_s: figure('seconds under load'),
  of_s: figure('requested seconds of load'),
  committed: figure('transactions committed since the begin'),
  failed: figure('transactions that were given up'),
  committed_per_s: figure(perSecond),
  retries_per_commit: figure(`${perSecond}; null: nothing was committed`),
  p50_ms: figure(perSecond),
  p99_ms: figure(perSecond),
  stopped: Type.Optional(Type.Boolean({ description: 'the spike was stopped early' })),
  compared: Type.Optional(
    Type.Union(
      [
        Type.Object({
          what: Type.String({ description: 'what was counted: "bids"' }),
          acknowledged: Type.Integer({ description: 'to the clients of the spike, before `stored` was read' }),
          stored: Type.Union([Type.Integer(), Type.Null()], { description: 'visitors may have added to it; null: it cannot be read now' }),
        }),
        Type.Null(),
      ],
      { description: 'how much was acknowledged, and how much is stored: at the end, and of bid-spike twice a second while it runs' },
    ),
  ),
  mismatches: Type.Optional(
    Type.Array(Type.String(), {
      description: 'at the end: differences between the stored data and the acknowledged transactions; empty unless something is broken',
    }),
  ),
  message: Type.Optional(Type.String({ description: 'why it failed' })),
});
export type SpikeLine = Static<typeof LineSchema>;

export const RunSchema = Type.Object({
  ...SpikeRequestSchema.properties,
  seed: Type.Integer({ description: 'seed of the random choices' }),
  began_at_ms: Type.Integer(),
  line: Type.Union([LineSchema, Type.Null()], { description: 'the newest line of its driver' }),
});
export type SpikeRun = Static<typeof RunSchema>;
