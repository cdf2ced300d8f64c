// The delay of changes (Liu et al., section 7.2: "write latency"): one app server changes a record that two others read all the time. Then one
// of the readers is frozen for longer than a term: the change waits until its grants lapse, and nobody else does. Combining is off: a crowd on one
// record is sent in chains, which ask for no promises.

import { setTimeout as sleep } from 'node:timers/promises';
import { conditionNamed, WARRANTED } from '../../kit/conditions.ts';
import { DriverProcess } from '../../kit/driver-process.ts';
import type { Progress } from '../../kit/progress.ts';
import { median, quantile } from '../../kit/statistics.ts';
import { table } from '../../kit/table.ts';
import { setConditions, withCluster } from '../../kit/with-cluster.ts';
import { Mismatch } from '../paper/mismatch.ts';
import type { Answer, DriverTotals, Measured, Question, Sizes, Warranties } from './question.ts';
import { verdictText } from './report.ts';

const READERS = 2;
const READS_IN_FLIGHT = 4;
/** A term of the gateways' default, and a margin. */
const FROZEN_MS = 1_700;
/** of the span beside a frozen reader; half as long before it */
const FROZEN_SPAN_S = 2.5;

export interface DelayRow {
  part: 'delay' | 'delay, a reader frozen';
  condition: Warranties;
  write_mean_ms: number;
  write_max_ms: number;
  /** share of the readings of the first reader that needed no message */
  without_message: number;
  /** of the readers that are not frozen */
  read_p50_ms: number;
  read_p99_ms: number;
}

export interface DelayOptions extends Sizes {
  rounds: number;
  seconds: number;
  seed: number;
  progress: Progress;
}

interface Round {
  write: Measured;
  read: Measured;
}

type Driver = DriverProcess<Question, Answer>;

class Delay {
  readonly #writer: Driver;
  readonly #readers: readonly Driver[];
  readonly #pids: number[];

  constructor([writer, ...readers]: readonly Driver[], pids: number[]) {
    this.#writer = writer!;
    this.#readers = readers;
    this.#pids = pids;
  }

  /** `meanwhile`: runs beside it. */
  async round(warranties: Warranties, seconds: number, meanwhile: () => Promise<void> = async () => {}): Promise<Round> {
    const cell = (driver: Driver, way: string, inFlight: number) =>
      driver.ask({ ask: 'cell', way, warranties, inFlight, seconds, gateway_pids: this.#pids });
    const [write, read] = await Promise.all([
      cell(this.#writer, 'writes', 1),
      ...this.#readers.map((reader) => cell(reader, 'reads', READS_IN_FLIGHT)),
      meanwhile(),
    ]);
    return { write: (write as Answer).measured!, read: (read as Answer).measured! };
  }

  frozen(warranties: Warranties): Promise<Round> {
    const { pid } = this.#readers.at(-1)!;
    return this.round(warranties, FROZEN_SPAN_S, async () => {
      await sleep(500 * FROZEN_SPAN_S + 100);
      process.kill(pid, 'SIGSTOP');
      try {
        await sleep(FROZEN_MS);
      } finally {
        process.kill(pid, 'SIGCONT');
      }
    });
  }

  async check(): Promise<string[]> {
    const others: DriverTotals[] = [];
    for (const reader of this.#readers) others.push((await reader.ask({ ask: 'totals' })).totals!);
    return (await this.#writer.ask({ ask: 'check', others })).mismatches!;
  }
}

function rowOf(part: DelayRow['part'], condition: Warranties, rounds: readonly Round[]): DelayRow {
  const writes = rounds.flatMap(({ write }) => write.write_ms);
  const ofReads = (share: number) => median(rounds.map(({ read }) => quantile(read.read_ms, share)));
  return {
    part,
    condition,
    write_mean_ms: writes.reduce((sum, ms) => sum + ms, 0) / writes.length,
    write_max_ms: Math.max(...writes),
    without_message: median(rounds.map(({ read }) => read.answers / read.reads)),
    read_p50_ms: ofReads(0.5),
    read_p99_ms: ofReads(0.99),
  };
}

/** Throws `Mismatch` if the record does not hold what was acknowledged. */
export async function measureDelay(options: DelayOptions): Promise<DelayRow[]> {
  const { rounds, seconds, seed, progress, ...sizes } = options;
  const rows: DelayRow[] = [];
  await withCluster(1, {}, async (cluster) => {
    const drivers = Array.from(
      { length: 1 + READERS },
      () => new DriverProcess<Question, Answer>(new URL('./driver.ts', import.meta.url), []),
    );
    try {
      const addresses = cluster.gateways.map(({ grpc }) => grpc);
      for (const [driver, each] of drivers.entries()) {
        await each.ask({ ask: 'load', workload: 'delay', addresses, driver, users: 0, seed, ...sizes });
      }
      const delay = new Delay(
        drivers,
        cluster.gateways.map(({ pid }) => pid),
      );
      const calm: Record<'off' | 'auto', Round[]> = { off: [], auto: [] };
      const frozen: Round[] = [];
      for (let round = -1; round < rounds; round++) {
        for (const warranties of ['off', 'auto'] as const) {
          progress.show(`delay: ${warranties}, round ${round + 1} of ${rounds}`, 'delay');
          await setConditions(cluster, { ...conditionNamed(WARRANTED.name), combining: 'off', warranties });
          const measured = await delay.round(warranties, seconds);
          if (round >= 0) calm[warranties].push(measured);
        }
        if (round >= 0) frozen.push(await delay.frozen('auto'));
      }
      const mismatches = await delay.check();
      if (mismatches.length > 0) throw new Mismatch(`delay: ${mismatches[0]}`);
      rows.push(rowOf('delay', 'off', calm.off), rowOf('delay', 'auto', calm.auto), rowOf('delay, a reader frozen', 'auto', frozen));
    } finally {
      await Promise.all(drivers.map((driver) => driver.close()));
    }
  });
  say(rows, progress);
  return rows;
}

function say(rows: readonly DelayRow[], progress: Progress): void {
  const [off, auto, frozen] = rows as [DelayRow, DelayRow, DelayRow];
  const lines = rows.map(({ part, condition, ...row }) => [
    `${part}, ${condition}`,
    row.write_mean_ms.toFixed(2),
    row.write_max_ms.toFixed(1),
    `${(100 * row.without_message).toFixed(1)} %`,
    row.read_p50_ms.toFixed(3),
    row.read_p99_ms.toFixed(3),
  ]);
  progress.say(`\n${table(['delay', 'write mean ms', 'write max ms', 'reads without', 'read p50 ms', 'read p99 ms'], lines)}\n`);
  const text = (what: string, value: number, most: number) => verdictText({ what, value, most });
  progress.say(text('mean time of a change, to off (the paper: 10)', auto.write_mean_ms / off.write_mean_ms, 2.5));
  progress.say(text('longest change beside a frozen reader, in ms', frozen.write_max_ms, 1_100));
  progress.say(text("the other reader's 99th percentile meanwhile, to the calm", frozen.read_p99_ms / auto.read_p99_ms, 1.5));
}
