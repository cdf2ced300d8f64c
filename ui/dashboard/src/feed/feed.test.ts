import type { Pages } from '@claret/ui/kit/live/sharedStream.ts';
import { describe, expect, it } from 'vitest';
import { PageWorld, settled, until } from '../testing/pageWorld.ts';
import { SyntheticCluster } from '../testing/synthetic.ts';
import { Feed, type FeedView } from './feed.ts';
import type { FrameMessage } from '@claret/client/telemetry';
import { readRecording, writeRecording } from './recording.ts';

const SMALL = { hotRecords: 2, conflicts: 2, waiters: 2, samples: 1, standbys: 1 };

async function recordingOf(frames: number): Promise<Blob> {
  const messages = [...new SyntheticCluster(SMALL).messages(frames)];
  const lines = messages.map((message) => new TextEncoder().encode(JSON.stringify(message)));
  return writeRecording({ name: 'a spike', made_at_ms: 5 }, lines);
}

/** A feed that has received the cluster's welcome. */
async function liveFeed() {
  const [world, cluster] = [new PageWorld(), new SyntheticCluster(SMALL)];
  world.up();
  const feed = new Feed(world);
  await settled();
  await world.send('welcome', JSON.stringify(cluster.welcome()));
  const frame = async (elapsed_ms = 200) => {
    await world.pass(elapsed_ms);
    await world.send('frame', JSON.stringify(cluster.frame()));
  };
  return { world, cluster, feed, frame };
}

/** Two pages of one browser, of which the first leads. */
function twoPages(): [Pages, Pages] {
  const listeners = new Map<string, (message: unknown) => void>();
  const page = (me: string, peer: string): Pages => ({
    me,
    open: (_name, onMessage) => {
      listeners.set(me, onMessage);
      return { post: (message) => void setImmediate(() => listeners.get(peer)?.(message)), close: () => void listeners.delete(me) };
    },
    contend: (_name, { onLead }) => {
      if (me === 'first') setImmediate(onLead);
      return () => {};
    },
  });
  return [page('first', 'second'), page('second', 'first')];
}

describe('the feed from a cluster', () => {
  it('is connecting, then live with the first welcome', async () => {
    const world = new PageWorld();
    world.up();
    const feed = new Feed(world);
    expect(feed.view().state).toBe('connecting');
    await settled();
    expect(feed.view().state).toBe('connecting');
    await world.send('welcome', JSON.stringify(new SyntheticCluster().welcome()));
    expect(feed.view().state).toBe('live');
    expect(feed.view().store.shards).toBe(2);
    feed.end();
  });

  it('is stale when the connection is lost, and live again with the next one', async () => {
    const { world, cluster, feed, frame } = await liveFeed();
    await frame();
    world.cut();
    await settled();
    expect(feed.view().state).toBe('stale');
    await world.pass(1_000);
    expect(feed.view().state).toBe('stale');
    await world.send('welcome', JSON.stringify(cluster.welcome()));
    expect(feed.view().state).toBe('live');
    expect(feed.view().store.newest_ms).not.toBeNull();
    feed.end();
  });

  it('starts with the history that the cluster has kept, and continues from there without a gap', async () => {
    const [world, cluster] = [new PageWorld(), new SyntheticCluster({ ...SMALL, frame_ms: 1_000 })];
    // The history begins under reader/writer locks, which are no longer in force.
    const rw = cluster.change({ locks: 'rw' });
    const past = [...cluster.messages(20)];
    const now = cluster.change({ locks: 'abstract' });
    world.history = await writeRecording(
      { name: 'Claret', made_at_ms: 5 },
      past.map((message) => new TextEncoder().encode(JSON.stringify(message))),
    );
    world.up();
    const feed = new Feed(world);
    await settled();
    await world.send('welcome', JSON.stringify({ ...cluster.welcome(), marks: [now] }));
    expect(feed.view().store.conditions).toMatchObject({ locks: 'abstract' });
    const next = cluster.frame();
    await world.send('frame', JSON.stringify({ ...next, number: 1 }));
    const { store } = feed.view();
    await until(() => store.newest_ms === next.at_ms);
    expect(world.askedHistory).toEqual(['/v1/telemetry/history']);
    expect(store.conditions).toMatchObject({ locks: 'abstract' });
    expect({ conditions: store.firstConditions }).toEqual(rw.what);
    expect(store.oldest_ms).toBe(past[1]!.at_ms);
    const frames = [...past.slice(1), next] as FrameMessage[];
    const told = frames.flatMap(({ shards }) => shards).reduce((sum, { telemetry }) => sum + telemetry.homeCommits, 0);
    expect(store.totals.sum({ from_ms: 0, to_ms: Infinity }, 'committed')).toBe(told);
    expect(await readRecording((await feed.save('all of it', 7))!)).toMatchObject({ recording: { lines: { length: past.length + 2 } } });

    // The connection is lost for three seconds; the cluster's history covers them afterwards.
    world.cut();
    await settled();
    const missed = [cluster.welcome(), ...frames.slice(-2), cluster.frame(), cluster.frame(), cluster.frame()];
    world.history = await writeRecording(
      { name: 'Claret', made_at_ms: 5 },
      missed.map((message) => new TextEncoder().encode(JSON.stringify(message))),
    );
    await world.pass(1_000);
    await world.send('welcome', JSON.stringify(cluster.welcome()));
    const last = cluster.frame();
    await world.send('frame', JSON.stringify({ ...last, number: 1 }));
    await until(() => store.newest_ms === last.at_ms);
    expect(world.askedHistory[1]).toBe(`/v1/telemetry/history?since_ms=${next.at_ms}`);
    const all = [...frames, ...(missed.slice(3) as FrameMessage[]), last];
    expect(store.totals.sum({ from_ms: 0, to_ms: Infinity }, 'committed')).toBe(
      all.flatMap(({ shards }) => shards).reduce((sum, { telemetry }) => sum + telemetry.homeCommits, 0),
    );
    feed.end();
  });

  it('is shared by the pages of a browser, which know which gateway sends it', async () => {
    const [leader, other, cluster] = [new PageWorld(), new PageWorld(), new SyntheticCluster(SMALL)];
    [leader.pages, other.pages] = twoPages();
    leader.up();
    const feeds = [leader, other].map((world) => new Feed(world));
    await leader.pass(100);
    await leader.send('welcome', JSON.stringify(cluster.welcome()));
    await leader.send('frame', JSON.stringify(cluster.frame()));
    leader.dead.add(leader.host);
    leader.cut();
    await leader.pass(1_000);
    await leader.send('welcome', JSON.stringify(cluster.welcome()));
    for (const feed of feeds) expect(feed.view().live).toMatchObject({ state: 'live', elsewhere: '10.0.0.1:7400' });
    expect(other.asked).toEqual([]);
    expect(other.askedHistory.at(-1)).toMatch(/^http:\/\/10\.0\.0\.1:7400\/v1\/telemetry\/history/);
    feeds.forEach((feed) => feed.end());
  });

  it('continues at another gateway of the cluster while its own does not answer, and returns to it', async () => {
    const { world, cluster, feed, frame } = await liveFeed();
    await frame();
    world.dead.add(world.host);
    world.cut();
    await world.pass(1_000);
    expect(world.asked.slice(1)).toEqual(['/v1/telemetry/stream', 'http://10.0.0.1:7400/v1/telemetry/stream']);
    await world.send('welcome', JSON.stringify(cluster.welcome()));
    expect(feed.view().live).toMatchObject({ state: 'live', elsewhere: '10.0.0.1:7400' });
    expect(world.askedHistory[1]).toMatch(/^http:\/\/10\.0\.0\.1:7400\/v1\/telemetry\/history\?since_ms=/);
    await world.pass(5_500);
    expect(world.asked.at(-1)).toBe('/readyz');
    expect(feed.view().live.elsewhere).toBe('10.0.0.1:7400');
    world.dead.clear();
    await world.pass(5_500);
    expect(world.asked.slice(-2)).toEqual(['/readyz', '/v1/telemetry/stream']);
    await world.send('welcome', JSON.stringify(cluster.welcome()));
    expect(feed.view().live).toMatchObject({ state: 'live', elsewhere: null });
    feed.end();
  });

  it('does not wait for a history that does not arrive', async () => {
    const world = new PageWorld();
    world.history = new Promise(() => {});
    world.up();
    const cluster = new SyntheticCluster(SMALL);
    const feed = new Feed(world);
    await settled();
    await world.send('welcome', JSON.stringify(cluster.welcome()));
    await world.send('frame', JSON.stringify(cluster.frame()));
    expect(feed.view().store.newest_ms).toBeNull();
    await world.pass(5_000);
    expect(feed.view().source).toBe('live');
    expect(feed.view().store.newest_ms).not.toBeNull();
    feed.end();
  });

  it('is offline when the browser is offline', async () => {
    const { world, feed } = await liveFeed();
    world.online = false;
    feed.sleep();
    expect(feed.view().state).toBe('offline');
    feed.end();
  });

  it('is stale while it is more than two seconds behind, and reports by how much', async () => {
    const { world, feed, frame } = await liveFeed();
    for (let at = 0; at < 10; at += 1) await frame();
    expect(feed.view()).toMatchObject({ state: 'live', live: { behind_s: 0 } });
    await world.pass(3_600);
    expect(feed.view()).toMatchObject({ state: 'stale', live: { behind_s: 3 } });
    // Late frames do not make the feed live; catching up does.
    await frame(0);
    expect(feed.view().state).toBe('stale');
    for (let at = 0; at < 18; at += 1) await frame(0);
    await world.pass(500);
    expect(feed.view().state).toBe('live');
    feed.end();
  });

  it('ignores messages of another version, and reports that version', async () => {
    const { world, cluster, feed } = await liveFeed();
    await world.send('welcome', JSON.stringify({ ...cluster.welcome(), version: 2 }));
    await world.send('frame', JSON.stringify(cluster.frame()));
    expect(feed.view()).toMatchObject({ state: 'other_version', live: { otherVersion: 2 } });
    expect(feed.view().store.newest_ms).toBeNull();
    await world.send('welcome', JSON.stringify(cluster.welcome()));
    expect(feed.view().state).toBe('live');
    feed.end();
  });

  it('counts unreadable messages, and continues', async () => {
    const { world, feed, frame } = await liveFeed();
    for (const data of ['{', 'null', '7', '{"kind":"frame"}', '{"kind":"toString"}']) await world.send('frame', data);
    await world.send('weather', '{');
    await frame(600);
    expect(feed.view()).toMatchObject({ state: 'live', live: { malformed: 5 } });
    expect(feed.view().store.newest_ms).not.toBeNull();
    feed.end();
  });

  it('closes the connection while the page is hidden, and reopens it afterwards', async () => {
    const { world, cluster, feed, frame } = await liveFeed();
    await frame();
    feed.rest();
    expect(feed.view().state).toBe('stale');
    await world.pass(60_000);
    expect(world.asked).toHaveLength(1);
    feed.wake();
    await settled();
    await world.send('welcome', JSON.stringify(cluster.welcome()));
    expect(feed.view().state).toBe('live');
    expect(feed.view().store.newest_ms).not.toBeNull();
    feed.end();
  });

  it('requests nothing and plays nothing on a page that has never been visible', async () => {
    const world = new PageWorld();
    const feed = new Feed(world, true);
    await world.pass(60_000);
    expect(world.asked).toEqual([]);
    feed.wake();
    await world.pass(3_100);
    expect(world.asked).toContain('/bid-spike.claret.gz');
    feed.end();
  });

  it('notifies about changes of its connection, not about every message', async () => {
    const { feed, frame } = await liveFeed();
    let told = 0;
    feed.subscribe(() => void (told += 1));
    for (let at = 0; at < 50; at += 1) await frame();
    expect(told).toBe(0);
    feed.end();
  });

  it('reports why the cluster refuses', async () => {
    const world = new PageWorld();
    world.answers = () => new Response(null, { status: 503 });
    const feed = new Feed(world);
    await settled();
    expect(feed.view()).toMatchObject({ state: 'connecting', live: { refusal: 503 } });
    feed.end();
  });
});

describe('without a cluster', () => {
  const waiting = async (shipped: Blob | null) => {
    const world = new PageWorld();
    world.shipped = shipped;
    const feed = new Feed(world);
    await world.pass(2_900);
    expect(feed.view().state).toBe('connecting');
    expect(world.asked).not.toContain('/bid-spike.claret.gz');
    await world.pass(200);
    return { world, feed };
  };

  it('the shipped recording plays until a cluster answers', async () => {
    const { world, feed } = await waiting(await recordingOf(20));
    await until(() => feed.view().state === 'recording');
    expect(feed.view()).toMatchObject({ source: 'recording', replay: { name: 'a spike', isShipped: true, isPlaying: true } });
    await world.pass(2_050);
    expect(feed.view().store.newest_ms! - feed.view().replay!.from_ms).toBe(2_000);
    const cluster = new SyntheticCluster(SMALL);
    world.up();
    await world.pass(15_000);
    await world.send('welcome', JSON.stringify(cluster.welcome()));
    await world.send('frame', JSON.stringify(cluster.frame()));
    expect(feed.view()).toMatchObject({ state: 'live', replay: null });
    expect(feed.view().store).toBe(feed.liveStore);
    feed.end();
  });

  it('if the recording is missing too, the feed keeps connecting, and says so', async () => {
    const { feed } = await waiting(null);
    await until(() => feed.view().problem !== null);
    expect(feed.view()).toMatchObject({ state: 'connecting', problem: { code: 'unreachable' } });
    feed.end();
  });
});

describe('a recording that is opened', () => {
  it('is shown while the live feed continues, and loses nothing', async () => {
    const { feed, frame } = await liveFeed();
    await frame();
    await feed.open(await recordingOf(5));
    expect(feed.view()).toMatchObject({
      state: 'recording',
      replay: { isShipped: false, isCutOff: false, malformed: 0, isPlaying: false },
    });
    expect(feed.at_ms).toBe(feed.view().replay!.to_ms);
    await frame();
    expect(feed.view().state).toBe('recording');
    feed.close();
    expect(feed.view()).toMatchObject({ state: 'live', replay: null });
    expect(feed.view().store.newest_ms! - feed.view().store.oldest_ms!).toBe(200);
    feed.end();
  });

  it('does not replace what is shown if it cannot be read', async () => {
    const { feed, frame } = await liveFeed();
    await frame();
    await feed.open(new Blob(['GIF89a']));
    expect(feed.view()).toMatchObject({ state: 'live', problem: { code: 'not_a_recording' } });
    expect(feed.view().store.newest_ms).not.toBeNull();
    feed.end();
  });

  it('of several openings the last one is shown', async () => {
    const { feed } = await liveFeed();
    const [long, short] = [await recordingOf(60), await recordingOf(3)];
    await Promise.all([feed.open(long), feed.open(short)]);
    const { replay } = feed.view();
    expect(replay!.to_ms - replay!.from_ms).toBe(600);
    feed.end();
  });

  it('equals what was saved', async () => {
    const { feed, frame, world } = await liveFeed();
    expect(await new Feed(new PageWorld()).save('nothing', 0)).toBeNull();
    for (let at = 0; at < 12; at += 1) await frame();
    const takenOver = { shard_taken_over: 1, by: '10.0.0.2:7400', from: '10.0.0.1:7400', unanswered_ms: 2_300 };
    const mark = { kind: 'mark', id: '1-9-1', at_ms: feed.liveStore.newest_ms, what: takenOver };
    await world.send('mark', JSON.stringify(mark));
    const { liveStore } = feed;
    const file = await feed.save('twelve', 77);
    const views: FeedView[] = [];
    feed.subscribe(() => views.push(feed.view()));
    await feed.open(file!);
    await world.pass(5_000);
    const { store, replay } = feed.view();
    expect(replay).toMatchObject({ name: 'twelve', made_at_ms: 77, isAtEnd: true, isPlaying: false });
    expect([store.newest_ms, store.oldest_ms]).toEqual([liveStore.newest_ms, liveStore.oldest_ms]);
    const all = { from_ms: -Infinity, to_ms: Infinity };
    expect(store.conflicts.rows(all)).toEqual(liveStore.conflicts.rows(all));
    expect(store.totals.sum(all, 'committed')).toBe(liveStore.totals.sum(all, 'committed'));
    expect(store.replication.newest).toEqual(liveStore.replication.newest);
    expect(store.replication.newest!.standbys).toHaveLength(1);
    expect(store.marks.map(({ what }) => what)).toEqual([takenOver]);
    expect(views.length).toBeLessThan(8);
    feed.end();
  });
});
