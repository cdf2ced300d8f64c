import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { CoresSampler, coresOf, type CoresSecond } from './cores.ts';
import { inodesIn, listenerOf } from './listener.ts';

const second = (busy: number, processes: Record<string, [all: number, main: number]>): CoresSecond => ({
  at_ms: 0,
  busy,
  processes: Object.fromEntries(Object.entries(processes).map(([name, [all, main]]) => [name, { all, main }])),
});
const over = (one: CoresSecond) =>
  coresOf(
    Array.from({ length: 6 }, () => one),
    2,
  ).bottleneck;

test('a process with a saturated main thread is the bottleneck, whatever else is idle', () => {
  expect(over(second(1.4, { 'gateway 0': [0.3, 0.3], 'auctions 0': [1.1, 0.97], k6: [0.1, 0.1] }))).toBe(
    'auctions 0 (its thread is busy all the time)',
  );
});

test('on a saturated machine the bottleneck is the machine, with the process that uses most of it', () => {
  expect(over(second(1.97, { 'gateway 0': [0.5, 0.4], 'auctions 0': [0.8, 0.7], k6: [0.6, 0.1] }))).toBe(
    'the machine (its 2 cores are busy; auctions 0 takes the most, 0.80)',
  );
});

test('other load on the machine is not attributed to the storm', () => {
  expect(over(second(2, { 'gateway 0': [0.1, 0.1], k6: [0.2, 0.1] }))).toMatch(
    /^the machine, by work that is not the storm's \(1\.70 of its 2 cores\)/,
  );
});

test('a storm without saturation is reported as such', () => {
  expect(over(second(0.6, { 'gateway 0': [0.2, 0.2], k6: [0.3, 0.1] }))).toBe('none: nothing was saturated');
});

test("the storm's busiest seconds count, not the calm around them, whatever other load there is", () => {
  const calm = second(1.8, { k6: [0.1, 0.1] });
  const busy = second(1.2, { k6: [0.9, 0.2] });
  const seconds = [
    ...Array.from({ length: 9 }, () => calm),
    ...Array.from({ length: 5 }, () => busy),
    ...Array.from({ length: 9 }, () => calm),
  ];
  expect(coresOf(seconds, 2)).toEqual({ by_process: { k6: 0.9 }, machine: 1.2, bottleneck: 'none: nothing was saturated' });
});

test('the sampler measures the time of this process, and tolerates a process that has ended', async () => {
  const sampler = new CoresSampler([
    { name: 'self', pid: process.pid },
    { name: 'gone', pid: 2 ** 22 + 1 },
  ]);
  const until = performance.now() + 1_500;
  while (performance.now() < until) {
    for (const from = performance.now(); performance.now() < from + 20;);
    await sleep(1);
  }
  sampler.stop();
  const [first] = sampler.seconds;
  expect(Object.keys(first!.processes)).toEqual(['self']);
  expect(first!.processes['self']!.all).toBeGreaterThan(0);
  expect(first!.busy).toBeGreaterThanOrEqual(0);
});

test('the process that listens on a port is found, but not one on another machine', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  try {
    expect(listenerOf(new URL(`http://127.0.0.1:${port}`))).toBe(process.pid);
    expect(listenerOf(new URL(`http://claret.example:${port}`))).toBeNull();
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
  expect(listenerOf(new URL(`http://127.0.0.1:${port}`))).toBeNull();
});

test('only sockets that listen on the exact port are selected', () => {
  const head = '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode';
  const row = (local: string, state: string, inode: number) =>
    `   0: ${local} 00000000:0000 ${state} 00000000:00000000 00:00000000 00000000     0        0 ${inode} 1 0000000000000000 100 0 0 10 0`;
  const table = [head, row('0100007F:1CF2', '0A', 11), row('0100007F:1CF2', '01', 12), row('0100007F:1CF3', '0A', 13)].join('\n');
  expect(inodesIn(table, 0x1cf2)).toEqual(['11']);
});
