// The visitors of the load tests send what a browser sends: this test records the pages' requests, and compares.
import { expect, type Page, type Request } from '@playwright/test';
import { look, openAuction, placeBid, test } from '../../../../apps/rubis/e2e/site.ts';
import { sent } from '@claret/site/e2e/people.ts';
import { headersOf, type Method } from '../../../kit/browser.ts';

/** Headers that concern the connection, the cache or the browser. The sites' servers do not read them. */
const OF_NO_MATTER = /^(host|connection|content-length|user-agent|referer|sec-ch-ua.*|pragma|cache-control|if-none-match|priority)$/;
const ANY = 'of the visitor';
/** k6 has no streams. */
const STREAM = '/api/live';

async function headersSent(request: Request): Promise<Record<string, string>> {
  const all = Object.entries(await request.allHeaders()).filter(([name]) => !name.startsWith(':') && !OF_NO_MATTER.test(name));
  return Object.fromEntries(all.map(([name, value]) => [name, name === 'cookie' || name === 'idempotency-key' ? ANY : value]));
}

function apiRequests(page: Page): Request[] {
  const requests: Request[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/api/') && pathname !== STREAM) requests.push(request);
  });
  return requests;
}

test('a page’s reads and changes have the headers, and the key, that the load tests send', async ({ enter }) => {
  const [seller, bidder] = [await enter('seller'), await enter('bidder')];
  const address = await openAuction(seller);
  const requests = apiRequests(bidder.page);
  await look(bidder, address);
  await placeBid(bidder.page, '12');
  await sent(bidder.page, '/watch', () => bidder.page.getByRole('button', { name: /^Watch/ }).click());

  const changes = requests.filter((request) => request.method() !== 'GET');
  expect(changes.map((request) => request.method()).sort()).toEqual(['POST', 'POST', 'PUT']);
  for (const request of requests) {
    const method = request.method() as Method;
    const origin = new URL(request.url()).origin;
    const hasBody = request.postData() !== null;
    const headers = headersOf({ method, origin, cookie: ANY, hasBody, key: method === 'POST' ? ANY : null });
    expect(await headersSent(request), `${method} ${request.url()}`).toEqual(headers);
  }
});
