// The conditions of a round. Most rounds have warranties; the others show that nothing else depends on them.

import type { Chance } from '../../kit/random.ts';
import { authorization } from './authorization.ts';
import type { Store } from './store.ts';
import { until } from './until.ts';

export const WARRANTIES = ['off', 'auto'] as const;
export type Warranties = (typeof WARRANTIES)[number];

/** Share of rounds without warranties. */
const SHARE_OFF = 0.25;
const SET_WITHIN_MS = 60_000;

export const anyWarranties = (chance: Chance): Warranties => (chance.next() < SHARE_OFF ? 'off' : 'auto');

/** The gateways' `warrantyUsesMin`: in most runs shards promise all that they may, in the others they judge what is worth a promise. */
export const usesMin = (seed: number): number => (seed % 3 === 0 ? 8 : 0);

/** Rejects if no gateway can be asked in time. */
export async function setWarranties(store: Store, warranties: Warranties): Promise<void> {
  let why = '';
  const isSet = await until(async () => (why = await refusalOf(store, warranties)) === '', SET_WITHIN_MS);
  if (!isSet) throw new Error(`the condition of warranties could not be set: ${why}`);
}

/** Empty: it is set. */
async function refusalOf({ rest, token }: Store, warranties: Warranties): Promise<string> {
  try {
    const answer = await fetch(`${rest[0]!}/v1/admin/conditions`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json', ...authorization(token) },
      body: JSON.stringify({ locks: 'abstract', phasing: true, combining: 'auto', warranties }),
    });
    const text = await answer.text();
    return answer.ok ? '' : text;
  } catch (error) {
    return (error as Error).message;
  }
}
