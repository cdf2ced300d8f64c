// The API's documentation: /openapi.json and the page at /docs, from the schemas of the routes and the core's catalogue.
//
// Additions for readers: types and operations become enums in the document (the routes accept a type in any letter case, so their own
// schemas only say "a string"), and the page has Claret's branding and works offline.
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { Catalogue } from '../transaction/catalogue.ts';
import type { RestServer } from './rest-server.ts';

const TITLE = 'Claret API';

const INTRODUCTION = `
Strictly serializable transactions on typed records, on any keys of the cluster.

Every example on this page runs as it is. Choose *Try it out*, then *Execute*. Start with **Open accounts**, then **Transfer**.

Errors are \`application/problem+json\` with stable codes: [GET /v1/errors](/v1/errors) lists them. Integers beyond 2^53 - 1 are
strings in both directions.
`;

const TAGS = [
  { name: 'transactions', description: 'One-shot transactions: a list of operations that happen together or not at all' },
  { name: 'interactive', description: 'Transactions over several requests: begin, operations, commit' },
  { name: 'records', description: 'Native operations: one operation on one record, outside any transaction' },
  { name: 'types', description: 'Data types, and the installation of your own' },
  { name: 'reference', description: 'Topology and error codes' },
  { name: 'telemetry', description: 'What the dashboard shows, as data' },
  { name: 'admin', description: 'Operate the cluster' },
  { name: 'health', description: 'Probes and metrics' },
];

const DROP = '<path d="M16 6c5 6.2 7.5 9.7 7.5 13.2A7.5 7.5 0 0 1 16 26.7a7.5 7.5 0 0 1-7.5-7.5C8.5 15.7 11 12.2 16 6z" fill="#fdf3ee"/>';
const FAVICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="9" fill="#861f37"/>${DROP}</svg>`;

const LOGO =
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 170 32">${DROP}<text x="40" y="23" font-family="Inter, system-ui, sans-serif" ` +
  `font-size="19" font-weight="600" fill="#fff">${TITLE}</text></svg>`;

const STYLE = `
.swagger-ui .topbar { background: #861f37; padding: 8px 0; }
.swagger-ui .topbar .download-url-wrapper { display: none; }
.swagger-ui, .swagger-ui .info .title, .swagger-ui .opblock-tag, .swagger-ui .opblock .opblock-summary-description,
.swagger-ui table thead tr th, .swagger-ui .btn { font-family: Inter, system-ui, -apple-system, 'Segoe UI', sans-serif; }
.swagger-ui .info { margin: 28px 0; }
.swagger-ui .info table { display: block; overflow-x: auto; }
.swagger-ui .info td, .swagger-ui .info th { padding: 6px 10px; vertical-align: top; border-bottom: 1px solid #eee; }
.swagger-ui .btn.execute { background: #861f37; border-color: #861f37; }
`;

/** Adds GET /openapi.json and the page at /docs. REQUIRES: no route has been added yet. */
export async function addDocumentation(app: RestServer, catalogue: Catalogue): Promise<void> {
  // Types are installed while the gateway runs.
  const current = <T>(document: T): T => withChoices(document, choicesOf(catalogue));
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: TITLE, version: '1', description: `${INTRODUCTION}\n${typesTable(catalogue)}` },
      components: {
        securitySchemes: { token: { type: 'http', scheme: 'bearer', description: 'the token of the cluster, where it has one' } },
      },
      security: [{}, { token: [] }],
      tags: TAGS,
    },
  });
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    theme: {
      title: TITLE,
      favicon: [{ filename: 'favicon.svg', rel: 'icon', sizes: 'any', type: 'image/svg+xml', content: FAVICON }],
      css: [{ filename: 'claret.css', content: STYLE }],
    },
    logo: { type: 'image/svg+xml', content: LOGO, href: '/docs' },
    transformSpecification: current,
    transformSpecificationClone: false,
    uiConfig: { docExpansion: 'list', displayRequestDuration: true, defaultModelsExpandDepth: -1, persistAuthorization: true },
  });
  app.get('/openapi.json', { schema: { hide: true } }, () => current(app.swagger()));
}

function choicesOf(catalogue: Catalogue): ReadonlyMap<string, readonly string[]> {
  const described = [...catalogue.types, catalogue.record];
  return new Map([
    ['type', described.map(({ name }) => name)],
    ['operation', [...new Set(described.flatMap(({ operations }) => operations.map(({ name }) => name)))].sort()],
  ]);
}

function typesTable(catalogue: Catalogue): string {
  const rows = [...catalogue.types, catalogue.record].map(({ name, meaning, operations }) => {
    const calls = operations.map((operation) => {
      const parameters = operation.parameters.map((parameter) => `${parameter.name}: ${parameter.kind}`);
      const result = operation.result === 'void' ? '' : ` → ${operation.result}`;
      return `\`${operation.name}(${parameters.join(', ')})${result}\``;
    });
    return `| ${name} | ${meaning} | ${calls.join('<br>')} |`;
  });
  return ['| type | meaning | operations |', '|---|---|---|', ...rows].join('\n');
}

/** Adds an enum to every string that is marked with `catalogued`. */
function withChoices<T>(node: T, choices: ReadonlyMap<string, readonly string[]>): T {
  if (Array.isArray(node)) return node.map((each) => withChoices(each, choices)) as T;
  if (typeof node !== 'object' || node === null) return node;
  const { [CATALOGUED]: which, ...rest } = node as Record<string, unknown>;
  const members = Object.entries(rest).map(([name, value]) => [name, withChoices(value, choices)]);
  const list = typeof which === 'string' ? choices.get(which) : undefined;
  return Object.fromEntries(list ? [...members, ['enum', list]] : members) as T;
}

const CATALOGUED = 'x-catalogued';

/** Marks the schema of a string whose values the catalogue lists. */
export const catalogued = (what: 'type' | 'operation') => ({ [CATALOGUED]: what });
