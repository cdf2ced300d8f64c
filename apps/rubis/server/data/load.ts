// Loads a data set into a running cluster.
//
//   node apps/rubis/server/data/load.ts --gateways 127.0.0.1:7401 --profile small|claret [--seed N]
//
// Does nothing when it stands there already. A data set is written once: a cluster with another one, or with one whose
// loading broke off, is refused, since counts and ratings would be added a second time.
import { parseArgs } from 'node:util';

import { connect, type Claret } from '@claret/client';
import { hashPassword } from '@claret/site/auth/password.ts';
import { Progress } from '@claret/site/data/progress.ts';

import { readDataset } from '../actions/dataset.ts';
import { key } from '../model.ts';
import { generate } from './generate.ts';
import { DEFAULT_SEED, DEMO_PASSWORD, PROFILES, type ProfileName } from './profiles.ts';
import { countOperations, storeDataSet } from './store.ts';

const SEED_MAX = 0xffff_ffff;

class UsageError extends Error {}

const isProfile = (name: string): name is ProfileName => Object.hasOwn(PROFILES, name);

function readFlags(): { addresses: string[]; profile: ProfileName; seed: number } {
  const { values } = parseArgs({
    options: {
      gateways: { type: 'string', default: '127.0.0.1:7401' },
      profile: { type: 'string', default: 'small' },
      seed: { type: 'string', default: String(DEFAULT_SEED) },
    },
  });
  const seed = Number(values.seed);
  if (!isProfile(values.profile)) throw new UsageError(`--profile is one of: ${Object.keys(PROFILES).join(', ')}`);
  if (!Number.isInteger(seed) || seed < 0 || seed > SEED_MAX) throw new UsageError(`--seed is a whole number up to ${SEED_MAX}`);
  return { addresses: values.gateways.split(',').filter((address) => address !== ''), profile: values.profile, seed };
}

async function load(claret: Claret, profile: ProfileName, seed: number): Promise<void> {
  const present = await readDataset(claret);
  if (present.state === 'loaded' && present.profile === profile && present.seed === seed) {
    console.log(`${profile} (seed ${seed}) is there already`);
    return;
  }
  if (present.state !== 'none') {
    const state = present.state === 'loaded' ? 'holds' : 'holds a part of';
    throw new UsageError(`this cluster ${state} the data set ${present.profile} (seed ${present.seed}); start an empty one`);
  }

  const began = performance.now();
  const marker = claret.on.dict(key.dataset);
  await claret.transact('Load', [marker.set({ state: 'loading', profile, seed })]);
  const data = generate(profile, seed);
  const options = { now_ms: Date.now(), demo_credentials: await hashPassword(DEMO_PASSWORD) };
  const progress = new Progress(countOperations(claret, data, options));
  let part = '';
  await storeDataSet(claret, data, {
    ...options,
    onStep: (what, operations) => {
      if (what !== part) progress.begin((part = what));
      progress.step(operations);
    },
  });
  progress.end();
  await claret.transact('Load', [marker.set({ state: 'loaded' })]);
  const seconds = ((performance.now() - began) / 1_000).toFixed(1);
  const { users, items, comments } = data;
  const bids = items.reduce((sum, item) => sum + item.bid_count, 0);
  console.log(
    `loaded ${profile} (seed ${seed}) in ${seconds} s: ${users.length} people, ${items.length} auctions, ${bids} bids, ${comments.length} comments`,
  );
}

try {
  const { addresses, profile, seed } = readFlags();
  const claret = await connect({ addresses, name: 'load' });
  try {
    await load(claret, profile, seed);
  } finally {
    await claret.close();
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
