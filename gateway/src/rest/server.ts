// The REST door: one Fastify app with every route under /v1, the probes, the metrics, the documentation and the dashboard, behind the
// front door. Routes are adapters: a schema reads the request, one call does the work, a schema shapes the answer.
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import { TypeBoxValidatorCompiler } from '@fastify/type-provider-typebox';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import Fastify, { LogController } from 'fastify';
import type {
  FastifyBaseLogger, FastifyError, FastifyInstance, FastifySchemaValidationError,
  RawReplyDefaultExpression, RawRequestDefaultExpression, RawServerDefault,
} from 'fastify';
import type { Config } from '../config.ts';
import { ERRORS, GatewayError } from '../errors.ts';
import type { Services } from '../services.ts';
import type { Catalogue } from '../transaction/catalogue.ts';
import { checkAdminCall } from './admin.ts';
import { addBackup } from './backup.ts';
import { addConditions } from './conditions.ts';
import { addConflicts } from './conflicts.ts';
import { addDashboard } from './dashboard.ts';
import { HEADER_BYTES_MAX } from './front-door.ts';
import type { FrontDoor } from './front-door.ts';
import { addHealth } from './health.ts';
import { addInteractive } from './interactive.ts';
import { parseJson } from './json.ts';
import { checkOrigin } from './origin.ts';
import { asGatewayError, sendProblem } from './problem.ts';
import { addRecords } from './records.ts';
import { addReference } from './reference.ts';
import { addSpikes } from './spikes.ts';
import { addTelemetry } from './telemetry.ts';
import { checkToken } from './token.ts';
import { addTransactions } from './transactions.ts';

export type RestServer = FastifyInstance<
  RawServerDefault, RawRequestDefaultExpression, RawReplyDefaultExpression, FastifyBaseLogger, TypeBoxTypeProvider
>;

export async function buildRest(config: Config, services: Services, door: FrontDoor): Promise<RestServer> {
  const app: RestServer = Fastify({
    loggerInstance: door.log,
    serverFactory: door.serverFactory,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: config.bodyBytesMax,
    routerOptions: { maxParamLength: HEADER_BYTES_MAX },
    frameworkErrors: (error, request, reply) => void sendProblem(error, request, reply),
  }).withTypeProvider<TypeBoxTypeProvider>();

  app.setValidatorCompiler(TypeBoxValidatorCompiler);
  app.setSchemaErrorFormatter(describeMismatch);
  app.setErrorHandler<FastifyError>((error, request, reply) => {
    services.calls.refused('rest', asGatewayError(error));
    return sendProblem(error, request, reply);
  });
  app.removeAllContentTypeParsers();
  const parseBody = async (_request: unknown, body: Buffer) => (body.length === 0 ? undefined : parseJson(body));
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, parseBody);
  app.addHook('onRequest', checkOrigin);

  await addDocs(app, services.catalogue);
  await app.register(async (v1: RestServer) => {
    v1.addHook('onRequest', async () => {
      const { phase } = services.lifecycle;
      if (phase === 'closing') throw new GatewayError('closing', ERRORS.closing.meaning);
      if (phase === 'starting') throw new GatewayError('recovering', ERRORS.recovering.meaning);
    });
    v1.addHook('onRequest', checkToken(config.token));
    v1.addHook('onRequest', checkAdminCall);
    addTransactions(v1, services);
    addInteractive(v1, services);
    addRecords(v1, services);
    addReference(v1, services);
    addConditions(v1, services);
    addConflicts(v1, services);
    addTelemetry(v1, services);
    addSpikes(v1, services);
    addBackup(v1, services);
  }, { prefix: '/v1' });
  addHealth(app, services);
  app.get('/openapi.json', { schema: { hide: true } }, () => app.swagger());
  await addDashboard(app, config.dashboardDir);
  await app.ready();
  door.leadTo(app);
  return app;
}

const INTRODUCTION =
  'Strictly serializable transactions on typed records, any keys of the cluster. Errors are application/problem+json with ' +
  'stable codes (GET /v1/errors). Integers beyond 2^53 - 1 are strings, both ways.';

// From the core's catalogue, like everything that is said about the types.
function typesTable(catalogue: Catalogue): string {
  const rows = catalogue.types().map(({ name, meaning, operations }) => {
    const calls = operations.map((operation) => {
      const parameters = operation.parameters.map((parameter) => `${parameter.name}: ${parameter.kind}`);
      const result = operation.result === 'void' ? '' : ` → ${operation.result}`;
      return `\`${operation.name}(${parameters.join(', ')})${result}\``;
    });
    return `| ${name} | ${meaning} | ${calls.join('<br>')} |`;
  });
  return ['| type | meaning | operations |', '|---|---|---|', ...rows].join('\n');
}

async function addDocs(app: RestServer, catalogue: Catalogue): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Claret gateway',
        version: '1',
        description: `${INTRODUCTION}\n\n${typesTable(catalogue)}`,
      },
      components: { securitySchemes: { token: { type: 'http', scheme: 'bearer', description: 'where the cluster has one' } } },
      security: [{}, { token: [] }],
      tags: [
        { name: 'transactions', description: 'One-shot transactions' },
        { name: 'interactive', description: 'Transactions over several requests' },
        { name: 'records', description: 'Reading one record' },
        { name: 'reference', description: 'Data types, topology, error codes' },
        { name: 'telemetry', description: 'The cluster at work: what the dashboard shows' },
        { name: 'admin', description: 'Operating the cluster' },
        { name: 'health', description: 'Probes and metrics' },
      ],
    },
  });
  await app.register(swaggerUi, { routePrefix: '/docs' });
}

// "body/operations/0/key must be string", whichever part of the request it is.
function describeMismatch(errors: FastifySchemaValidationError[], part: string): Error {
  const first = errors[0];
  const where = `${part}${first?.instancePath ?? ''}`;
  return new GatewayError('invalid_request', `${where} ${first?.message ?? 'is not as the schema says'}`);
}
