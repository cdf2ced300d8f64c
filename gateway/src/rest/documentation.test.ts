// The API's documentation: every operation is described, and all examples run as they are.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startCluster } from '../testing/cluster.ts';
import type { TestCluster } from '../testing/cluster.ts';

interface Media {
  example?: unknown;
  examples?: Record<string, { summary: string; value: object }>;
}
interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  example?: unknown;
}
interface Operation {
  summary?: string;
  parameters?: Parameter[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, { description: string }>;
}
interface OpenApi {
  info: { title: string };
  paths: Record<string, Record<string, Operation>>;
}

let cluster: TestCluster;
let document: OpenApi;
beforeAll(async () => {
  cluster = await startCluster(2);
  document = (await rest().inject({ method: 'GET', url: '/openapi.json' })).json();
});
afterAll(() => cluster.close());

const rest = () => cluster.gateways[0]!.rest;
const operations = () =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      method: method.toUpperCase(),
      path,
      operation,
    })),
  );
const bodyExamples = ({ requestBody }: Operation) => Object.values(requestBody?.content['application/json']?.examples ?? {});

/** operations that cannot run as they are, and what they need */
const NEEDS_MORE = new Map([
  ['GET /v1/admin/spikes', 'a spike driver'],
  ['POST /v1/admin/spikes', 'a spike driver'],
  ['POST /v1/admin/kills', 'a launcher'],
  ['PUT /v1/admin/spikes/conditions', 'a spike driver'],
  ['POST /v1/admin/moves', 'a log, and a third shard'],
  ['GET /v1/telemetry/stream', 'a reader of a stream'],
  ['GET /v1/telemetry/history', 'a dashboard'],
  ['GET /v1/admin/backup', 'a log'],
]);

test('every operation has a summary, described responses and, with a body, an example to send', () => {
  for (const { name, operation } of operations()) {
    expect(operation.summary, name).toBeTruthy();
    for (const { description } of Object.values(operation.responses)) expect(description, name).not.toBe('Default Response');
    if (operation.requestBody) expect(bodyExamples(operation), name).not.toHaveLength(0);
    for (const parameter of operation.parameters ?? []) {
      if (parameter.required && parameter.name !== 'id') expect(parameter.example, `${name}: ${parameter.name}`).toBeDefined();
    }
  }
});

test('types and operations are enums', () => {
  const { parameters } = document.paths['/v1/records/{key}']!.get!;
  const choices = (name: string) =>
    (parameters!.find((parameter) => parameter.name === name) as unknown as { schema: { enum: string[] } }).schema.enum;
  expect(choices('type')).toContain('TopK');
  expect(choices('operation')).toContain('tryDecrement');
  expect(JSON.stringify(document)).not.toContain('x-catalogued');
});

test('every example of a body runs as it is, in the order of the page', async () => {
  let id = '';
  for (const { name, method, path, operation } of operations()) {
    if (NEEDS_MORE.has(name)) continue;
    for (const { summary, value } of bodyExamples(operation)) {
      const answer = await rest().inject({ method: method as 'POST', url: path.replace('{id}', id), payload: value });
      expect(answer.statusCode, `${name}, ${summary}: ${answer.body}`).toBeLessThan(300);
      if (path === '/v1/transactions/interactive') ({ id } = answer.json() as { id: string });
    }
  }
  const commit = await rest().inject({ method: 'POST', url: `/v1/transactions/interactive/${id}/commit` });
  expect(commit.statusCode, commit.body).toBe(200);
});

test('every read runs with its example parameters', async () => {
  for (const { name, method, path, operation } of operations()) {
    if (method !== 'GET' || NEEDS_MORE.has(name)) continue;
    const given = (operation.parameters ?? []).filter(({ example }) => example !== undefined);
    const url = given
      .filter((parameter) => parameter.in === 'path')
      .reduce((text, { name: part, example }) => text.replace(`{${part}}`, encodeURIComponent(String(example))), path);
    const query = new URLSearchParams(
      given.filter((parameter) => parameter.in === 'query').map(({ name: part, example }) => [part, String(example)]),
    );
    const answer = await rest().inject({ method: 'GET', url: query.size > 0 ? `${url}?${query}` : url });
    expect(answer.statusCode, `${name}: ${answer.body.slice(0, 200)}`).toBe(200);
  }
});

describe('the page', () => {
  test('has our name, title and icon, and requests nothing from other hosts', async () => {
    const page = (await rest().inject({ method: 'GET', url: '/docs' })).body;
    expect(page).toContain('<title>Claret API</title>');
    expect(page).toContain('favicon.svg');
    expect(page).not.toMatch(/(?:src|href)="https?:/);
    expect(document.info.title).toBe('Claret API');
  });
});
