// The REST API: one Fastify app with the routes under /v1, the probes, the metrics, the documentation and the dashboard, on the server of
// the RestListener. Routes are adapters: a schema validates the request, one call does the work, a schema serializes the reply.
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import Fastify, { LogController } from 'fastify';
import type { FastifyError } from 'fastify';
import type { Config } from '../config.ts';
import { ERRORS, GatewayError } from '../errors.ts';
import type { Services } from '../services.ts';
import { checkAdminCall } from './admin.ts';
import { addBackup } from './backup.ts';
import { addCompilers } from './compilers.ts';
import { addConditions } from './conditions.ts';
import { addConflicts } from './conflicts.ts';
import { addDashboard } from './dashboard.ts';
import { addDocumentation } from './documentation.ts';
import { addHealth } from './health.ts';
import { addInteractive } from './interactive.ts';
import { parseJson } from './json.ts';
import { HEADER_BYTES_MAX } from './listener.ts';
import type { RestListener } from './listener.ts';
import { methodsOfPaths } from './methods.ts';
import { describeMismatch } from './mismatch.ts';
import { addMoves } from './moves.ts';
import { checkOrigin } from './origin.ts';
import { asGatewayError, sendProblem } from './problem.ts';
import { addRecords } from './records.ts';
import { addReference } from './reference.ts';
import type { RestServer } from './rest-server.ts';
import { addSpikes } from './spikes.ts';
import { addTelemetry } from './telemetry.ts';
import { checkToken } from './token.ts';
import { addTransactions } from './transactions.ts';
import { addTypes } from './types.ts';
import { addWarranties } from './warranties.ts';

/** Gets no requests before the listener is handed over to it. */
export async function buildRest(config: Config, services: Services, listener: RestListener): Promise<RestServer> {
  const app: RestServer = Fastify({
    loggerInstance: listener.log,
    serverFactory: listener.serverFactory,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: config.bodyBytesMax,
    routerOptions: { maxParamLength: HEADER_BYTES_MAX },
    frameworkErrors: (error, request, reply) => void sendProblem(error, request, reply),
  }).withTypeProvider<TypeBoxTypeProvider>();

  addCompilers(app);
  app.setSchemaErrorFormatter(describeMismatch);
  app.setErrorHandler<FastifyError>((error, request, reply) => {
    services.calls.refused('rest', asGatewayError(error));
    return sendProblem(error, request, reply);
  });
  app.removeAllContentTypeParsers();
  const parseBody = async (_request: unknown, body: Buffer) => (body.length === 0 ? undefined : parseJson(body));
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, parseBody);
  app.addHook('onRequest', checkOrigin);
  const methodsOf = methodsOfPaths(app);

  await addDocumentation(app, services.catalogue);
  await app.register(
    async (v1: RestServer) => {
      v1.addHook('onRequest', async () => {
        const { phase } = services.lifecycle;
        if (phase === 'closing') throw new GatewayError('closing', ERRORS.closing.meaning);
        if (phase === 'starting') throw new GatewayError('recovering', ERRORS.recovering.meaning);
      });
      v1.addHook('onRequest', checkToken(config));
      v1.addHook('onRequest', checkAdminCall);
      addTransactions(v1, services);
      addInteractive(v1, services);
      addRecords(v1, services);
      addReference(v1, services);
      addTypes(v1, services);
      addConditions(v1, services);
      addConflicts(v1, services);
      addTelemetry(v1, services);
      addSpikes(v1, services);
      addBackup(v1, services);
      addMoves(v1, services);
      addWarranties(v1, services);
    },
    { prefix: '/v1' },
  );
  addHealth(app, services);
  await addDashboard(app, config.dashboardDir, methodsOf, services.overview);
  await app.ready();
  return app;
}
