// A round: load, and what befalls its processes meanwhile (harm.ts); then rest, and the check of all that the round's clients were told.

import type { Claret } from '@claret/client';
import type { Chance } from '../simulation/chance.ts';
import type { BidLedger } from './bids.ts';
import type { Cast } from './cast.ts';
import { readAtRest, type Checker } from './checker.ts';
import { strike, type Harm } from './harm.ts';
import type { JobLedger } from './jobs.ts';
import type { Ledger } from './ledger.ts';
import type { Round } from './workload.ts';
import { unbalanced } from './workloads/rawmix.ts';

const READY_WITHIN_MS = 60_000;
const REST_WITHIN_MS = 90_000;
/** Where so much is not done by then. */
const STRIKE_WITHIN_MS = 800;
const LOOK_MS = 10;

export interface Stage {
  cast: Cast;
  checker: Checker;
  bids: BidLedger;
  jobs: JobLedger;
  /** two clients of the runner's own: one keeps a history, the other does not */
  claret: Claret;
  plain: Claret;
  /** what the drivers told of this round, and what the runner's own client tells; another begins with `turnPage` */
  ledger: Ledger;
  turnPage: () => void;
  /** drivers that have told that they rest, by name */
  resting: Set<string>;
  /** of the run */
  wrong: string[];
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function until(reached: () => boolean | Promise<boolean>, withinMs: number): Promise<boolean> {
  const untilMs = performance.now() + withinMs;
  while (!(await reached())) {
    if (performance.now() > untilMs) return false;
    await pause(LOOK_MS);
  }
  return true;
}

/** Adds what it finds to `stage.wrong`. `moreMs`: of load, once everything stands again. */
export async function runRound(stage: Stage, round: Round, harms: readonly Harm[], moreMs: number, chance: Chance): Promise<void> {
  const { cast, wrong } = stage;
  for (const driver of cast.drivers) driver.order({ go: round });
  await Promise.all(harms.map((harm) => befall(stage, harm, round)));
  for (const actor of cast.all) {
    if (!(await actor.ready(READY_WITHIN_MS))) wrong.push(actor.death ?? `${actor.name} was not ready within ${READY_WITHIN_MS / 1000} s:\n${actor.lastLines}`);
  }
  if (wrong.length > 0) return;
  await pause(moreMs);
  await comeToRest(stage, round);
  if (wrong.length === 0) await look(stage, chance);
}

async function befall({ cast, ledger }: Stage, harm: Harm, round: Round): Promise<void> {
  await until(() => ledger.count >= harm.attempts, STRIKE_WITHIN_MS);
  await pause(harm.moment);
  const { actor, blows } = harm;
  const { pid } = actor;
  await strike(cast, harm);
  if (actor.pid !== pid) ledger.abandon((process) => process.split('-')[1] === String(pid));
  const isNew = blows.some(({ how }) => how !== 'freeze');
  if (isNew && cast.drivers.includes(actor) && (await actor.ready(READY_WITHIN_MS))) actor.order({ go: round });
}

/** Drivers end what they began, and the shards settle what the killed ones left open. */
async function comeToRest({ cast, resting, wrong }: Stage, { number }: Round): Promise<void> {
  resting.clear();
  for (const driver of cast.drivers) driver.order({ rest: number });
  if (!(await until(() => resting.size === cast.drivers.length, REST_WITHIN_MS))) {
    const restless = cast.drivers.filter(({ name }) => !resting.has(name));
    wrong.push(...restless.map((driver) => driver.death ?? `${driver.name} did not end what it had begun within ${REST_WITHIN_MS / 1000} s`));
    return;
  }
  let unrest = '';
  const atRest = async () => (unrest = (await Promise.all(cast.rest.map(unrestOf))).join('')) === '';
  if (!(await until(atRest, REST_WITHIN_MS))) wrong.push(`gates are not empty, with nobody at work: ${unrest}`);
}

/** In doubt, in flight or waiting; empty where there is nothing. */
async function unrestOf(rest: string): Promise<string> {
  const metrics = await (await fetch(`${rest}/metrics`)).text();
  const level = (name: string) => Number(new RegExp(`^${name} (\\d+)`, 'm').exec(metrics)?.[1] ?? NaN);
  const [inDoubt, inFlight, waiting] = [level('claret_in_doubt'), level('claret_attempts_in_flight'), level('claret_waiting')];
  return inDoubt + inFlight + waiting === 0 ? '' : `${rest} has ${inDoubt} in doubt, ${inFlight} in flight, ${waiting} waiting; `;
}

async function look(stage: Stage, chance: Chance): Promise<void> {
  const { cast, checker, bids, jobs, claret, plain, wrong } = stage;
  const { attempts, halves } = await stage.ledger.settled();
  wrong.push(...halves.map((half) => `half a transaction: ${half}`));
  stage.turnPage();
  await readAtRest(claret, checker.reads(attempts, chance));
  wrong.push(...checker.check([...attempts, ...stage.ledger.ended]));
  stage.turnPage();
  // Once nothing that a crash has left can be covered by what is done about it.
  const doors = { clients: [claret], rest: cast.rest };
  await jobs.finish(doors);
  wrong.push(...(await jobs.mismatches(plain, doors, (count) => chance.below(count))));
  const items = new Set([...bids.takeTouched(), ...(bids.items.length > 0 ? [chance.pick(bids.items)] : [])]);
  wrong.push(...(await bids.mismatches(plain, [...items])), ...(await unbalanced(plain)));
  wrong.push(...checker.check((await stage.ledger.settled()).attempts), ...cast.all.flatMap(({ death }) => death ?? []));
}
