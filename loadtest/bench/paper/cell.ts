// One cell in a driver: a closed loop of logical clients, each of which begins its next transaction when the last has ended. The
// harness says when it begins, when it is sampled and when it ends, so that several drivers measure the same span (drivers.ts).

import { performance } from 'node:perf_hooks';
import { ClaretError, type Claret } from '@claret/client';
import { connectForTests, type TestConnectOptions } from '@claret/client/testing';
import { cpuUsOf, machineBusyUs, ownCpuUs } from '../../kit/cpu.ts';
import { conditionNamed } from '../../kit/conditions.ts';
import { senderUnder } from '../../kit/sent-as-natives.ts';
import type { Work } from './load.ts';
import type { BeginQuestion, Ended, Sample } from './question.ts';

/** Transactions are limited by time, not by the number of attempts. */
const ATTEMPTS_MAX = 100_000;

export class RunningCell {
  readonly #claret: Claret;
  readonly #sender: Claret;
  readonly #work: Work;
  readonly #gatewayPids: readonly number[];
  readonly #running: Promise<void[]>;
  #commits = 0;
  #failures = 0;
  /** of all transactions that ended since the last sample */
  #latencies: number[] = [];
  /** of those that ended between the last two samples */
  #measured: number[] = [];
  #stopping = false;

  private constructor(question: BeginQuestion, claret: Claret, work: Work) {
    this.#claret = claret;
    this.#sender = senderUnder(question.condition, claret, work);
    this.#work = work;
    this.#gatewayPids = question.gateway_pids;
    this.#running = Promise.all(Array.from({ length: question.clients }, () => this.#client()));
  }

  /** Resolves when the clients have begun. An error of a client that is not a failed transaction ends the process. */
  static async begin(question: BeginQuestion, addresses: string[], work: Work): Promise<RunningCell> {
    return new RunningCell(question, await connectForTests(optionsOf(question, addresses, work)), work);
  }

  get commits(): number {
    return this.#commits;
  }

  sample(): Sample {
    this.#measured = this.#latencies;
    this.#latencies = [];
    const { retries, operations, natives, polledMs } = this.#claret.counters;
    return {
      at_ms: performance.now(),
      commits: this.#commits,
      retries,
      operations: operations + natives,
      polled_ms: polledMs,
      awake_ms: performance.eventLoopUtilization().active,
      own_us: ownCpuUs(),
      gateways_us: this.#gatewayPids.map(cpuUsOf),
      machine_us: machineBusyUs(),
    };
  }

  /** Resolves when all begun transactions have ended. */
  async end(): Promise<Ended> {
    this.#stopping = true;
    await this.#running;
    await this.#claret.close();
    return { latencies_ms: this.#measured, failures: this.#failures, acknowledged: this.#work.acknowledged() };
  }

  async #client(): Promise<void> {
    while (!this.#stopping) await this.#runOne();
  }

  async #runOne(): Promise<void> {
    const begunMs = performance.now();
    try {
      await this.#work.run(this.#sender);
      this.#commits++;
      this.#latencies.push(performance.now() - begunMs);
    } catch (error) {
      // The error must say that nothing was applied: otherwise the check could not tell it from a lost update.
      if (!(error instanceof ClaretError) || error.commitState !== 'none') throw error;
      this.#failures++;
    }
  }
}

function optionsOf({ condition, deferral, poll_us }: BeginQuestion, addresses: string[], { oneAtATime }: Work): TestConnectOptions {
  const { retryPolicy, chained } = conditionNamed(condition);
  return {
    addresses,
    name: 'bench',
    retryPolicy: retryPolicy ?? {},
    ...(chained && { combining: 'always' }),
    pollMicroseconds: poll_us,
    attemptsMax: ATTEMPTS_MAX,
    oneAtATime,
    ...(!deferral && { deferral }),
  };
}
