// ClosedLoop: keeps a fixed number of things under way; whenever one is done the next begins. Rates are counted between
// two moments of the steady state, CPU time of the driver and of the servers between the very same moments.

import { cpuUsOf, ownCpuUs } from './cpu.ts';

export interface Load {
  /** Begins one; calls `done` once when it is done, never within the call. A failure is thrown from anywhere. */
  begin(done: () => void): void;
  close(): Promise<void> | void;
}

export interface Span {
  seconds: number;
  /** done within the span */
  count: number;
  client_cpu_us: number;
  server_cpu_us: number;
}

export interface LoopOptions {
  inFlight: number;
  /** before the span: compilers, connections and windows settle */
  warmSeconds: number;
  /** Both this and `warmSeconds` are stretched until as many are done as are under way at once. */
  seconds: number;
  /** processes whose CPU time is the servers' */
  serverPids: readonly number[];
}

/** Resolves when all that was begun is done. */
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
  });
  const runFor = async (seconds: number) => {
    const enough = count + options.inFlight;
    do await sleep(seconds);
    while (count < enough);
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
  };
}

function sleep(seconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, seconds * 1000));
}
