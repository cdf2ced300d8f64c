import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { servedIn } from './nginx.ts';
import { visitFromHere } from './visits.ts';

test('pages are visited in turn at their rates, and what they show is noted with the time of the request', async () => {
  let asked = 0;
  const site = createServer((request, response) => {
    asked++;
    if (request.url === '/broken') response.writeHead(500).end();
    else response.end(JSON.stringify({ live: { bid_count: request.url === '/quiet' ? 0 : 7 } }));
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void site.close());
  const url = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  const before_ms = Date.now();
  const visits = await visitFromHere({
    urls: [`${url}/quiet`, `${url}/hot`, `${url}/broken`],
    streams: [
      { pages: [0], per_s: 40 },
      { pages: [1, 2], per_s: 20 },
    ],
    seconds: 5,
  });
  const of = (page: number) => visits.filter((visit) => visit.page === page);
  // A busy machine may be late, but nothing is visited more often than it should be.
  expect(of(0).length).toBeGreaterThan(10);
  expect(of(0).length).toBeLessThanOrEqual(5 * 40);
  expect(of(1).length + of(2).length).toBeLessThanOrEqual(5 * 20);
  expect(Math.abs(of(1).length - of(2).length)).toBeLessThanOrEqual(1);
  expect(asked).toBe(visits.length);
  expect(new Set(of(0).map(({ status, bids }) => `${status} ${bids}`))).toEqual(new Set(['200 0']));
  expect(new Set(of(1).map(({ status, bids }) => `${status} ${bids}`))).toEqual(new Set(['200 7']));
  expect(new Set(of(2).map(({ status, bids }) => `${status} ${bids}`))).toEqual(new Set(['500 null']));
  for (const { began_ms, took_ms } of visits) {
    expect(began_ms).toBeGreaterThanOrEqual(before_ms);
    expect(began_ms + took_ms).toBeLessThan(Date.now() + 2);
  }
});

test("the log of nginx tells which requests an app server was asked, also if it was the second one's turn", () => {
  const log =
    '1764000000.250 - /public/items/1\n1764000001.125 127.0.0.1:8001 /public/items/1\n1764000002.000 127.0.0.1:8001, 127.0.0.1:8002 /public/items/2\n';
  expect(servedIn(log)).toEqual([
    { at_ms: 1_764_000_000_250, path: '/public/items/1', atOrigin: false },
    { at_ms: 1_764_000_001_125, path: '/public/items/1', atOrigin: true },
    { at_ms: 1_764_000_002_000, path: '/public/items/2', atOrigin: true },
  ]);
});
