// Misbehaving viewers of a real gateway: too slow, too many, gone; and viewers of a gateway that closes.
import { once } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest';
import { claretService } from '../grpc/proto.ts';
import { LISTENERS_MAX } from '../grpc/telemetry.ts';
import { startCluster } from '../testing/cluster.ts';
import type { TestCluster } from '../testing/cluster.ts';
import { FeedReader, FeedReaders } from '../testing/feed.ts';
import { VIEWERS_MAX } from './cluster-telemetry.ts';

let cluster: TestCluster;
beforeAll(async () => {
  cluster = await startCluster(1);
});
afterAll(() => cluster.close());

const readers = new FeedReaders();
afterEach(async () => {
  readers.close();
  await expect.poll(() => cluster.gateways[0]!.host.takeTelemetry(), soon).toBeNull();
});
const watch = () => readers.watch(cluster.gateways[0]!);

const soon = { interval: 10 };
const get = (url: string) => cluster.gateways[0]!.rest.inject(url);
/** The bytes of buffers that this process still references. */
function buffersKept(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return process.memoryUsage().arrayBuffers;
}

test('frames are not buffered for a viewer that stops reading: it learns their number, gets every mark, and delays no other viewer', async () => {
  const FRAME_BYTES = 2 * 1024 * 1024; // fills what the system keeps for a connection in a few frames
  const { host, rest } = cluster.gateways[0]!;
  const take = host.takeTelemetry.bind(host);
  onTestFinished(() => void (host.takeTelemetry = take));
  host.takeTelemetry = () => take()?.replace(/\}$/, `,"filling":"${'x'.repeat(FRAME_BYTES)}"}`) ?? null;
  const [slow, other] = [watch(), watch()];
  await expect.poll(() => Math.min(slow.frames.length, other.frames.length), soon).toBeGreaterThanOrEqual(2);
  slow.stopReading();
  const stoppedAt = slow.frames.length;
  // By then its connection is full: the system may keep up to 36 MiB for it.
  await expect.poll(() => other.frames.length, soon).toBeGreaterThanOrEqual(stoppedAt + 20);
  const before = buffersKept();
  const seenByOther = other.frames.length;
  await rest.inject({ method: 'POST', url: '/v1/admin/marks', payload: { text: 'while it slept' } });
  await expect.poll(() => other.frames.length, soon).toBeGreaterThanOrEqual(seenByOther + 10);
  expect(buffersKept() - before, 'ten more frames are 20 MiB').toBeLessThan(8 * 1024 * 1024);

  slow.readOn();
  // Its connection may still hold frames that missed one or two, from the moments before it was full.
  const afterSleep = () => slow.frames.findIndex(({ missed }) => missed >= 10);
  await expect.poll(afterSleep, soon).toBeGreaterThanOrEqual(stoppedAt);
  const next = slow.frames[afterSleep()]!;
  // The other may miss frames as well, on a busy machine: the two are compared between frames that both were sent.
  const common = () => slow.frames.map(({ at_ms }) => at_ms).filter((at_ms) => other.frames.some((frame) => frame.at_ms === at_ms));
  await expect.poll(() => common().at(-1), soon).toBeGreaterThanOrEqual(next.at_ms);
  const from = common().findLast((at_ms) => at_ms < next.at_ms)!;
  const to = common().find((at_ms) => at_ms >= next.at_ms)!;
  const offered = ({ frames }: FeedReader) =>
    frames.filter(({ at_ms }) => at_ms > from && at_ms <= to).reduce((sum, { missed }) => sum + missed + 1, 0);
  expect(offered(slow), 'as many as the other was offered').toBe(offered(other));
  expect(slow.frames.map(({ number }) => number)).toEqual(slow.frames.map((_, i) => i + 1));
  expect(slow.marks.map(({ what }) => what)).toEqual([{ note: 'while it slept' }]);
  expect(other.frames.length, 'it went on all the while').toBeGreaterThanOrEqual(next.missed / 2);
});

test(`a gateway takes ${VIEWERS_MAX} viewers at once; one more is refused, until one leaves`, async () => {
  for (let i = 0; i < VIEWERS_MAX; i++) watch();
  await expect.poll(() => readers.open.filter(({ welcome }) => welcome !== undefined).length, soon).toBe(VIEWERS_MAX);
  const late = watch();
  await expect.poll(() => late.status, soon).toBe(503);
  await expect.poll(() => late.ended, soon).toBe(true);
  expect(late.headers).toMatchObject({ 'content-type': 'application/problem+json', 'retry-after': '1' });
  expect(JSON.parse(late.text)).toMatchObject({ code: 'too_many_viewers', retryable: true });
  expect((await get('/v1/telemetry')).json().code).toBe('too_many_viewers');
  readers.open[7]!.close();
  await expect.poll(async () => (await get('/v1/telemetry')).statusCode, soon).toBe(200);
});

test(`a shard takes ${LISTENERS_MAX} listeners at once over gRPC, and viewers besides`, async () => {
  const grpc = cluster.grpcClient(0);
  const { path, requestSerialize, responseDeserialize } = claretService['WatchTelemetry']!;
  const codes: number[] = [];
  let greeted = 0;
  const open = () => {
    const stream = grpc.makeServerStreamRequest<object, object>(path, requestSerialize, responseDeserialize, {});
    stream.once('data', () => greeted++);
    stream.on('data', () => {});
    stream.on('error', (error: Error & { code: number }) => codes.push(error.code));
    return stream;
  };
  const streams = Array.from({ length: LISTENERS_MAX }, open);
  await expect.poll(() => greeted, soon).toBe(LISTENERS_MAX);
  streams.push(open());
  await expect.poll(() => codes, soon).toEqual([14]); // UNAVAILABLE
  const viewer = watch();
  await expect.poll(() => viewer.frames.length, soon).toBeGreaterThan(0);
  for (const stream of streams) stream.cancel();
});

test('the stream has no HEAD route, whose response would never end', async () => {
  expect((await cluster.gateways[0]!.rest.inject({ method: 'HEAD', url: '/v1/telemetry/stream' })).statusCode).toBe(405);
});

test('a client that disconnects before its frames are there is not waited for', async () => {
  const { host, member } = cluster.gateways[0]!;
  const FRAMES = 25;
  const take = host.takeTelemetry.bind(host);
  onTestFinished(() => void (host.takeTelemetry = take));
  let taken = 0;
  host.takeTelemetry = () => {
    const frame = take();
    if (frame !== null) taken++;
    return frame;
  };
  const leaving = new AbortController();
  const asked = fetch(`http://${member.rest}/v1/telemetry?frames=${FRAMES}`, { signal: leaving.signal });
  await expect.poll(() => taken, soon).toBeGreaterThan(0);
  leaving.abort();
  await expect(asked).rejects.toThrow();
  await expect.poll(take, soon).toBeNull();
  expect(taken).toBeLessThan(FRAMES);
});

test('a gateway that closes ends its streams, even of a viewer that does not read, and answers pending requests for frames', async () => {
  const closing = await startCluster(1);
  const [gateway] = closing.gateways;
  const viewers = [new FeedReader(gateway!), new FeedReader(gateway!)];
  await expect.poll(() => viewers.every(({ frames }) => frames.length > 0), soon).toBe(true);
  viewers[1]!.stopReading();
  const arrived = once(gateway!.rest.server, 'request');
  const asked = fetch(`http://${gateway!.member.rest}/v1/telemetry?frames=25`);
  await arrived;
  await closing.close();
  expect(await (await asked).json()).toMatchObject({ code: 'closing' });
  await expect.poll(() => viewers[0]!.ended, soon).toBe(true);
  viewers[1]!.close();
});
