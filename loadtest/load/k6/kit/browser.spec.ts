// The visitors of the load tests send what a browser sends: this test records the pages' requests, and compares.
import { expect, type Page, type Request } from '@playwright/test';
import { look, newName, on, openAuction, placeBid, SERVERS, test } from '../../../../apps/rubis/e2e/site.ts';
import { sent } from '@claret/site/e2e/people.ts';
import { auctionPage, headersOf, type Method } from '../../../kit/browser.ts';

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
  expect(changes.map((request) => request.method()).sort()).toEqual(['POST', 'PUT']);
  for (const request of requests) {
    const method = request.method() as Method;
    const origin = new URL(request.url()).origin;
    const hasBody = request.postData() !== null;
    const headers = headersOf({ method, origin, cookie: ANY, hasBody, key: method === 'POST' ? ANY : null });
    expect(await headersSent(request), `${method} ${request.url()}`).toEqual(headers);
  }
});

/** Any page asks for it now and then. */
const NOW_AND_THEN = 'GET /api/conditions';
const named = (request: Request) => `${request.method()} ${request.url().slice(new URL(request.url()).origin.length)}`;

/** What the page requests of the API until it opens its stream. */
function requestsOfOpening(page: Page): string[] {
  const requests: string[] = [];
  let isOpen = false;
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    isOpen ||= pathname === STREAM;
    if (!isOpen && pathname.startsWith('/api/')) requests.push(named(request));
  });
  return requests;
}

test('opening an auction’s page is the one request that the load tests send, whoever opens it', async ({ enter, page }) => {
  const [seller, bidder] = [await enter('seller'), await enter('bidder')];
  const address = await openAuction(seller);
  const id = address.split('/').at(-1)!;
  for (const visitor of [seller, bidder, { page, name: '', context: page.context() }]) {
    const requests = requestsOfOpening(visitor.page);
    await look(visitor, address);
    await expect(visitor.page.getByRole('region', { name: 'About this item' })).toContainText(/\d views?/);
    await expect(visitor.page.getByRole('complementary', { name: 'Seller' })).toContainText('No ratings yet');
    expect(requests).toEqual([`GET ${auctionPage(id, true)}`]);
  }
});

test('an auction’s page is opened from another page with one request, also after pointing at the link has read its data', async ({
  enter,
  browser,
}) => {
  const seller = await enter('seller');
  const title = `Copper Kettle ${newName('x')}`;
  const id = (await openAuction(seller, { title })).split('/').at(-1)!;
  const findIt = async (page: Page) => {
    await page.goto(`/search?q=${encodeURIComponent(title)}`);
    await expect(on(page).live).toBeVisible();
    return page.getByRole('link', { name: title });
  };
  const opened = async (page: Page, views: string, press: () => Promise<void>) => {
    const requests = apiRequests(page);
    await press();
    await expect(page.getByRole('region', { name: 'About this item' })).toContainText(views);
    return requests.map(named).filter((name) => name !== NOW_AND_THEN);
  };

  const phone = await browser.newContext({ baseURL: SERVERS[0]!, hasTouch: true });
  const touched = await phone.newPage();
  const tapped = await findIt(touched);
  expect(await opened(touched, '1 view', () => tapped.tap())).toEqual([`GET ${auctionPage(id, false)}`]);
  await phone.close();

  const { page } = seller;
  const link = await findIt(page);
  const ahead = page.waitForResponse((response) => response.url().endsWith(`/api/items/${id}/page`));
  await link.hover();
  await ahead;
  const [one, ...others] = await opened(page, '2 views', () => link.click());
  // On a slow machine the data may be old by the time the link is pressed.
  expect([`POST /api/items/${id}/views`, `GET ${auctionPage(id, false)}`]).toContain(one);
  expect(others).toEqual([]);
});
