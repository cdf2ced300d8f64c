// Loads the data set into a running cluster.
//
//   node apps/retwis/server/data/load.ts --gateways 127.0.0.1:7401 --scale 4..18 [--seed N]
//
// apps/site/data/loader.ts describes when it does nothing, and what it refuses.
import type { Claret } from '@claret/client';
import { hashPassword } from '@claret/site/auth/password.ts';
import { DEMO_PASSWORD } from '@claret/site/data/demo.ts';
import { runLoader, UsageError } from '@claret/site/data/loader.ts';
import { Progress } from '@claret/site/data/progress.ts';

import { key } from '../model.ts';
import { generate, SCALE_MAX, SCALE_MIN } from './generate.ts';
import { Store } from './store.ts';

async function write(claret: Claret, scale: number, seed: number): Promise<string> {
  const hashing = hashPassword(DEMO_PASSWORD); // on a separate thread
  await claret.clock.ready();
  const data = generate(scale, seed);
  const { society, posts, reposts } = data;
  const steps = { onStep: (what: string, operations: number): void => progress.step(what, operations) };
  const store = new Store(claret, data, { now_ms: claret.clock.nowMs(), demo_credentials: await hashing, ...steps });
  const progress = new Progress(store.count());
  await store.write();
  progress.end();
  const follows = society.followers.reduce((sum, { length }) => sum + length, 0);
  return `${society.users} people, ${follows} follow another, ${posts.length} posts, ${reposts.length} reposts`;
}

await runLoader({
  flag: 'scale',
  default: '10',
  choose(value, seed) {
    const scale = /^\d+$/.test(value) ? Number(value) : NaN;
    if (!(scale >= SCALE_MIN && scale <= SCALE_MAX)) throw new UsageError(`--scale is a whole number from ${SCALE_MIN} to ${SCALE_MAX}`);
    return { marker: key.dataset, name: `scale ${scale}`, seed, write: (claret) => write(claret, scale, seed) };
  },
});
