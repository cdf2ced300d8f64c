// Probes and metrics: /livez says that the process answers, /readyz that it should be sent work.
import Type from 'typebox';
import type { Services } from '../services.ts';
import type { RestServer } from './server.ts';

const tags = ['health'];
const Live = Type.Object({ status: Type.Literal('ok') });
const Ready = Type.Object({
  status: Type.Enum(['ok', 'unavailable']),
  phase: Type.Enum(['starting', 'serving', 'closing']),
});

export function addHealth(app: RestServer, { lifecycle, metrics }: Services): void {
  const live = { schema: { tags, summary: 'The process answers', response: { 200: Live } } };
  app.get('/livez', live, () => ({ status: 'ok' as const }));

  const ready = { schema: { tags, summary: 'The gateway should be sent work', response: { 200: Ready, 503: Ready } } };
  for (const path of ['/readyz', '/healthz']) {
    app.get(path, ready, async (_request, reply) => {
      const { phase } = lifecycle;
      reply.code(phase === 'serving' ? 200 : 503);
      return { status: phase === 'serving' ? ('ok' as const) : ('unavailable' as const), phase };
    });
  }

  const scrape = { schema: { tags, summary: 'Prometheus metrics', produces: ['text/plain'] } };
  app.get('/metrics', scrape, async (_request, reply) => reply.type(metrics.contentType).send(await metrics.scrape()));
}
