// A demonstration that nobody uses, and its visitors.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import { DEMO_NAMES } from '@claret/site/data/demo.ts';
import { Random } from '@claret/site/data/random.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { startCluster } from '../../../../scripts/cluster.js';
import { Usernames } from '../actions/usernames.ts';
import { latestPage } from '../actions/view-page.ts';
import { viewPost } from '../actions/view-post.ts';
import { LIMITS } from '../api.ts';
import { generate } from '../data/generate.ts';
import { Store } from '../data/store.ts';
import { startWorld, type World } from '../testing/world.ts';
import { Visitors, type Visit } from './visitors.ts';

const VISITS = 60;
/** Before the visitors come. */
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
    const visits: Visit[] = [];
    for (let i = 0; i < VISITS; i++) visits.push(await visitors.visit());
    const of = (did: Visit['did']) => visits.filter((visit) => visit.did === did).length;
    expect(of('post')).toBeGreaterThan(VISITS / 6);
    expect(of('repost')).toBeGreaterThan(VISITS / 6);
    const demo = DEMO_NAMES.map((_, i) => `u${i + 1}`);
    for (const visit of visits) {
      expect(demo).not.toContain(visit.by);
      if (visit.did === 'look') continue;
      const view = (await viewPost(world.claret, { post_id: visit.post_id, viewer_id: visit.by }))!;
      if (visit.did === 'repost') expect(view.reposted).toBe(true);
      else {
        expect(view.author.id).toBe(visit.by);
        expect(view.text.length).toBeLessThanOrEqual(LIMITS.text_graphemes_max);
        expect(view.text).not.toMatch(/[{}]|undefined/);
      }
    }
    const { entries } = await latestPage(world.claret, { viewer_id: null, after: null });
    expect(entries.filter(({ at_ms }) => at_ms >= began_ms)).toHaveLength(Math.min(of('post'), LIMITS.page_size));
  });
});

test('Nobody visits a site without the data set', async () => {
  const world = await startWorld();
  expect(await Visitors.of(world.claret, new Usernames(), new Random(1))).toBeNull();
  await world.stop();
});

test('The process visits a real cluster, and ends when its parent does', { timeout: 60_000 }, async () => {
  const cluster = await startCluster({ shards: 2, timelineServers: 1, graphScale: 6 });
  try {
    const newest = async () => {
      const answer = await fetch(`${cluster.timelines[0]!.url}/api/latest`);
      return ((await answer.json()) as { entries: { at_ms: number }[] }).entries[0]!.at_ms;
    };
    const before_ms = await newest();
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
    await expect.poll(newest, { timeout: 45_000, interval: 500 }).toBeGreaterThan(before_ms);
    visitors.stdin!.end();
    expect(await once(visitors, 'exit')).toEqual([0, null]);
  } finally {
    await cluster.stop();
  }
});
