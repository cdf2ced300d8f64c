// Loads a page as a phone would, repeatedly, each time with an empty cache.

import { chromium, type Browser, type CDPSession } from '@playwright/test';
import { LINES, SCREEN, type LineName } from './phone.ts';

export interface Question {
  url: string;
  line: LineName;
  /** factor by which the CPU is slower than this machine's */
  cpu: number;
  rounds: number;
  /** path of the browser */
  chromium: string;
}

export interface Load {
  /** since the start of the navigation */
  first_ms: number;
  largest_ms: number;
  /** on the wire, until the page has come to rest */
  kilobytes: number;
  requests: number;
}

/** A page is at rest when for this time no request has begun or ended and there was no larger paint; live streams stay open. */
const REST_MS = 2_000;
const LONGEST_MS = 60_000;

export async function measureLoads({ url, line, cpu, rounds, chromium: executablePath }: Question): Promise<Load[]> {
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  try {
    // The first load warms up the servers and the browser, and does not count.
    const loads: Load[] = [];
    for (let round = 0; round <= rounds; round++) loads.push(await load(browser, url, line, cpu));
    return loads.slice(1);
  } finally {
    await browser.close();
  }
}

async function load(browser: Browser, url: string, line: LineName, cpu: number): Promise<Load> {
  const context = await browser.newContext(SCREEN);
  try {
    const page = await context.newPage();
    const client = await context.newCDPSession(page);
    const traffic = await slow(client, line, cpu);
    await page.addInitScript(() => {
      const paints = { first_ms: 0, largest_ms: 0, at_ms: 0 };
      Object.assign(window, { paints });
      const watch = (type: string, take: (entry: PerformanceEntry) => void) =>
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) take(entry);
          paints.at_ms = performance.now();
        }).observe({ type, buffered: true });
      watch('paint', ({ name, startTime }) => void (name === 'first-contentful-paint' && (paints.first_ms = startTime)));
      watch('largest-contentful-paint', ({ startTime }) => void (paints.largest_ms = startTime));
    });
    await page.goto(url, { waitUntil: 'commit', timeout: LONGEST_MS });
    const paints = () =>
      page.evaluate(() => (window as unknown as { paints: { first_ms: number; largest_ms: number; at_ms: number } }).paints);
    for (const until = Date.now() + LONGEST_MS; Date.now() < until;) {
      await page.waitForTimeout(REST_MS / 4);
      const { first_ms, at_ms } = await paints();
      const now_ms = await page.evaluate(() => performance.now());
      if (first_ms > 0 && now_ms - at_ms > REST_MS && Date.now() - traffic.changed_ms > REST_MS) break;
    }
    const { first_ms, largest_ms } = await paints();
    if (first_ms === 0) throw new Error(`${url} has shown nothing within ${LONGEST_MS / 1_000} s`);
    return { first_ms, largest_ms: Math.max(first_ms, largest_ms), kilobytes: traffic.bytes / 1_000, requests: traffic.requests };
  } finally {
    await context.close();
  }
}

async function slow(client: CDPSession, name: LineName, cpu: number) {
  const { latency_ms, down_bytes_per_s, up_bytes_per_s } = LINES[name];
  const traffic = { bytes: 0, requests: 0, changed_ms: Date.now() };
  const change = (bytes: number, requests: number) => {
    traffic.bytes += bytes;
    traffic.requests += requests;
    traffic.changed_ms = Date.now();
  };
  await client.send('Network.enable');
  client.on('Network.requestWillBeSent', () => change(0, 1));
  client.on('Network.loadingFinished', ({ encodedDataLength }) => change(encodedDataLength, 0));
  await client.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: latency_ms,
    downloadThroughput: down_bytes_per_s,
    uploadThroughput: up_bytes_per_s,
  });
  await client.send('Emulation.setCPUThrottlingRate', { rate: cpu });
  return traffic;
}
