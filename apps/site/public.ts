// Public resources: data that is the same for every visitor, so that caches between the site and its visitors may keep it. No answer is served
// to a request that began after a change of it was acknowledged: a cache is told to keep an answer only for as long as the shards have
// promised that nothing changes it (client/API.md, "Firm results"), and otherwise to ask each time.
//
// A resource is given its path's parameters and never the request, so nothing personal can get into it. One cache tier is covered, since caches
// pass `max-age` on without the age of what they have: behind proxies the visitor's own cache is told to ask each time.
import { createHash } from 'node:crypto';
import type { Tx } from '@claret/client';
import type { TSchema, Static } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';

import type { App } from './http.ts';

/** What shards are asked for. Beyond their own setting (`warrantyFirmMsMax`) they promise nothing. */
const FIRM_MS = 3_000;
/**
 * What a cache may add to the whole seconds that it is told: nginx counts them from the receipt and keeps an answer for up to a second longer;
 * half a second is for the way.
 */
export const CACHE_MARGIN_MS = 1_500;
const JSON_TYPE = 'application/json; charset=utf-8';

export interface PublicResource<Params extends TSchema> {
  /** of the transaction */
  label: string;
  params: Params;
  /** Only reads. Returns what is sent as JSON, and throws a RequestProblem for what is not there. */
  read: (tx: Tx, params: Static<Params>) => Promise<object>;
}

export interface PublicOptions {
  /** the site's visitors come through caches */
  behind_proxies: boolean;
  /** tests alone set another one than CACHE_MARGIN_MS */
  margin_ms?: number;
}

export type AddResource = <Params extends TSchema>(path: string, resource: PublicResource<Params>) => void;

/** Adds resources under PUBLIC_PREFIX. `app`: with deadlines. */
export function publicResources(app: App, { behind_proxies, margin_ms = CACHE_MARGIN_MS }: PublicOptions): AddResource {
  return (path, { label, params, read }) => {
    app.get(path, { schema: { params: params as TSchema } }, async (request, reply) => {
      const firm = await request.claret.firm(label, (tx) => read(tx, request.params as never), FIRM_MS);
      const bytes = JSON.stringify(firm.result);
      const tag = tagOf(bytes);
      const left_ms = Math.floor(firm.leftMs());
      reply.header('etag', tag).header('claret-warranty', `for=${left_ms}`);
      const seconds = Math.floor((left_ms - margin_ms) / 1_000);
      reply.header('cache-control', cacheControl(seconds, behind_proxies));
      // If nothing may be kept, nginx would keep for as long as before what a 304 confirms (with proxy_cache_revalidate).
      const may_confirm = seconds >= 1 || !behind_proxies;
      return may_confirm && isKnown(request, tag) ? reply.code(304).send() : reply.type(JSON_TYPE).send(Buffer.from(bytes));
    });
  };
}

function cacheControl(seconds: number, behind_proxies: boolean): string {
  if (seconds < 1) return 'public, no-cache';
  if (!behind_proxies) return `public, max-age=${seconds}, must-revalidate`;
  return `public, s-maxage=${seconds}, max-age=0, must-revalidate, stale-while-revalidate=0`;
}

const tagOf = (bytes: string): string => `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;

function isKnown({ headers }: FastifyRequest, tag: string): boolean {
  const known = (headers['if-none-match'] ?? '').split(',').map((one) => one.trim().replace(/^W\//, ''));
  return known.includes(tag) || known.includes('*');
}
