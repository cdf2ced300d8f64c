// Probes and metrics. /livez: the process answers. /readyz: the gateway serves, and its clock agrees with those of at least half of the
// other shards.
import Type from 'typebox';
import type { TSchema } from 'typebox';
import type { Services } from '../services.ts';
import type { RestServer } from './rest-server.ts';

const tags = ['health'];
const Live = Type.Object({ status: Type.Literal('ok') });
const Ready = Type.Object({
  status: Type.Enum(['ok', 'unavailable']),
  phase: Type.Enum(['starting', 'serving', 'closing']),
  clocks_apart: Type.Optional(
    Type.Array(Type.Object({ shard: Type.Integer(), ahead_ms: Type.Integer() }), {
      description: "other shards whose clocks are too far from this gateway's: transactions over both are refused with clock_skew",
    }),
  ),
});

const shown = <T extends TSchema>(schema: T, description: string): T => ({ ...schema, description });

export function addHealth(app: RestServer, { lifecycle, metrics, clocks }: Services): void {
  const live = { schema: { tags, summary: 'Is the process alive?', response: { 200: shown(Live, 'Alive') } } };
  app.get('/livez', live, () => ({ status: 'ok' as const }));

  const ready = {
    schema: {
      tags,
      summary: 'Is the gateway ready for work?',
      response: { 200: shown(Ready, 'Ready'), 503: shown(Ready, 'Starting or closing') },
    },
  };
  for (const path of ['/readyz', '/healthz']) {
    app.get(path, ready, async (_request, reply) => {
      const { phase } = lifecycle;
      const ok = phase === 'serving' && !clocks.ownClockIsSuspect;
      reply.code(ok ? 200 : 503);
      const apart = clocks.apart.map(({ shard, aheadMs }) => ({ shard, ahead_ms: aheadMs }));
      return { status: ok ? ('ok' as const) : ('unavailable' as const), phase, ...(apart.length > 0 && { clocks_apart: apart }) };
    });
  }

  const scrape = {
    schema: {
      tags,
      summary: 'Metrics for Prometheus',
      produces: ['text/plain'],
      response: { 200: Type.String({ description: 'Metrics in the text format' }) },
    },
  };
  app.get('/metrics', scrape, async (_request, reply) => reply.type(metrics.contentType).send(await metrics.scrape()));
}
