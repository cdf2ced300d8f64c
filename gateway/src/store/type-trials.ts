// TypeTrials: tries the laws on definitions of data types. Each trial is a process of its own (TYPE_CHECK of the core), so that whatever a definition
// costs falls on nobody else: it runs at the lowest priority, with a limit on its memory, its output and its time. One runs at a time, and a few
// may wait.
//
// What a program has let pass is remembered for a while, by its SHA-256, for all of this process: an installation after a trial need not try it
// again.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import process from 'node:process';
import { TYPE_CHECK } from '@claret/core';
import { ERRORS, GatewayError } from '../errors.ts';
import { trialSecondsOf } from './trial-seconds.ts';

/** How often two operations met: held the record together, could not, and how often a reservation had to wait. */
export interface TriedPair {
  first: string;
  second: string;
  together: number;
  apart: number;
  waited: number;
}

/** A broken law, with the least history that was found. */
export interface BrokenLaw {
  law: string;
  /** operations, separated by commas; empty: of the whole type */
  of: string;
  broken: string;
  /** lines: the type, what had happened, and what came */
  case: string;
  /** finds the case again */
  seed: string;
}

/** As TYPE_CHECK prints it, and the SHA-256 of the definition, in hexadecimal digits. */
export interface TypeReport {
  hash: string;
  name: string;
  version: number;
  seed: string;
  pairs: TriedPair[];
  /** absent: no law is broken */
  failure?: BrokenLaw;
}

export interface Trial {
  /** limit of the search; every law is tried once, even if that takes longer */
  seconds?: number | undefined;
  /** by chance if absent */
  seed?: string | undefined;
  /** the definition that this one is to replace: its records must be such as can be migrated */
  before?: string | undefined;
  /** the report is no longer wanted */
  signal?: AbortSignal | undefined;
}

export const SECONDS_MAX = 60;
/** One round of all laws, for a large type on a busy machine. */
const GRACE_MS = 60_000;
const WAITING_MAX = 8;
const DEFINITION_BYTES_MAX = 64 * 1024;
const OUTPUT_BYTES_MAX = 16 * 1024 * 1024;
const MEMORY_KIB_MAX = 2 * 1024 * 1024;
const NOT_BUILT = 'the program that tries them is not built (a first `npm start` builds it once the demo is up, in a minute or so)';
const PASSED_KEPT_MS = 600_000;
const PASSED_MAX = 100;

export const hashOf = (definition: string): string => createHash('sha256').update(definition).digest('hex');

/** By program and SHA-256 of what it read; the oldest first. */
const passed = new Map<string, { report: TypeReport; untilMs: number }>();

export class TypeTrials {
  private readonly program: string;
  private readonly graceMs: number;
  private readonly seconds = trialSecondsOf(process.env);
  private last: Promise<unknown> = Promise.resolve();
  private waiting = 0;
  /** ends the process that runs */
  private stop = () => {};
  private isClosed = false;

  constructor(program = TYPE_CHECK, graceMs = GRACE_MS) {
    this.program = program;
    this.graceMs = graceMs;
  }

  /** Throws invalid_definition, type_untried, overloaded, closing, called_off. A broken law is in the report. */
  async run(definition: string, { seconds = this.seconds, seed, signal, before }: Trial = {}): Promise<TypeReport> {
    if (Buffer.byteLength(definition) > DEFINITION_BYTES_MAX) {
      throw new GatewayError('invalid_definition', `A definition may have ${DEFINITION_BYTES_MAX / 1024} KiB.`);
    }
    if (this.waiting > WAITING_MAX) throw new GatewayError('overloaded', `${WAITING_MAX} definitions wait to be tried already.`);
    this.waiting++;
    const options = [`--seconds=${Math.min(seconds, SECONDS_MAX)}`, ...(seed === undefined ? [] : [`--seed=${seed}`])];
    const trial = this.last.then(() => this.runProgram(options, inputOf(definition, before), seconds * 1000 + this.graceMs, signal));
    this.last = trial.catch(() => {});
    try {
      const report = { hash: hashOf(definition), ...read(await unlessCalledOff(trial, signal)) };
      if (report.failure === undefined) this.remember(inputOf(definition, before), report);
      return report;
    } finally {
      this.waiting--;
    }
  }

  /** The report of a definition that breaks no law: an earlier one, if it is remembered. Throws type_broken, and as `run`. */
  async pass(definition: string, before?: string): Promise<TypeReport> {
    const known = passed.get(this.keyOf(inputOf(definition, before)));
    if (known !== undefined && performance.now() < known.untilMs) return known.report;
    const report = await this.run(definition, { before });
    const { failure } = report;
    if (failure === undefined) return report;
    const { of, broken } = failure;
    throw new GatewayError('type_broken', `${report.name} breaks a law${of === '' ? '' : ` (${of})`}: ${broken}`, { extra: { report } });
  }

  /** Ends the trial that runs, and refuses those that wait. */
  close(): void {
    this.isClosed = true;
    this.stop();
  }

  private keyOf(input: string): string {
    return `${this.program} ${hashOf(input)}`;
  }

  private remember(input: string, report: TypeReport): void {
    const key = this.keyOf(input);
    passed.delete(key);
    passed.set(key, { report, untilMs: performance.now() + PASSED_KEPT_MS });
    if (passed.size > PASSED_MAX) passed.delete(passed.keys().next().value!);
  }

  /** Resolves with what the program has printed. */
  private runProgram(options: string[], input: string, withinMs: number, signal?: AbortSignal): Promise<string> {
    if (this.isClosed) throw new GatewayError('closing', ERRORS.closing.meaning);
    if (signal?.aborted === true) throw calledOff();
    if (!existsSync(this.program)) throw new GatewayError('type_untried', `The laws cannot be tried yet: ${NOT_BUILT}.`);
    return new Promise((resolve, reject) => {
      const seconds = Math.ceil(withinMs / 1000);
      // Node has no limits of resources. That of time holds even if this process is gone by then.
      const command = `ulimit -v ${MEMORY_KIB_MAX} 2>/dev/null; ulimit -t ${seconds}; exec "$0" "$@"`;
      const child = spawn('/bin/sh', ['-c', command, this.program, ...options], { env: {}, detached: true });
      const output: Buffer[] = [];
      let outputBytes = 0;
      let why = 'the program that tries them has ended';
      const kill = (because: string) => {
        why = because;
        child.stdout.destroy();
        killGroup(child.pid);
      };
      const timer = setTimeout(() => kill(`they took longer than ${seconds} s`), withinMs);
      this.stop = () => kill('the gateway is closing');
      const end = () => kill('nobody waits for them any more');
      signal?.addEventListener('abort', end);
      const done = (code: number | null) => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', end);
        this.stop = () => {};
        if (this.isClosed) return reject(new GatewayError('closing', ERRORS.closing.meaning));
        if (code === 0 || code === 1) return resolve(Buffer.concat(output).toString());
        reject(new GatewayError('type_untried', `The laws could not be tried: ${why}.`));
      };
      child.on('spawn', () => lowerPriority(child.pid!));
      child.on('error', () => done(null));
      child.on('close', done);
      child.stdout.on('data', (bytes: Buffer) => {
        output.push(bytes);
        outputBytes += bytes.length;
        if (outputBytes > OUTPUT_BYTES_MAX) kill('the program that tries them says too much');
      });
      child.stderr.resume();
      child.stdin.on('error', () => {}); // it has ended before it read everything
      child.stdin.end(input);
    });
  }
}

/** What the program reads. */
const inputOf = (definition: string, before: string | undefined): string =>
  before === undefined || before === definition ? definition : `${definition}\0${before}`;

const calledOff = () => new GatewayError('called_off', 'The trial is no longer wanted.');

/** A trial that waits is given up at once; one that runs is ended. */
async function unlessCalledOff<T>(trial: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return trial;
  if (signal.aborted) throw calledOff();
  let giveUp = () => {};
  const aborted = new Promise<never>((_, reject) => {
    giveUp = () => reject(calledOff());
    signal.addEventListener('abort', giveUp);
  });
  try {
    return await Promise.race([trial, aborted]);
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
}

/** The program, and whatever it has started. */
function killGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}

function lowerPriority(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_LOW);
  } catch {
    // It has ended already.
  }
}

/** Throws invalid_definition, type_untried. */
function read(output: string): Omit<TypeReport, 'hash'> {
  let report: Omit<TypeReport, 'hash'> | { problem: string };
  try {
    report = JSON.parse(output) as typeof report;
  } catch {
    throw new GatewayError('type_untried', 'The laws could not be tried: the program that tries them has said nothing that can be read.');
  }
  if ('problem' in report) throw new GatewayError('invalid_definition', `It is no definition of a data type: ${report.problem}.`);
  return report;
}
