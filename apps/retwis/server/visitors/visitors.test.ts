// The simulated visitors of a demonstration without real users.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import { DEMO_NAMES } from '@claret/site/data/demo.ts';
import { Random } from '@claret/site/data/random.ts';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

import { startCluster } from '../../../../scripts/cluster.js';
import { Usernames } from '../actions/usernames.ts';
import { latestPage } from '../actions/view-page.ts';
import { viewPost } from '../actions/view-post.ts';
import { LIMITS } from '../api.ts';
import { generate } from '../data/generate.ts';
import { Store } from '../data/store.ts';
import { startWorld, type World } from '../testing/world.ts';
import { Visitors, type VisitorAction } from './visitors.ts';

const ACTIONS = 60;
/** the age of the data set when the visitors start */
const LOADED_MS_AGO = 60_000;

describe('Visitors', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld();
    await new Store(world.claret, generate(6, 1), { now_ms: Date.now() - LOADED_MS_AGO, demo_credentials: null }).write();
  });
  afterAll(() => world.stop());

  test('post and repost now and then, each as themselves, and never as a demo account', async () => {
    const began_ms = Date.now();
    const visitors = (await Visitors.of(world.claret, new Usernames(), new Random(1)))!;
    const actions: VisitorAction[] = [];
    for (let i = 0; i < ACTIONS; i++) actions.push(await visitors.act());
    const of = (did: VisitorAction['did']) => actions.filter((action) => action.did === did).length;
    expect(of('post')).toBeGreaterThan(ACTIONS / 6);
    expect(of('repost')).toBeGreaterThan(ACTIONS / 6);
    const demo = DEMO_NAMES.map((_, i) => `u${i + 1}`);
    for (const action of actions) {
      expect(demo).not.toContain(action.by);
      if (action.did === 'look') continue;
      const view = (await viewPost(world.claret, { post_id: action.post_id, viewer_id: action.by }))!;
      if (action.did === 'repost') expect(view.reposted).toBe(true);
      else {
        expect(view.author.id).toBe(action.by);
        expect(view.text.length).toBeLessThanOrEqual(LIMITS.text_graphemes_max);
        expect(view.text).not.toMatch(/[{}]|undefined/);
      }
    }
    const { entries } = await latestPage(world.claret, { viewer_id: null, after: null });
    expect(entries.filter(({ at_ms }) => at_ms >= began_ms)).toHaveLength(Math.min(of('post'), LIMITS.page_size));
  });
});

test('No visitors come to a site without the data set', async () => {
  const world = await startWorld();
  expect(await Visitors.of(world.claret, new Usernames(), new Random(1))).toBeNull();
  await world.stop();
});

test('The process connects to a real cluster, and ends with its parent', async () => {
  const cluster = await startCluster({ shards: 1, timelineServers: 1, graphScale: 6 });
  try {
    const newest = async () => {
      const answer = await fetch(`${cluster.timelines[0]!.url}/api/latest`);
      return ((await answer.json()) as { entries: { at_ms: number }[] }).entries[0]!.at_ms;
    };
    const before_ms = await vi.waitFor(newest);
    const args = [
      join(import.meta.dirname, 'main.ts'),
      '--gateways',
      cluster.gateways.map(({ grpc }) => grpc).join(','),
      '--every-ms',
      '100',
    ];
    const visitors = spawn(process.execPath, args, {
      env: { ...process.env, CLARET_EXIT_WITH_PARENT: '1' },
      stdio: ['pipe', 'inherit', 'inherit'],
    });
    await expect.poll(newest, { interval: 500 }).toBeGreaterThan(before_ms);
    visitors.stdin!.end();
    expect(await once(visitors, 'exit')).toEqual([0, null]);
  } finally {
    await cluster.stop();
  }
});
