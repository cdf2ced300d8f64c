// A round: load, kills at moments that chance picks, restarts; then rest, and the check of all that the round's clients were told.
//
// Who is killed, when, and whether once more while it comes back is drawn before the load begins. What the moment then hits (a vote, a write of
// the log, a checkpoint, a recovery) the machine decides: a seed gives the same plan, not the same run.

import type { Claret, HistoryAttempt } from '@claret/client';
import type { Chance } from '../simulation/chance.ts';
import { mapAtOnce } from '../spike/at-once.ts';
import type { Actor } from './actor.ts';
import type { BidLedger } from './bids.ts';
import type { Cast } from './cast.ts';
import { readAtRest, type Checker } from './checker.ts';
import type { Ledger } from './ledger.ts';
import type { Outcomes } from './outcomes.ts';
import { TRANSACTION_TIMEOUT_MS, type Round } from './workload.ts';
import { unbalanced } from './workloads/rawmix.ts';

const KILLED_SHARE = { gateway: 0.5, other: 0.3 };
/** A gateway that has been started again is killed once more, most likely while it recovers. */
const KILLED_AGAIN_SHARE = 0.35;
const READY_WITHIN_MS = 60_000;
const REST_WITHIN_MS = 90_000;
/** Where so much is not done by then. */
const STRIKE_WITHIN_MS = 3_000;
const LOOK_MS = 10;

export interface Harm {
  actor: Actor;
  /** once so many attempts of the round have ended, and a moment later, in ms */
  attempts: number;
  moment: number;
  /** ms; each time it is dead for so long; and then lives for so long until it is killed again */
  dead: number;
  again: number | null;
  /** instead of being killed it stands still for so long */
  stopped?: number;
}

export interface Stage {
  cast: Cast;
  checker: Checker;
  bids: BidLedger;
  outcomes: Outcomes;
  /** two clients of the runner's own: one keeps a history, the other does not */
  claret: Claret;
  plain: Claret;
  /** what the drivers told of this round */
  ledger: Ledger;
  /** drivers that have told that they rest, by name */
  resting: Set<string>;
  /** of the run */
  wrong: string[];
}

/** At least one is killed. */
export function plan({ gateways, appServers, drivers }: Cast, chance: Chance): Harm[] {
  const others = [...appServers, ...drivers];
  const struck = [
    ...gateways.filter(() => chance.happens(KILLED_SHARE.gateway)),
    ...others.filter(() => chance.happens(KILLED_SHARE.other)),
  ];
  if (struck.length === 0) struck.push(chance.pick(gateways));
  return struck.map((actor) => ({
    actor,
    attempts: chance.below(150),
    moment: chance.between(0, 20),
    dead: chance.happens(0.5) ? 0 : chance.between(0, 300),
    again: gateways.includes(actor) && chance.happens(KILLED_AGAIN_SHARE) ? chance.between(20, 900) : null,
  }));
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
  await Promise.all(harms.map((harm) => strike(stage, harm, round)));
  for (const actor of cast.all) {
    if (!(await actor.ready(READY_WITHIN_MS))) wrong.push(actor.death ?? `${actor.name} was not ready within ${READY_WITHIN_MS / 1000} s:\n${actor.lastLines}`);
  }
  if (wrong.length > 0) return;
  await pause(moreMs);
  await comeToRest(stage, round);
  if (wrong.length === 0) await look(stage, chance);
}

async function strike({ cast, ledger }: Stage, { actor, attempts, moment, dead, again, stopped }: Harm, round: Round): Promise<void> {
  await until(() => ledger.ended.length >= attempts, STRIKE_WITHIN_MS);
  await pause(moment);
  if (stopped !== undefined) {
    actor.signal('SIGSTOP');
    await pause(stopped);
    return actor.signal('SIGCONT');
  }
  await actor.kill();
  await pause(dead);
  actor.start();
  if (again !== null) {
    await pause(again);
    await actor.kill();
    await pause(dead);
    actor.start();
  }
  if (cast.drivers.includes(actor) && (await actor.ready(READY_WITHIN_MS))) actor.order({ go: round });
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

async function look({ cast, checker, bids, outcomes, claret, plain, ledger, wrong }: Stage, chance: Chance): Promise<void> {
  const { open } = ledger;
  const found = await mapAtOnce(open.length, (number) => outcomes.of(open[number]!, TRANSACTION_TIMEOUT_MS));
  const settled = open.map((attempt, number): HistoryAttempt => {
    const outcome = found[number]!;
    if (outcome === null) return { ...attempt, outcome: 'fail', error: 'killed' };
    if (typeof outcome === 'bigint') return { ...attempt, order: String(outcome) };
    if (outcome !== 'undecided') wrong.push(`half a transaction: ${outcome.half}`);
    return attempt;
  });
  await readAtRest(claret, checker.reads([...ledger.ended, ...settled], chance));
  wrong.push(...checker.check([...ledger.ended, ...settled]));
  const items = new Set([...bids.takeTouched(), ...(bids.items.length > 0 ? [chance.pick(bids.items)] : [])]);
  wrong.push(...(await bids.mismatches(plain, [...items])), ...(await unbalanced(plain)));
  wrong.push(...cast.all.flatMap(({ death }) => death ?? []));
}
