// The record that says which data set stands here (written by data/load.ts).
import type { Claret } from '@claret/client';

import { key } from '../model.ts';

export type DatasetState = {
  // none: never loaded; loading: begun, and not finished (yet)
  state: 'none' | 'loading' | 'loaded';
  profile: string | null;
  seed: number | null;
  has_demo_accounts: boolean;
};

export async function readDataset(claret: Claret): Promise<DatasetState> {
  const [[state, profile, seed]] = await claret.transact('ReadDataset', [
    claret.on.dict(key.dataset).get('state', 'profile', 'seed'),
  ]);
  return {
    state: state === 'loaded' || state === 'loading' ? state : 'none',
    profile: typeof profile === 'string' ? profile : null,
    seed: seed === null || seed === undefined ? null : Number(seed),
    has_demo_accounts: state === 'loaded',
  };
}
