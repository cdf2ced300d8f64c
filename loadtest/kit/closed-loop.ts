// ClosedLoop: keeps a fixed number of operations in flight; when one is done the next begins. Rates are counted between two moments
// of the steady state, and the CPU time of the driver and of the servers between the same moments.

import { cpuUsOf, ownCpuUs } from './cpu.ts';

export interface Load {
  /** Begins one operation; calls `done` once when it is done, never within the call. A failure may be thrown from anywhere. */
  begin(done: () => void): void;
  /** Further totals, read at the span's beginning and at its end. */
  totals?(): Totals;
  close(): Promise<void> | void;
}

export type Totals = Readonly<Record<string, number>>;

export interface Span {
  seconds: number;
  /** operations done within the span */
  count: number;
  client_cpu_us: number;
  server_cpu_us: number;
  /** the load's own, at the beginning and at the end */
  totals?: readonly [first: Totals, last: Totals];
}

export interface LoopOptions {
  inFlight: number;
  /** warm-up before the span: compilers, connections and windows settle */
  warmSeconds: number;
  /** This and `warmSeconds` are stretched until as many operations are done as are in flight at once. */
  seconds: number;
  /** the greatest factor by which they are stretched; by default without a limit */
  stretchMax?: number;
  /** processes whose CPU time counts as the servers' */
  serverPids: readonly number[];
}

/** Resolves when all begun operations are done. */
export async function runClosedLoop(load: Load, options: LoopOptions): Promise<Span> {
  let count = 0;
  let underWay = 0;
  let stopping = false;
  let drained = () => {};
  const begin = () => {
    underWay++;
    load.begin(done);
  };
  const done = () => {
    count++;
    underWay--;
    if (!stopping) begin();
    else if (underWay === 0) drained();
  };
  const sample = () => ({
    atMs: performance.now(),
    count,
    client_us: ownCpuUs(),
    server_us: options.serverPids.reduce((sum, pid) => sum + cpuUsOf(pid), 0),
    totals: load.totals?.(),
  });
  const runFor = async (seconds: number) => {
    const enough = count + options.inFlight;
    const latestMs = performance.now() + 1000 * seconds * (options.stretchMax ?? Infinity);
    do await sleep(seconds);
    while (count < enough && performance.now() < latestMs);
  };
  for (let i = 0; i < options.inFlight; i++) begin();
  await runFor(options.warmSeconds);
  const first = sample();
  await runFor(options.seconds);
  const last = sample();
  stopping = true;
  await new Promise<void>((resolve) => {
    drained = resolve;
    if (underWay === 0) resolve();
  });
  return {
    seconds: (last.atMs - first.atMs) / 1000,
    count: last.count - first.count,
    client_cpu_us: last.client_us - first.client_us,
    server_cpu_us: last.server_us - first.server_us,
    ...(first.totals && last.totals && { totals: [first.totals, last.totals] }),
  };
}

function sleep(seconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, seconds * 1000));
}
