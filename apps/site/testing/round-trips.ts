// For tests: counts what a request to a site costs between its app server and the shards: round trips until the answer, and frames. Everything
// runs in this process. Each frame takes the same time, on a clock that a test winds, so the time of an answer is its number of round trips.
import type { Claret } from '@claret/client';
import { FarCluster } from '@claret/client/testing';
import { newRequestKey, REQUEST_KEY_HEADER } from '@claret/ui/site/api/requestKeys.ts';
import { CSRF_HEADER } from '@claret/ui/site/api/csrf.ts';

import type { App } from '../http.ts';
import type { SiteVisitor } from './visitor.ts';

/** What one request has cost. `frames`: both ways, until nothing was under way any more. */
export type Cost = { status: number; round_trips: number; frames: number };

export type Asked = { method: 'GET' | 'POST' | 'PUT' | 'DELETE'; url: string; payload?: object; cookie: string | null };

/** A table of what requests cost, by the number of shards. The frames are the most: records may lie on any shard. */
export type Costs<What extends string> = Record<What, Record<1 | 2, readonly [round_trips: number, frames: number]>>;

export const asked = ({ cookie }: SiteVisitor, method: Asked['method'], url: string, payload?: object): Asked => ({
  method,
  url,
  cookie,
  ...(payload && { payload }),
});

export class FarSite {
  readonly app: App;
  readonly #far: FarCluster;

  private constructor(far: FarCluster, app: App) {
    this.#far = far;
    this.app = app;
  }

  static async start(shards: number, build: (claret: Claret) => Promise<App>): Promise<FarSite> {
    const far = await FarCluster.start(shards);
    return new FarSite(far, await build(far.claret));
  }

  /** Sends the request as a page does: with a new key, if it changes something. */
  async cost({ method, url, payload, cookie }: Asked): Promise<Cost> {
    const headers: Record<string, string> = { [CSRF_HEADER]: '1', ...(cookie !== null && { cookie }) };
    if (method !== 'GET') headers[REQUEST_KEY_HEADER] = newRequestKey(this.#far.claret.clock.nowMs());
    const request = () => this.app.inject({ method, url, headers, ...(payload === undefined ? {} : { payload }) });
    const { value, roundTrips, frames } = await this.#far.measure(request);
    return { status: value.statusCode, round_trips: roundTrips, frames };
  }

  async stop(): Promise<void> {
    await this.app.close();
    await this.#far.stop();
  }
}
