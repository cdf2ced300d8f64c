// Which data set a cluster holds: stored in one record, a Dict whose key the site's model names.
import type { Claret } from '@claret/client';

export type DatasetState = {
  // none: never loaded; loading: started, and not finished (yet)
  state: 'none' | 'loading' | 'loaded';
  name: string | null;
  seed: number | null;
};

const FIELDS = ['state', 'name', 'seed'] as const;

export async function readDataset(claret: Claret, marker: string): Promise<DatasetState> {
  const [values] = await claret.transact('ReadDataset', [claret.on.dict(marker).get(...FIELDS)]);
  return stateOf(values);
}

/** Marks the data set as being loaded, unless the cluster has one already. Returns the state before. */
export function beginDataset(claret: Claret, marker: string, dataset: { name: string; seed: number }): Promise<DatasetState> {
  return claret.transaction('BeginDataset', async (tx) => {
    const before = stateOf(await tx.dict(marker).get(...FIELDS));
    if (before.state === 'none') tx.dict(marker).set({ state: 'loading', ...dataset });
    return before;
  });
}

export async function finishDataset(claret: Claret, marker: string): Promise<void> {
  await claret.transact('FinishDataset', [claret.on.dict(marker).set({ state: 'loaded' })]);
}

function stateOf([state, name, seed]: readonly unknown[]): DatasetState {
  return {
    state: state === 'loaded' || state === 'loading' ? state : 'none',
    name: typeof name === 'string' ? name : null,
    seed: seed === null || seed === undefined ? null : Number(seed),
  };
}
