// A load spike as the gateway knows it: what can be asked for, the lines that its driver prints, and what is told of it. Of
// the driver, loadtest/load/spike/main.ts, the gateway knows the flags and the lines alone.
import Type from 'typebox';
import { ConditionsSchema } from '../rest/schemas.ts';
import type { Static } from 'typebox';

export const SPIKES = ['bid-spike', 'viral-post', 'rawmix'] as const;
export const SECONDS_MAX = 120;
export const CLIENTS_MAX = 384;
export const ALPHA_MAX = 2;

const SpikeName = Type.Enum([...SPIKES], {
  description:
    'bid-spike: many bid on one auction of the auction site; viral-post: many repost one post of the timelines; rawmix: ' +
    'transactions of four operations, add or size, on sets of which some are far more popular than others',
});
const share = { minimum: 0, maximum: 1 };

export const WishSchema = Type.Object(
  {
    spike: SpikeName,
    seconds: Type.Number({ minimum: 1, maximum: SECONDS_MAX, description: 'it ends by itself after so long' }),
    clients: Type.Integer({ minimum: 1, maximum: CLIENTS_MAX, description: 'transactions under way at once' }),
    alpha: Type.Optional(
      Type.Number({ minimum: 0, maximum: ALPHA_MAX, description: 'rawmix only: skew of the zipfian distribution; 1 by default' }),
    ),
    update: Type.Optional(Type.Number({ ...share, description: 'rawmix only: share of add among the operations; 0.5 by default' })),
    conditions: Type.Optional(
      Type.Object(ConditionsSchema.properties, {
        description:
          'what the cluster is switched to while it runs; the earlier ones are put back at its end, unless somebody has switched the cluster meanwhile',
      }),
    ),
  },
  { additionalProperties: false },
);
export type SpikeWish = Static<typeof WishSchema>;

const perSecond = 'of the last second; of all the time under load, once it has ended';
const figure = (description: string) => Type.Optional(Type.Union([Type.Number(), Type.Null()], { description }));

export const LineSchema = Type.Object({
  state: Type.Enum(['preparing', 'running', 'checking', 'ended', 'failed'], {
    description: 'checking: the load is over, and what is stored is compared with what was acknowledged',
  }),
  place: Type.Optional(
    Type.Union([Type.Object({ site: Type.Enum(['auctions', 'timelines']), path: Type.String(), title: Type.String() }), Type.Null()], {
      description: 'where visitors of a site see it; null: nowhere',
    }),
  ),
  done_s: figure('seconds under load'),
  of_s: figure('seconds of load that were asked for'),
  committed: figure('transactions since it began'),
  failed: figure('transactions that were given up'),
  committed_per_s: figure(perSecond),
  retries_per_commit: figure(`${perSecond}; null: nothing was committed`),
  p50_ms: figure(perSecond),
  p99_ms: figure(perSecond),
  stopped: Type.Optional(Type.Boolean({ description: 'before its time' })),
  mismatches: Type.Optional(
    Type.Array(Type.String(), {
      description: 'once it has ended: where what is stored differs from what was acknowledged; none, unless something is broken',
    }),
  ),
  message: Type.Optional(Type.String({ description: 'why it failed' })),
});
export type SpikeLine = Static<typeof LineSchema>;

export const RunSchema = Type.Object({
  ...WishSchema.properties,
  seed: Type.Integer({ description: 'of what it draws' }),
  began_at_ms: Type.Integer(),
  line: Type.Union([LineSchema, Type.Null()], { description: 'the newest that its driver has said' }),
});
export type SpikeRun = Static<typeof RunSchema>;
