// Drivers: the driver processes of a block, which share the clients of each cell. They begin together, and the harness samples all of
// them at the same moments. All counts are differences between two moments of the steady state. Latencies are those of all
// transactions that ended between them.

import { performance } from 'node:perf_hooks';
import { DriverProcess, type Told } from '../../kit/driver-process.ts';
import { ConflictTable, readFigures, type GatewayFigures } from './gateway-figures.ts';
import type { Answer, BeginQuestion, CellAnswer, DistributionAnswer, Empty, Ended, LoadQuestion, Question, Sample } from './question.ts';
import type { Measured } from './raw.ts';
import { figuresOf, type DriverSpan } from './span.ts';

/** Warm-up and span are stretched, up to this factor, until each has as many commits as there are clients. */
const STRETCH_MAX = 4;
const LOOK_SECONDS = 0.02;

/** `clients`: of all drivers together. */
export interface CellPlan extends Omit<BeginQuestion, 'ask'> {
  /** base URLs of the gateways' REST */
  rests: string[];
  warm_seconds: number;
  seconds: number;
  /** report conflicts by pair of labels */
  conflicts: boolean;
}

type Driver = DriverProcess<Question, Answer>;

export class Drivers {
  readonly #processes: readonly Driver[];

  /** `execArgv`: options for Node, of each driver. REQUIRES: `count` is at least 1. */
  constructor(count: number, execArgv: readonly string[] = []) {
    const file = new URL('./driver.ts', import.meta.url);
    this.#processes = Array.from({ length: count }, () => new DriverProcess<Question, Answer>(file, [], execArgv));
  }

  /** The first driver loads the data; then the others prepare to run on it. */
  async load(question: Omit<LoadQuestion, 'ask' | 'driver'>, onTold: (told: Told) => void = () => {}): Promise<void> {
    this.#first.onTold = onTold;
    for (const [driver, process] of this.#processes.entries()) await process.ask({ ask: 'load', ...question, driver });
  }

  /** Runs a cell, and compares the stored data with what all drivers together were acknowledged. */
  async cell(plan: CellPlan): Promise<CellAnswer> {
    const { rests, conflicts } = plan;
    const conflictsBefore = conflicts ? await ConflictTable.read(rests) : null;
    const before = await lookAtGateways(rests);
    const { spans, acknowledged } = await this.#run(plan);
    const after = await lookAtGateways(rests);
    const measured: Measured = {
      ...figuresOf(spans),
      gateway_polling: after.gateways.map(
        ({ polled_seconds }, i) => (1000 * (polled_seconds - before.gateways[i]!.polled_seconds)) / (after.atMs - before.atMs),
      ),
      core_us_per_op: coreUsPerOperation(before.gateways, after.gateways),
      ...(conflictsBefore && { conflicts: (await ConflictTable.read(rests)).since(conflictsBefore) }),
    };
    const checked = await this.#first.ask({ ask: 'mismatches', others: acknowledged.slice(1) });
    return { ...measured, mismatches: checked as string[] };
  }

  async distributions(): Promise<DistributionAnswer> {
    return (await this.#first.ask({ ask: 'distributions' })) as DistributionAnswer;
  }

  /** Resolves when all processes have ended. */
  async close(): Promise<void> {
    await Promise.all(this.#processes.map((process) => process.close()));
  }

  get #first(): Driver {
    return this.#processes[0]!;
  }

  async #run(plan: CellPlan): Promise<{ spans: [DriverSpan, ...DriverSpan[]]; acknowledged: number[][] }> {
    const { condition, sending, deferral, clients, poll_us, gateway_pids } = plan;
    const shares = sharesOf(clients, this.#processes.length);
    await this.#askAll<Empty>((driver) => ({
      ask: 'begin',
      condition,
      sending,
      deferral,
      poll_us,
      clients: shares[driver]!,
      // The gateways' time is read once.
      gateway_pids: driver === 0 ? gateway_pids : [],
    }));
    await this.#someTime(plan.warm_seconds, clients);
    const firsts = await this.#askAll<Sample>(() => ({ ask: 'sample' }));
    await this.#someTime(plan.seconds, totalOf(firsts) + clients);
    const lasts = await this.#askAll<Sample>(() => ({ ask: 'sample' }));
    const ends = await this.#askAll<Ended>(() => ({ ask: 'end' }));
    const spans = ends.map(({ latencies_ms, failures }, i) => ({ first: firsts[i]!, last: lasts[i]!, latencies_ms, failures }));
    return { spans: spans as [DriverSpan, ...DriverSpan[]], acknowledged: ends.map(({ acknowledged }) => acknowledged) };
  }

  /** `goal`: commits of the cell, from its beginning on */
  async #someTime(seconds: number, goal: number): Promise<void> {
    const latestMs = performance.now() + 1000 * seconds * STRETCH_MAX;
    await sleep(seconds);
    const commits = async () => totalOf(await this.#askAll<{ commits: number }>(() => ({ ask: 'commits' })));
    while (performance.now() < latestMs && (await commits()) < goal) await sleep(LOOK_SECONDS);
  }

  /** In the order of the drivers. */
  #askAll<Given extends Answer>(questionFor: (driver: number) => Question): Promise<Given[]> {
    return Promise.all(this.#processes.map((process, driver) => process.ask(questionFor(driver)) as Promise<Given>));
  }
}

/** Shares of `clients` that differ by one at most. */
export function sharesOf(clients: number, drivers: number): number[] {
  return Array.from({ length: drivers }, (_, driver) => Math.floor((clients + drivers - 1 - driver) / drivers));
}

const totalOf = (counts: readonly { commits: number }[]): number => counts.reduce((sum, { commits }) => sum + commits, 0);

async function lookAtGateways(rests: readonly string[]): Promise<{ atMs: number; gateways: GatewayFigures[] }> {
  return { gateways: await Promise.all(rests.map(readFigures)), atMs: performance.now() };
}

function coreUsPerOperation(before: readonly GatewayFigures[], after: readonly GatewayFigures[]): number {
  const grown = (figure: (of: GatewayFigures) => number) => after.reduce((sum, of, i) => sum + figure(of) - figure(before[i]!), 0);
  return (
    (1e6 * grown(({ core_seconds }) => core_seconds)) /
    Math.max(
      1,
      grown(({ operations }) => operations),
    )
  );
}

function sleep(seconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, seconds * 1000));
}
