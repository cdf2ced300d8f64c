// For the check's tests: a real small cluster, a ledger that is written as k6's scripts write it, and lies.

import { connect, type Claret } from '@claret/client';
import { freshSeed } from '@claret/client/testing';
import { Chance } from '../../../kit/random.ts';
import { startCluster } from '../../../../gateway/src/testing/cluster.ts';
import type { LedgerFacts, LedgerKind, LedgerLine, LedgerOutcome, StormData } from '../storm.ts';

export interface Stage {
  /** of two app servers */
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

/** What an action gave, and what the ledger is told of it once it was accepted. */
interface Acted {
  refused?: string | null;
  facts?: Record<string, string | number>;
}

/** Of a hundred answers so many are lost, half of them before anything happens. */
const LOST_PERCENT = 10;

/** Does it, and writes the line that k6 would write. Some answers are lost, of some requests nothing has happened. */
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

/** Of the ledger, the lines of that kind that were accepted. */
export function acceptedOf<Kind extends LedgerKind>(ledger: readonly LedgerLine[], kind: Kind): (LedgerLine & [Kind, ...unknown[]])[] {
  return ledger.filter((line): line is LedgerLine & [Kind, ...unknown[]] => line[0] === kind && line[3] === 'accepted');
}
