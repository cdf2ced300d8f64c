// The server: its routes, and what protects its visitors. It keeps no state that another process would miss.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';

import { Scope, type Claret } from '@claret/client';
import cookie from '@fastify/cookie';
import files from '@fastify/static';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';

import { Live } from './live.ts';
import { POLLS, REACTIONS } from './polls.ts';
import { outcomeUnknown, Problem, sendProblem } from './problem.ts';
import { choicesOf, react, vote } from './votes.ts';

const VOTER = 'poll_voter';
const VOTER_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const YEAR_S = 365 * 24 * 60 * 60;
const ANSWER_WITHIN_MS = 2_000;

/** The page's own files and nothing else: nothing inline, nothing from elsewhere, and no script can make markup of a text. */
const HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; " +
    "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
};

export interface AppOptions {
  /** addresses of trusted proxies, whose headers say where a visitor comes from; empty: none is trusted */
  proxies?: readonly string[];
  logLevel?: string;
}

export async function buildApp(claret: Claret, { proxies = [], logLevel = 'warn' }: AppOptions = {}): Promise<FastifyInstance> {
  const app = Fastify({
    logger: { level: logLevel },
    bodyLimit: 1024,
    trustProxy: proxies.length > 0 ? [...proxies] : false,
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false } }, // 1 is no text, and what is not known is refused
    frameworkErrors: (error, request, reply) => sendProblem(error, request, reply.headers(HEADERS)), // hooks do not run for a broken address
  });
  app.setErrorHandler(sendProblem);
  app.setNotFoundHandler((request, reply) => sendProblem(new Problem(404, 'not_found', 'There is nothing here.'), request, reply));
  app.removeContentTypeParser('text/plain'); // only JSON, which a page of another site cannot send without asking
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(HEADERS);
    if (!comesFromOwnPage(request)) throw new Problem(403, 'foreign_page', 'This request comes from a page of another site.');
  });
  await app.register(cookie);
  await app.register(files, { root: join(import.meta.dirname, '..', 'page'), cacheControl: false }); // the headers are ours
  routes(app, claret);
  return app;
}

const POLL = { type: 'string', maxLength: 64 };
const bodyOf = (other: string) => ({
  body: { type: 'object', required: ['poll', other], additionalProperties: false, properties: { poll: POLL, [other]: POLL } },
});

function routes(app: FastifyInstance, claret: Claret): void {
  const live = new Live(claret, (error) => app.log.error({ err: error }, 'a count cannot be watched'));
  app.addHook('preClose', async () => live.close());

  app.get('/api/polls', async (request, reply) => {
    const choices = await choicesOf(
      claret,
      POLLS.map(({ id }) => id),
      voterOf(request, reply),
    );
    return { polls: POLLS.map((poll, at) => ({ ...poll, choice: choices[at] })), reactions: REACTIONS };
  });

  app.post<{ Body: { poll: string; option: string } }>('/api/votes', { schema: bodyOf('option') }, async (request, reply) => {
    const { poll, option } = request.body;
    known(pollOf(poll).options, option);
    await vote(claret, poll, voterOf(request, reply), option);
    return reply.code(204).send();
  });

  app.post<{ Body: { poll: string; reaction: string } }>('/api/reactions', { schema: bodyOf('reaction') }, async (request, reply) => {
    const { poll, reaction } = request.body;
    pollOf(poll);
    known(REACTIONS, reaction);
    await inTime(claret, (bounded) => react(bounded, poll, reaction));
    return reply.code(204).send();
  });

  app.get('/api/live', (_request, reply) => {
    if (live.full) throw new Problem(503, 'too_many_pages', 'Too many people are watching.', 10);
    reply.hijack();
    live.show(reply.raw, HEADERS);
  });

  app.get('/readyz', async (_request, reply) => {
    const ready = claret.status.shards.every(({ state }) => state === 'live');
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ok' : 'unavailable' });
  });
}

const pollOf = (id: string) => known(POLLS, id);

function known<Item extends { id: string }>(list: readonly Item[], id: string): Item {
  const found = list.find((each) => each.id === id);
  if (found === undefined) throw new Problem(404, 'not_found', 'There is nothing of that name in this poll.');
  return found;
}

/** The visitor's id: a random number in a cookie. A visitor without a valid cookie gets a new one. */
function voterOf(request: FastifyRequest, reply: FastifyReply): string {
  const given = request.cookies[VOTER];
  if (given !== undefined && VOTER_ID.test(given)) return given;
  const fresh = randomUUID();
  reply.setCookie(VOTER, fresh, { path: '/', httpOnly: true, sameSite: 'strict', secure: request.protocol === 'https', maxAge: YEAR_S });
  return fresh;
}

/** A browser says where a change comes from, and no page can make it lie. Other programs say nothing, and have nobody's cookie. */
function comesFromOwnPage({ method, headers, host }: FastifyRequest): boolean {
  if (method === 'GET' || method === 'HEAD') return true;
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  const { origin } = headers;
  return origin === undefined || (URL.canParse(origin) && new URL(origin).host === host);
}

/**
 * A transaction has a time limit of its own. A native that was sent waits for its shard for up to a minute, which is too long for a page; one
 * that was not sent ends with its scope, a little earlier, and nothing has happened.
 */
async function inTime<Result>(claret: Claret, work: (bounded: Claret) => Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(outcomeUnknown()), ANSWER_WITHIN_MS + 500);
  });
  try {
    return await Promise.race([work(claret.within(new Scope(performance.now() + ANSWER_WITHIN_MS))), late]);
  } finally {
    clearTimeout(timer);
  }
}
