// What a browser sends with the requests of the sites' pages, and which requests it sends again. Pure, for Node and for k6.
// `load/k6/kit/browser.spec.ts` compares it with what a browser sends.

import { CSRF_HEADER } from '../../ui/site/api/csrf.ts';
import { KEY_RANDOM_DIGITS, REQUEST_KEY_HEADER, requestKeyOf } from '../../ui/site/api/requestKeys.ts';
import { hexadecimal, pick } from './random.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

export interface Sent {
  method: Method;
  /** of the site, such as http://127.0.0.1:7410 */
  origin: string;
  /** name=value; null: not logged in */
  cookie: string | null;
  hasBody: boolean;
  /** of the change that the person intends; null: the request has none */
  key: string | null;
}

/** The share of posted requests that a visitor sends a second time, to another server. Half of these leave together with the first. */
const AGAIN = 0.05;

/** Pages give a key to what they post. `now_ms`: by the site's clock. */
export const keyOf = (method: Method, random: () => number, now_ms: number): string | null =>
  method === 'POST' ? requestKeyOf(now_ms, hexadecimal(random, KEY_RANDOM_DIGITS)) : null;

/** What opening an auction's page requests. `isFirst`: it is the first page of a visit, which also needs what every page does. */
export const auctionPage = (item_id: string, isFirst: boolean): string => `/api/items/${item_id}/page?opened=1${isFirst ? '&visit=1' : ''}`;

export function headersOf({ method, origin, cookie, hasBody, key }: Sent): Record<string, string> {
  return {
    accept: 'application/json',
    'accept-encoding': 'gzip, deflate, br, zstd',
    'accept-language': 'en-US',
    'sec-fetch-dest': 'empty',
    'sec-fetch-mode': 'cors',
    'sec-fetch-site': 'same-origin',
    [CSRF_HEADER]: '1',
    ...(method === 'GET' ? {} : { origin }),
    ...(hasBody ? { 'content-type': 'application/json' } : {}),
    ...(key === null ? {} : { [REQUEST_KEY_HEADER]: key }),
    ...(cookie === null ? {} : { cookie }),
  };
}

/** How a change with a key is sent: once, or again after its answer, or twice at once. */
export function timesOf(key: string | null, random: () => number): 'once' | 'again' | 'twice' {
  if (key === null || random() >= AGAIN) return 'once';
  return random() < 0.5 ? 'again' : 'twice';
}

/** A visitor's app server, and another one, if there is one. */
export function serversOf(all: readonly string[], random: () => number): [string] | [string, string] {
  const own = pick(random, all);
  const others = all.filter((one) => one !== own);
  return others.length === 0 ? [own] : [own, pick(random, others)];
}
