// A round: load, with harm to its processes (harm.ts); then rest, and the check of everything that the round's clients reported.

import { join } from 'node:path';
import type { Claret } from '@claret/client';
import type { Chance } from '../../kit/random.ts';
import { planBackup, take, type BackupCheck, type BackupPlan, type Taken } from './backups.ts';
import type { BidLedger } from './bids.ts';
import type { Cast } from './cast.ts';
import { letClocksAgree } from './clock-harm.ts';
import { readFinally, type Checker } from './checker.ts';
import type { CrowdLedger } from './crowds.ts';
import { unfinishedWorkAfter } from './unfinished-work.ts';
import { isBlow, nameOf, strike, type Harm } from './harm.ts';
import type { JobLedger } from './jobs.ts';
import type { Ask, Ledger } from './ledger.ts';
import type { SlotMoves } from './moves.ts';
import type { NativeLedger } from './natives.ts';
import type { TypesOfRun } from './own-types.ts';
import type { TakeOvers } from './take-overs.ts';
import { trace } from './trace.ts';
import { pause, until } from './until.ts';
import type { Round } from './workload.ts';
import { unevenRows } from './workloads/lists.ts';
import { unbalanced } from './workloads/rawmix.ts';
import { unequalPairs } from './workloads/redis.ts';

const READY_WITHIN_MS = 600_000;
const REST_WITHIN_MS = 150_000;
/** The default limit on waiting for a harm's number of attempts. */
const STRIKE_WITHIN_MS = 800;

export interface Stage {
  cast: Cast;
  checker: Checker;
  bids: BidLedger;
  jobs: JobLedger;
  natives: NativeLedger;
  crowds: CrowdLedger;
  /** null: durability none, which has no backups */
  backups: BackupCheck | null;
  /** null: no shard can change its gateway */
  takeOvers: TakeOvers | null;
  /** null: no types are installed */
  types: TypesOfRun | null;
  /** null: each shard keeps its slots */
  moves: SlotMoves | null;
  /** folder for backups */
  folder: string;
  /** two clients of the runner: one keeps a history, the other does not */
  claret: Claret;
  plain: Claret;
  /** the reports of this round, by the drivers and by the runner's own client; `turnPage` begins another ledger */
  ledger: () => Ledger;
  turnPage: () => void;
  /** names of drivers that have reported that they rest */
  resting: Set<string>;
  /** violations of the run */
  wrong: string[];
}

/** Appends violations to `stage.wrong`. `moreMs`: additional load after all processes are up again. */
export async function runRound(stage: Stage, round: Round, harms: readonly Harm[], moreMs: number, chance: Chance): Promise<void> {
  const { cast, wrong } = stage;
  trace(`round ${round.number}`, harms.map(nameOf).join(', '));
  const { gateways, servers } = cast.store;
  const backup = stage.backups === null ? null : planBackup(stage.backups.share, harms, { gateways, servers }, chance);
  const recoveries: Promise<void>[] = [];
  for (const driver of cast.drivers) driver.order({ go: round });
  const changed = stage.types?.change(round.number, chance.fork()).then(() => '', String);
  const asked = stage.moves?.ask(chance.fork());
  const duringFalls = backup === null || backup.attempts === null ? [] : backUp(stage, backup, round);
  await Promise.all(harms.map((harm) => befall(stage, harm, round, recoveries)));
  letClocksAgree(cast.store, chance);
  for (const actor of cast.all) {
    if (!(await actor.ready(READY_WITHIN_MS)))
      wrong.push(actor.death ?? `${actor.name} was not ready within ${READY_WITHIN_MS / 1000} s:\n${actor.lastLines}`);
  }
  if (wrong.length > 0) return;
  await Promise.all(recoveries);
  const afterwards = backup?.attempts === null ? backUp(stage, backup, round) : [];
  await pause(moreMs);
  const taken = [...(await duringFalls), ...(await afterwards)];
  await asked;
  const refused = (await changed) ?? '';
  if (refused !== '') wrong.push(refused);
  trace(`round ${round.number}`, 'comes to rest');
  await comeToRest(stage, round);
  trace(`round ${round.number}`, 'is at rest');
  if (backup?.mustBeWhole === true && !taken.at(-1)!.whole)
    wrong.push(`a backup did not come to its end, although no gateway fell: ${taken.at(-1)!.why}`);
  if (wrong.length === 0) await look(stage, taken, chance);
}

async function backUp(stage: Stage, plan: BackupPlan, { number }: Round): Promise<Taken[]> {
  const ledger = stage.ledger();
  await until(() => plan.attempts === null || ledger.count >= plan.attempts, STRIKE_WITHIN_MS);
  await pause(plan.moment);
  return take({ ...stage, ledger }, plan, join(stage.folder, `backup-${number}`));
}

async function befall(stage: Stage, harm: Harm, round: Round, recoveries: Promise<void>[]): Promise<void> {
  const { cast, takeOvers, plain } = stage;
  const ledger = stage.ledger();
  await until(() => ledger.count >= harm.attempts, harm.patienceMs ?? STRIKE_WITHIN_MS);
  await pause(harm.moment);
  const { actor, blows } = harm;
  const { pid } = actor;
  await strike(cast.store, harm, (blow) => {
    if (takeOvers === null || harm.whom === undefined) return;
    const name = takeOvers.note(harm, blow);
    if (blow !== blows[0]) return;
    const recovery = takeOvers.recover(plain, name, harm.shards ?? []);
    recoveries.push(recovery.catch((error: Error) => void stage.wrong.push(`no answer after ${name}: ${error.message}`)));
  });
  if (actor.pid !== pid) ledger.abandon((process) => process.split('-')[1] === String(pid));
  const isNew = blows.some((blow) => isBlow(blow) && blow.how !== 'freeze');
  if (isNew && cast.drivers.includes(actor) && (await actor.ready(READY_WITHIN_MS))) actor.order({ go: round });
}

/** Drivers finish what they began, and the shards settle the work of killed ones. */
async function comeToRest({ cast, moves, resting, wrong }: Stage, { number }: Round): Promise<void> {
  resting.clear();
  for (const driver of cast.drivers) driver.order({ rest: number });
  if (!(await until(() => resting.size === cast.drivers.length, REST_WITHIN_MS))) {
    const restless = cast.drivers.filter(({ name }) => !resting.has(name));
    wrong.push(
      ...restless.map((driver) => driver.death ?? `${driver.name} did not end what it had begun within ${REST_WITHIN_MS / 1000} s`),
    );
    return;
  }
  const unfinished = await unfinishedWorkAfter(cast.store, REST_WITHIN_MS);
  if (unfinished !== '') wrong.push(`unfinished work at the shards at rest: ${unfinished}`);
  const moving = (await moves?.settled(REST_WITHIN_MS)) ?? '';
  if (moving !== '') wrong.push(`slots at rest: ${moving}`);
}

async function look(stage: Stage, taken: readonly Taken[], chance: Chance): Promise<void> {
  const { cast, checker, bids, jobs, natives, crowds, claret, plain, wrong } = stage;
  const endpoints = { clients: [claret], rest: cast.store.rest, token: cast.store.token };
  const otherwise: Ask = async (attempt) => (attempt.label === 'Job' ? jobs.outcomeOf(attempt, endpoints) : 'undecided');
  const { attempts, halves } = await stage.ledger().settled(otherwise);
  wrong.push(...halves.map((half) => `half a transaction: ${half}`));
  stage.turnPage();
  await readFinally(claret, checker.reads(attempts, chance));
  wrong.push(...checker.check([...attempts, ...stage.ledger().ended]), ...(stage.types?.judge(stage.ledger().ended) ?? []));
  stage.turnPage();
  wrong.push(
    ...(await natives.mismatches(plain)),
    ...(await unequalPairs(plain)),
    ...(await crowds.mismatches(plain)),
    ...((await stage.takeOvers?.mismatches(plain)) ?? []),
  );
  // Only now, because these checks could hide effects of a crash.
  await jobs.finish(endpoints);
  wrong.push(...(await jobs.mismatches(plain, endpoints, (count) => chance.below(count))));
  const items = new Set([...bids.takeTouched(), ...(bids.items.length > 0 ? [chance.pick(bids.items)] : [])]);
  wrong.push(...(await bids.mismatches(plain, [...items])), ...(await unbalanced(plain)), ...(await unevenRows(plain)));
  for (const one of taken) wrong.push(...(await stage.backups!.check(stage, one, attempts, chance)));
  wrong.push(...checker.check((await stage.ledger().settled(otherwise)).attempts), ...cast.all.flatMap(({ death }) => death ?? []));
}
