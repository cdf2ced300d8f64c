// A shard refuses keys whose slots have moved to another shard: everything that was on its way there follows them.
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Claret } from '../claret.ts';
import { connect } from '../connect.ts';
import { keyOn } from '../testing/keys.ts';
import { ScriptedShard } from '../testing/scripted-shard.ts';
import { evenTopology } from '../topology/topology.ts';
import type { TopologyDescription } from '../topology/topology.ts';
import { LocalTransport } from '../transport/local.ts';

const A = keyOn(0, 'a');
const REFUSED = { code: 'wrong_shard', retryable: true };

let shards: [ScriptedShard, ScriptedShard];
let topology: TopologyDescription;
let claret: Claret;

beforeEach(async () => {
  shards = [new ScriptedShard(0), new ScriptedShard(1)];
  topology = evenTopology(['s0', 's1']);
  const transport = new LocalTransport({
    shards: new Map([
      ['s0', shards[0]],
      ['s1', shards[1]],
    ]),
    topology: () => topology,
  });
  claret = await connect({ addresses: ['s0', 's1'], transport });
});
afterEach(() => claret.close(0));

/** All slots are with shard 1. */
function move(): void {
  topology = evenTopology(['s0', 's1'], 1 + 8192);
  topology.shards[0]!.slots = [];
  topology.shards[1]!.slots = [
    { first: 0, last: 8191, version: 1 },
    { first: 8192, last: 16383, version: 0 },
  ];
}

test('a transaction', async () => {
  const done = claret.transact('Add', [claret.on.counter(A).add(1)]);
  const { attempt } = await shards[0].request('Add');
  move();
  shards[0].say({ replies: [{ attempt, error: REFUSED }] });
  const again = await shards[1].request('Add');
  expect(again.begin.retries).toBe(1);
  shards[1].say({ replies: [{ attempt: again.attempt, committedAt: '7', results: [] }] });
  await done;
});

test('an interactive transaction, whose next attempt requests nothing from the shard before', async () => {
  const done = claret.transaction('Read', (tx) => tx.counter(A).value());
  const { attempt } = await shards[0].request('Read');
  move();
  shards[0].heard = [];
  shards[0].say({ replies: [{ attempt, error: REFUSED }] });
  const again = await shards[1].request('Read');
  shards[1].say({ replies: [{ attempt: again.attempt, results: [{ integer: '4' }] }] });
  await shards[1].frame(({ requests }) => requests.some(({ prepare }: { prepare: unknown }) => prepare));
  shards[1].say({ replies: [{ attempt: again.attempt, committedAt: '7', results: [] }] });
  expect(await done).toBe(4);
  expect(shards[0].heard.flatMap(({ requests }) => requests)).toEqual([]);
});

test('a watch, which goes on with the last change that it has seen', async () => {
  const seen: unknown[] = [];
  const watch = claret.watch([claret.on.counter(A).value()], ({ value, error }) => seen.push(error?.code ?? value));
  const { watches } = await shards[0].frame((frame) => frame.watches.length > 0);
  const { id } = watches[0];
  shards[0].say({ changes: [{ id, value: { integer: '1' }, timestamp: '40' }] });
  move();
  shards[0].say({ changes: [{ id, error: REFUSED }] });
  const asked = await shards[1].frame((frame) => frame.watches.length > 0);
  expect(asked.watches).toMatchObject([{ id, since: '40' }]);
  shards[1].say({ changes: [{ id, value: { integer: '2' }, timestamp: '50' }] });
  expect(seen).toEqual([1, 2]);
  watch.close();
  expect((await shards[1].frame((frame) => frame.unwatched.length > 0)).unwatched).toEqual([id]);
});
