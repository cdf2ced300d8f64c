// Which page a request comes from, according to its browser's headers.
import { CSRF_HEADER } from '@claret/ui/site/api/csrf.ts';
import { describe, expect, test } from 'vitest';

import { comesFromThisSite, mayReadApi } from './origin.ts';

const HOST = 'auctions.example:7410';
const asking = (method: string, headers: Record<string, string>) => ({ method, headers, host: HOST });
const change = (headers: Record<string, string>) => comesFromThisSite(asking('POST', headers));
const own = { [CSRF_HEADER]: '1' };

describe('A change', () => {
  test('is accepted from a page of this site and from a program', () => {
    expect(change(own)).toBe(true);
    expect(change({ ...own, 'sec-fetch-site': 'same-origin' })).toBe(true);
    expect(change({ ...own, origin: `http://${HOST}` })).toBe(true);
    expect(change({ ...own, origin: `https://${HOST}` })).toBe(true);
  });

  test.each<[what: string, headers: Record<string, string>]>([
    ['a form, which sets no header', {}],
    ['a form of this site’s', { 'sec-fetch-site': 'same-origin', origin: `http://${HOST}` }],
    ['another site', { ...own, 'sec-fetch-site': 'cross-site' }],
    ['another port of this host', { ...own, 'sec-fetch-site': 'same-site' }],
    ['a bookmark', { ...own, 'sec-fetch-site': 'none' }],
    ['another site that sends this site’s origin', { ...own, 'sec-fetch-site': 'cross-site', origin: `http://${HOST}` }],
    ['two values of Sec-Fetch-Site', { ...own, 'sec-fetch-site': 'same-origin, cross-site' }],
    ['another origin', { ...own, origin: 'https://evil.example' }],
    ['another port, by its origin', { ...own, origin: 'http://auctions.example:7411' }],
    ['a host that begins like this one', { ...own, origin: `http://${HOST}.evil.example` }],
    ['a page without an origin', { ...own, origin: 'null' }],
    ['a malformed origin', { ...own, origin: HOST }],
  ])('does not come from %s', (_what, headers) => {
    expect(change(headers)).toBe(false);
  });

  test('is every request whose method is not a safe one', () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PURGE']) expect(comesFromThisSite(asking(method, {}))).toBe(false);
    for (const method of ['GET', 'HEAD', 'OPTIONS']) expect(comesFromThisSite(asking(method, {}))).toBe(true);
  });
});

describe('A read of the API', () => {
  const read = (headers: Record<string, string>) => mayReadApi(asking('GET', headers));

  test('is answered to this site’s pages, to programs, and to visitors who follow a link or type an address', () => {
    expect(read({})).toBe(true);
    expect(read({ 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' })).toBe(true);
    expect(read({ 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' })).toBe(true);
    expect(read({ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' })).toBe(true);
  });

  test.each([
    ['cross-site', 'cors', 'empty'],
    ['same-site', 'cors', 'empty'],
    ['cross-site', 'no-cors', 'script'],
    ['same-site', 'no-cors', 'image'],
    ['cross-site', 'navigate', 'iframe'],
    ['same-site', 'navigate', 'object'],
  ])('is not answered to a page of another origin: %s, %s, %s', (site, mode, destination) => {
    expect(read({ 'sec-fetch-site': site, 'sec-fetch-mode': mode, 'sec-fetch-dest': destination })).toBe(false);
  });
});
