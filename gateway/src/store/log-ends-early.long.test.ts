// Acknowledged data is lost on one of two shards, with gateways as real processes: the shard that lost it ends with exit code 2 and one
// sentence, and the other one serves.
import { cpSync, mkdtempSync, readdirSync, rmSync, statSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ClaretError, connect } from '@claret/client';
import { slotOf } from '@claret/core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { freePorts } from '../../../scripts/run/ports.js';
import { startProcess, untilReady } from '../testing/process.ts';
import type { Run } from '../testing/process.ts';

const PATIENT_MS = 600_000;
const BOTH = [0, 1];

let folder: string;
let addresses: { grpc: string; rest: string }[];
let runs: (Run | undefined)[];
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'claret-early-'));
  const ports = await freePorts(4);
  addresses = BOTH.map((shard) => ({ grpc: `127.0.0.1:${ports[2 * shard]}`, rest: `127.0.0.1:${ports[2 * shard + 1]}` }));
  runs = [];
});
afterEach(async () => {
  for (const run of runs) run?.child.kill('SIGKILL');
  for (const run of runs) await run?.ended;
  rmSync(folder, { recursive: true });
});

const dirOf = (shard: number): string => join(folder, `shard-${shard}`);
const storeOf = (shard: number): string => join(dirOf(shard), 'log', 'store');

function start(shard: number): Run {
  const cluster = addresses.map(({ grpc, rest }) => `${grpc}/${rest}`).join(',');
  return (runs[shard] = startProcess(['--cluster', cluster, '--shard', String(shard), '--data-dir', dirOf(shard)]));
}

async function startReady(shard: number): Promise<void> {
  await untilReady(start(shard));
}

async function end(shard: number, signal: NodeJS.Signals): Promise<void> {
  runs[shard]!.child.kill(signal);
  await runs[shard]!.ended;
}

/** one record on each shard */
const keys = BOTH.map((shard) => {
  for (let n = 0; ; n++) if (Math.floor(slotOf(`k${n}`) / 8192) === shard) return `k${n}`;
});

async function addToBoth(times: number): Promise<void> {
  const claret = await connect({ addresses: addresses.map(({ grpc }) => grpc) });
  for (let n = 0; n < times; n++)
    await claret.transact(
      'Add',
      keys.map((key) => claret.on.counter(key).add(1)),
    );
  await claret.close();
}

async function valueOn(shard: number): Promise<unknown> {
  const path = `/v1/records/${keys[shard]}?type=counter&operation=value`;
  return ((await (await fetch(`http://${addresses[shard]!.rest}${path}`)).json()) as { value: unknown }).value;
}

const newestLogFile = (shard: number): string =>
  join(
    storeOf(shard),
    readdirSync(storeOf(shard))
      .filter((name) => name.endsWith('.log'))
      .toSorted()
      .at(-1)!,
  );

/** Shard 1 ends by itself, and shard 0 continues; returns the output of shard 1. */
async function refusal(): Promise<string> {
  const run = runs[1]!;
  const late = new Promise<string>((resolve) => setTimeout(resolve, 300_000, 'it serves').unref());
  expect(await Promise.race([run.ended, late]), run.output()).toBe(2);
  expect((await fetch(`http://${addresses[0]!.rest}/readyz`)).status).toBe(200);
  return run.output();
}

test.each([
  ['emptied', 0],
  ['cut in half', 0.5],
  ['short of its last bytes', -1],
])(
  'the newest *.log file %s',
  async (_what, length) => {
    for (const shard of BOTH) await startReady(shard);
    await addToBoth(100);
    await end(1, 'SIGKILL');
    const file = newestLogFile(1);
    const { size } = statSync(file);
    expect(size).toBeGreaterThan(1000);
    truncateSync(file, length < 0 ? size + length : Math.floor(size * length));
    start(1);
    expect(await refusal()).toMatch(
      /the log had come to write \d+, with entry \d+: something durable is missing there; nothing has been changed\. Restore a backup, or cut the log there/,
    );
  },
  PATIENT_MS,
);

test(
  'the folder log/ removed',
  async () => {
    for (const shard of BOTH) await startReady(shard);
    await addToBoth(10);
    await end(1, 'SIGKILL');
    rmSync(join(dirOf(1), 'log'), { recursive: true });
    start(1);
    expect(await refusal()).toMatch(
      /shard-1\/log is missing, and .*log-end\.json says that there was a log: .* restore all shards from one backup/,
    );
  },
  PATIENT_MS,
);

test(
  'the data directory reset to an older state while the other gateway serves',
  async () => {
    for (const shard of BOTH) await startReady(shard);
    await addToBoth(10);
    await end(1, 'SIGTERM');
    cpSync(dirOf(1), join(folder, 'older'), { recursive: true });
    await startReady(1);
    await addToBoth(10);
    await end(1, 'SIGTERM');
    rmSync(dirOf(1), { recursive: true });
    cpSync(join(folder, 'older'), dirOf(1), { recursive: true });
    start(1);
    expect(await refusal()).toMatch(
      /the log of shard 1 ends early: it had told the gateway of shard 0 at .* of entry \d+ .* restore all shards from one backup/,
    );
    expect(runs[1]!.output(), 'it has not served').not.toContain('"msg":"ready"');
  },
  PATIENT_MS,
);

test(
  'the data directory reset while all gateways were stopped, and the gateway that knows of it starts later',
  async () => {
    for (const shard of BOTH) await startReady(shard);
    await addToBoth(10);
    await end(1, 'SIGKILL');
    cpSync(dirOf(1), join(folder, 'older'), { recursive: true });
    await startReady(1);
    await addToBoth(10);
    for (const shard of [1, 0]) await end(shard, 'SIGTERM');
    rmSync(dirOf(1), { recursive: true });
    cpSync(join(folder, 'older'), dirOf(1), { recursive: true });
    await startReady(1);
    // Its own later writes do not hide the loss: more entries, and a checkpoint that removes the older ones.
    const alone = await connect({ addresses: [addresses[1]!.grpc] });
    for (let n = 0; n < 200; n++) await alone.transact('Alone', [alone.on.counter(keys[1]!).add(1)]);
    await alone.close();
    await end(1, 'SIGTERM');
    await startReady(1);
    await startReady(0);
    expect(await refusal()).toMatch(/the log of shard 1 ends early/);
    expect(await valueOn(0)).toBe(20);
  },
  PATIENT_MS,
);

test(
  'the data directory lost and both gateways started at once: the one that lost it ends, regardless of which one notices',
  async () => {
    for (const shard of BOTH) await startReady(shard);
    await addToBoth(1);
    for (const shard of BOTH) await end(shard, 'SIGKILL');
    rmSync(dirOf(1), { recursive: true });
    await Promise.all(BOTH.map((shard) => untilReady(start(shard)).catch(() => {})));
    expect(await refusal()).toMatch(/shard 1 has another log than before/);
  },
  PATIENT_MS,
);

test(
  'gateways restart after being killed at any moment',
  async () => {
    for (const shard of BOTH) await startReady(shard);
    for (let round = 0; round < 2; round++) {
      const adding = addToBoth(150).catch((error: unknown) => expect(error).toBeInstanceOf(ClaretError));
      await new Promise((resolve) => setTimeout(resolve, 300));
      for (const shard of BOTH) await end(shard, 'SIGKILL');
      for (const shard of BOTH) await startReady(shard);
      await adding;
    }
    expect(await valueOn(0)).toBeGreaterThan(0);
    expect(await valueOn(1)).toBe(await valueOn(0));
  },
  PATIENT_MS,
);
