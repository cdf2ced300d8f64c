// The history of two real gateways, and its bounds with invented reports.
import { gunzipSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import type { FrameMessage, TelemetryMessage, WelcomeMessage } from '@claret/client/telemetry';
import { startCluster } from '../testing/cluster.ts';
import type { TestCluster } from '../testing/cluster.ts';
import { FeedReaders } from '../testing/feed.ts';
import { History } from './history.ts';

let cluster: TestCluster | undefined;
const readers = new FeedReaders();
afterEach(async () => {
  readers.close();
  await cluster?.close();
  cluster = undefined;
});

const soon = { interval: 50 };
const rest = (gateway: number, url: string) => cluster!.gateways[gateway]!.rest.inject(url);
async function pastOf(gateway: number, query = ''): Promise<TelemetryMessage[]> {
  const { rawPayload, headers } = await rest(gateway, `/v1/telemetry/history${query}`);
  expect(headers['content-type']).toBe('application/gzip');
  const [header, ...lines] = gunzipSync(rawPayload).toString().trimEnd().split('\n');
  expect(JSON.parse(header!)).toMatchObject({ recording: 1, name: 'Claret' });
  return lines.map((line) => JSON.parse(line) as TelemetryMessage);
}
const framesOf = (messages: TelemetryMessage[]) => messages.filter((message) => message.kind === 'frame');
const homeCommits = (frames: FrameMessage[]) =>
  frames.flatMap(({ shards }) => shards).reduce((sum, { telemetry }) => sum + telemetry.homeCommits, 0);
const add = (key: string) =>
  cluster!.gateways[0]!.rest.inject({
    method: 'POST',
    url: '/v1/transactions',
    payload: { label: 'Visit', operations: [{ key, type: 'counter', operation: 'add', arguments: [1] }] },
  });

test('a page that opens later sees every commit once, with and without earlier viewers', async () => {
  cluster = await startCluster(2, { dashboardDir: 'ui/dashboard/public' });
  const [here, there] = [cluster.keyOn(0, 'past'), cluster.keyOn(1, 'past')];
  await expect.poll(async () => framesOf(await pastOf(0)).some(({ shards }) => shards.length === 2), soon).toBe(true);
  for (let i = 0; i < 10; i++) await Promise.all([add(here), add(there)]);
  await rest(0, '/v1/telemetry?frames=4'); // five frames a second for a while
  for (let i = 0; i < 10; i++) await Promise.all([add(here), add(there)]);
  await cluster.gateways[1]!.rest.inject({ method: 'POST', url: '/v1/admin/marks', payload: { text: 'a note' } });
  await expect.poll(async () => homeCommits(framesOf(await pastOf(0))), soon).toBe(40);

  const viewer = readers.watch(cluster.gateways[0]!);
  await expect.poll(() => viewer.frames.length, soon).toBeGreaterThan(2);
  for (let i = 0; i < 5; i++) await Promise.all([add(here), add(there)]);
  await expect.poll(() => homeCommits(viewer.frames), soon).toBe(10);
  const { at_ms } = viewer.welcome!;
  const past = await pastOf(0);
  expect(homeCommits(framesOf(past).filter((frame) => frame.at_ms <= at_ms)), 'what it is not shown').toBe(40);
  expect(past[0]).toMatchObject({ kind: 'welcome', shards: 2, conditions: { locks: 'abstract' }, marks: [] });
  expect(past.filter((message) => message.kind === 'mark')).toEqual([expect.objectContaining({ what: { note: 'a note' } })]);
  const times = framesOf(past).map((frame) => frame.at_ms);
  expect(times).toEqual(times.toSorted((one, other) => one - other));
  expect(framesOf(await pastOf(0, `?since_ms=${times.at(-2)!}`)).every((frame) => frame.at_ms > times.at(-2)!)).toBe(true);
});

test('without a dashboard, or with the history turned off, nothing is kept and no shard is observed', async () => {
  for (const config of [{}, { dashboardDir: 'ui/dashboard/public', historyMs: 0 }]) {
    cluster = await startCluster(1, config);
    const answer = await rest(0, '/v1/telemetry/history');
    expect([answer.statusCode, answer.json().code]).toEqual([404, 'no_history']);
    expect(cluster.gateways[0]!.host.takeTelemetry()).toBeNull();
    await cluster.close();
    cluster = undefined;
  }
});

const CONDITIONS = { locks: 'rw', phasing: false, combining: 'off' } as const;
const SLOTS = { shards: [], moves: [] };
const WELCOME: WelcomeMessage = {
  kind: 'welcome',
  version: 1,
  at_ms: 0,
  shards: 1,
  frames_per_second: 5,
  conditions: { ...CONDITIONS, locks: 'abstract' },
  marks: [],
};

test('the oldest frames are dropped beyond the bounds of time and bytes, and the welcome has the conditions of the first frame left', () => {
  let conditions: WelcomeMessage['conditions'] = CONDITIONS;
  const history = new History({ length_ms: 60_000, bytes_max: 10_000, conditions: () => conditions });
  const told = (second: number, text: string) => history.take(1_000 * second + 50, [{ shard: 0, at_ms: 1_000 * second, text }], SLOTS);
  const seconds = () =>
    [...history.lines(WELCOME)]
      .map((line) => JSON.parse(String(line)) as FrameMessage)
      .slice(2)
      .map(({ at_ms }) => Math.floor(at_ms / 1_000));
  for (let second = 100; second < 200; second++) told(second, '{}');
  expect(seconds()).toEqual(Array.from({ length: 61 }, (_, i) => 138 + i));
  expect(JSON.parse(String([...history.lines(WELCOME)][1]))).toMatchObject({ kind: 'welcome', conditions: CONDITIONS });
  conditions = WELCOME.conditions;
  for (let second = 200; second < 210; second++) told(second, `{"much":"${'x'.repeat(3_000)}"}`);
  expect(seconds()).toEqual([206, 207, 208]);
  expect(JSON.parse(String([...history.lines(WELCOME)][1]))).toMatchObject({ conditions: WELCOME.conditions });
});
