// The frames and marks of a replicated cluster, and of one that grows, with streams and a clock under the test's control. Real gateways take shards over in
// replication/take-over.test.ts.
import { expect, test } from 'vitest';
import { decode } from '@claret/client/telemetry';
import type { FrameMessage, MarkMessage, Replication } from '@claret/client/telemetry';
import { SeededEnvironment } from '../../../client/src/testing/seeded-environment.ts';
import { ClusterTelemetry } from './cluster-telemetry.ts';
import { frameHead } from './frame-text.ts';
import { givingOf } from './giving.ts';
import { Marks } from './marks.ts';
import type { TelemetryStreamHandlers } from './peer-telemetry.ts';
import { ShardTelemetry } from './shard-telemetry.ts';

const REPLICATION: Replication = {
  owners: [
    { shard: 0, address: 'b:1', rest_address: 'b:2', incarnation: 7, since_ms: 5, present: true },
    { shard: 1, address: 'd:1', rest_address: 'd:2', incarnation: 9, since_ms: 6, present: true },
  ],
  standbys: [{ address: 'c:1', rest_address: 'c:2', follows: [{ shard: 0, ready: true, behind: 0 }] }],
};

/** The gateway of shard 0 in incarnation 7, beside shard 1. `taken`: the incarnations of them that are take-overs. */
function begin(taken: readonly (readonly [shard: number, incarnation: number])[], historyMs = 60_000) {
  const environment = new SeededEnvironment(1);
  const marks = new Marks(0, 7, environment);
  let peer: TelemetryStreamHandlers | undefined;
  const owners = [0, 1].map((shard) => ({ shard, address: `${shard}:1`, rest_address: `${shard}:2`, slots: 8_192 }));
  const telemetry = new ClusterTelemetry({
    shard: 0,
    own: new ShardTelemetry({ observe: () => {}, takeTelemetry: () => '{}' }, 7, environment),
    peers: [undefined, (handlers) => ((peer = handlers), () => {})],
    marks,
    slotOwners: () => owners,
    conditions: () => ({ locks: 'rw', phasing: false, combining: 'off' }),
    historyMs,
    replication: {
      describe: () => REPLICATION,
      isTakeOver: (shard, incarnation) => taken.some(([one, other]) => one === shard && other === incarnation),
    },
    environment,
  });
  const pass = (ms: number) => environment.runUntil(new Promise<void>((resolve) => void environment.setTimeout(resolve, ms)));
  return { telemetry, marks, pass, owners, peer: () => peer! };
}

const whatOf = (marks: readonly MarkMessage[]) => marks.map(({ what }) => what);

test('every frame says who owns the shards and who stands by, and so does the history', async () => {
  const { telemetry, pass } = begin([]);
  telemetry.keepHistory();
  await pass(2_500);
  const past = [...telemetry.recording()!].slice(2).map((line) => JSON.parse(String(line)) as FrameMessage);
  expect(past.length).toBeGreaterThan(0);
  for (const { replication } of past) expect(replication).toEqual(REPLICATION);
  const texts: string[] = [];
  telemetry.attach({ take: ({ text }) => void texts.push(text), close: () => {} });
  await pass(500);
  expect(texts.length).toBeGreaterThan(0);
  for (const text of texts) expect(JSON.parse(frameHead(1, 0) + text)).toMatchObject({ number: 1, replication: REPLICATION });
});

test('a start of another shard is a restart, unless a gateway at another address took the shard', async () => {
  const { telemetry, marks, peer, pass } = begin([[1, 9]]);
  telemetry.attach({ take: () => {}, close: () => {} });
  peer().onMessage({ atMs: 0, hello: { incarnation: 8, startedAtMs: 0 } });
  await pass(100);
  peer().onMessage({ atMs: 0, hello: { incarnation: 9, startedAtMs: 0 } });
  const taken = { shard_taken_over: 1, by: 'd:2', from: 'a:2', unanswered_ms: 2_300 };
  peer().onMessage({ atMs: 5, mark: { id: '1-9-1', what: JSON.stringify(taken) } });
  expect(whatOf(marks.recent())).toEqual([taken]);
  await pass(100);
  peer().onMessage({ atMs: 0, hello: { incarnation: 10, startedAtMs: 0 } });
  expect(whatOf(marks.recent())).toEqual([taken, { shard_restarted: 1 }]);
});

test('a page that saw the owner before sees no restart of this gateway, which took the shard over', () => {
  const over = begin([[0, 7]]);
  over.telemetry.cameBack('0-6');
  expect(over.marks.recent()).toEqual([]);
  const again = begin([]);
  again.telemetry.cameBack('0-6');
  expect(whatOf(again.marks.recent())).toEqual([{ shard_restarted: 0 }]);
});

test('a shard that joins while viewers watch is in the frames from then on, silent until it reports', async () => {
  const { telemetry, pass, owners } = begin([], 0);
  const texts: string[] = [];
  telemetry.attach({ take: ({ text }) => void texts.push(text), close: () => {} });
  const newest = () => JSON.parse(frameHead(1, 0) + texts.at(-1)!) as FrameMessage;
  await pass(300);
  expect(newest().slots!.shards.map(({ shard }) => shard)).toEqual([0, 1]);
  let joined: [TelemetryStreamHandlers, isLive: boolean] | undefined;
  owners.push({ shard: 2, address: '2:1', rest_address: '2:2', slots: 0 });
  telemetry.addShard((handlers, isLive) => ((joined = [handlers, isLive]), () => {}));
  expect(telemetry.welcome().shards).toBe(3);
  expect(joined![1], 'at the pace of the others').toBe(true);
  await pass(1_000);
  expect(newest().slots!.shards.at(-1)).toEqual({ shard: 2, address: '2:1', rest_address: '2:2', slots: 0 });
  expect(newest().silent).toContain(2);
  joined![0].onMessage({ atMs: 0, frame: '{}' });
  await pass(200);
  expect(newest().silent).not.toContain(2);
  expect(newest().shards.map(({ shard }) => shard)).toContain(2);
});

test('a shard that joins while nobody watches is watched with the next viewer', async () => {
  const { telemetry } = begin([], 0);
  let opened = 0;
  telemetry.addShard(() => (opened++, () => {}));
  expect(opened).toBe(0);
  telemetry.attach({ take: () => {}, close: () => {} });
  expect(opened).toBe(1);
});

test('the frames have the moves under way, as the gateways of the givers say, until these say that they are over', async () => {
  const { telemetry, pass, peer } = begin([], 0);
  const texts: string[] = [];
  telemetry.attach({ take: ({ text }) => void texts.push(text), close: () => {} });
  const moves = () => (JSON.parse(frameHead(1, 0) + texts.at(-1)!) as FrameMessage).slots!.moves;
  const under = { phase: 'copying', bytesSent: 30, bytesLeft: 10, drains: 0, heldMs: null, beganAtMs: 5, why: null } as const;
  const move = givingOf({ move: '1-0-a', from: 1, to: 0, slots: { first: 9_000, last: 9_099 }, ...under })!;
  peer().onMessage({ atMs: 0, frame: '{}', giving: JSON.stringify(move) });
  await pass(300);
  expect(moves()).toEqual([move]);
  peer().onMessage({ atMs: 1, frame: '{}', giving: '{"phase":"of another version"}' });
  await pass(300);
  expect(moves(), 'what cannot be read is left out').toEqual([]);
  peer().onMessage({ atMs: 1, frame: '{}', giving: '' });
  await pass(300);
  expect(moves()).toEqual([]);
});

test('a viewer of this version reads a take-over', () => {
  const mark = { kind: 'mark', id: '1', at_ms: 1, what: { shard_taken_over: 0, by: 'b:2', from: 'a:2' } };
  expect(decode(JSON.stringify(mark))).toEqual({ message: mark });
});
