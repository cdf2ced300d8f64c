// Loads a data set into a running cluster.
//
//   node apps/rubis/server/data/load.ts --gateways 127.0.0.1:7401 --profile small|claret [--seed N]
//
// apps/site/data/loader.ts describes when it does nothing, and what it refuses.
import type { Claret } from '@claret/client';
import { hashPassword } from '@claret/site/auth/password.ts';
import { DEMO_PASSWORD } from '@claret/site/data/demo.ts';
import { runLoader, UsageError } from '@claret/site/data/loader.ts';
import { Progress } from '@claret/site/data/progress.ts';

import { key } from '../model.ts';
import { generate } from './generate.ts';
import { PROFILES, type ProfileName } from './profiles.ts';
import { countOperations, storeDataSet } from './store.ts';

const isProfile = (name: string): name is ProfileName => Object.hasOwn(PROFILES, name);

async function write(claret: Claret, profile: ProfileName, seed: number): Promise<string> {
  const data = generate(profile, seed);
  await claret.clock.ready();
  const options = { now_ms: claret.clock.nowMs(), demo_credentials: await hashPassword(DEMO_PASSWORD) };
  const progress = new Progress(countOperations(claret, data, options));
  await storeDataSet(claret, data, { ...options, onStep: (what, operations) => progress.step(what, operations) });
  progress.end();
  const { users, items, comments } = data;
  const bids = items.reduce((sum, item) => sum + item.bid_count, 0);
  const purchases = items.reduce((sum, item) => sum + item.purchases.length, 0);
  return `${users.length} people, ${items.length} auctions, ${bids} bids, ${purchases} purchases, ${comments.length} comments`;
}

await runLoader({
  flag: 'profile',
  default: 'small',
  choose(profile, seed) {
    if (!isProfile(profile)) throw new UsageError(`--profile is one of: ${Object.keys(PROFILES).join(', ')}`);
    return { marker: key.dataset, name: profile, seed, write: (claret) => write(claret, profile, seed) };
  },
});
