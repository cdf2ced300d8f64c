// The driver process of the telemetry benchmark: one load that continues while spans of it are measured.

import { ClaretError, connect, type Claret } from '@claret/client';
import { load, type Work } from '../paper/load.ts';
import { threadsCpuUsOf } from '../../kit/cpu.ts';
import { answerParent } from '../../kit/driver-process.ts';
import type { Answer, BeginQuestion, Ended, Question, Span } from './question.ts';

const LOOK_MS = 20;
/** If the load makes no progress for this time, the driver reports an error instead of waiting forever. */
const STILL_MS_MAX = 30_000;

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

class RunningLoad {
  readonly #claret: Claret;
  readonly #work: Work;
  readonly #question: BeginQuestion;
  readonly #clients: Promise<void[]>;
  #commits = 0;
  #stopping = false;

  constructor(claret: Claret, work: Work, question: BeginQuestion) {
    this.#claret = claret;
    this.#work = work;
    this.#question = question;
    this.#clients = Promise.all(Array.from({ length: question.clients }, () => this.#client()));
  }

  static async begin(question: BeginQuestion): Promise<RunningLoad> {
    const { addresses } = question.load;
    const loader = await connect({ addresses, name: 'bench' });
    const work = (await load(loader, question.load, () => {})).cell(question.sending);
    await loader.close();
    return new RunningLoad(await connect({ addresses, name: 'bench', oneAtATime: work.oneAtATime }), work, question);
  }

  async span(seconds: number): Promise<Span> {
    const first = this.#sample();
    const latestMs = first.atMs + 1000 * seconds + STILL_MS_MAX;
    await sleep(1000 * seconds);
    while (this.#commits - first.commits < this.#question.clients) {
      if (performance.now() > latestMs) throw new Error(`the load makes no progress: ${this.#commits - first.commits} commits`);
      await sleep(LOOK_MS);
    }
    const last = this.#sample();
    return {
      seconds: (last.atMs - first.atMs) / 1000,
      commits: last.commits - first.commits,
      gateways_us: last.gateways_us - first.gateways_us,
    };
  }

  async end(): Promise<Ended> {
    this.#stopping = true;
    await this.#clients;
    const mismatches = await this.#work.mismatches(this.#claret);
    await this.#claret.close();
    return { mismatches };
  }

  async #client(): Promise<void> {
    while (!this.#stopping) {
      try {
        await this.#work.run(this.#claret);
        this.#commits++;
      } catch (error) {
        // The error must say that nothing was applied: otherwise the check could not tell it from a lost update.
        if (!(error instanceof ClaretError) || error.commitState !== 'none') throw error;
      }
    }
  }

  #sample() {
    const gateways_us = this.#question.gateway_pids.reduce((sum, pid) => sum + threadsCpuUsOf(pid), 0);
    return { atMs: performance.now(), commits: this.#commits, gateways_us };
  }
}

let running: RunningLoad | null = null;

answerParent<Question, Answer>(async (question) => {
  if (question.ask === 'begin') {
    running = await RunningLoad.begin(question);
    return {};
  }
  if (running === null) throw new Error('no load is running');
  return question.ask === 'span' ? running.span(question.seconds) : running.end();
});
