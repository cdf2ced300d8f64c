// For the check's tests: a real small cluster, a ledger like that of k6's scripts, and lies.

import { connect, type Claret } from '@claret/client';
import { freshSeed } from '@claret/client/testing';
import { Chance } from '../../../kit/random.ts';
import { startCluster } from '../../../../gateway/src/testing/cluster.ts';
import type { LedgerFacts, LedgerKind, LedgerLine, LedgerOutcome, StormData } from '../storm.ts';

export interface Stage {
  /** clients of two app servers */
  claret: Claret;
  other: Claret;
  random: Chance;
  ledger: LedgerLine[];
  stop(): Promise<void>;
}

export async function startStage(): Promise<Stage> {
  const seed = freshSeed();
  console.log(`seed ${seed}`);
  const cluster = await startCluster(2);
  const addresses = cluster.gateways.map(({ member }) => member.grpc);
  const claret = await connect({ addresses, name: 'one' });
  const other = await connect({ addresses, name: 'other' });
  return {
    claret,
    other,
    random: new Chance(seed),
    ledger: [],
    async stop() {
      await Promise.all([claret.close(), other.close()]);
      await cluster.close();
    },
  };
}

export const NO_STORM: StormData = {
  scenario: 'steady-retwis',
  seed: 1,
  starts_at_ms: 0,
  peak_per_s: 1,
  duration_s: 1,
  auctions: null,
  timelines: null,
  gateways: [],
  auction_people: [],
  timeline_people: [],
  hot_item: null,
  pieces: [],
  items: [],
  categories: [],
  regions: [],
  hot_post: null,
  followers_of_hot: [],
};

/** The result of an action, and its facts in the ledger if it was accepted. */
interface Acted {
  refused?: string | null;
  facts?: Record<string, string | number>;
}

/** Percentage of lost responses; half of the requests concerned have no effect. */
const LOST_PERCENT = 10;

/** Performs the action, and writes the line that k6 would write. Some responses are lost, and some requests have no effect. */
export async function act<Kind extends LedgerKind>(
  { ledger, random }: Stage,
  kind: Kind,
  person_id: string,
  facts: LedgerFacts[Kind],
  action: () => Promise<Acted>,
): Promise<void> {
  const lost = random.below(100) < LOST_PERCENT;
  const shed = random.below(100) < LOST_PERCENT;
  const began_ms = Date.now();
  const happens = !shed && !(lost && random.below(2) === 0);
  const acted = happens ? await action() : {};
  let outcome: LedgerOutcome = 'accepted';
  if (shed) outcome = 'shed';
  else if (lost) outcome = 'unknown';
  else if (typeof acted.refused === 'string') outcome = `refused:${acted.refused}`;
  const told = outcome === 'accepted' ? { ...facts, ...acted.facts } : facts;
  ledger.push([kind, began_ms, Date.now() - began_ms, outcome, person_id, told] as unknown as LedgerLine);
}

/** The accepted lines of that kind in the ledger. */
export function acceptedOf<Kind extends LedgerKind>(ledger: readonly LedgerLine[], kind: Kind): (LedgerLine & [Kind, ...unknown[]])[] {
  return ledger.filter((line): line is LedgerLine & [Kind, ...unknown[]] => line[0] === kind && line[3] === 'accepted');
}
