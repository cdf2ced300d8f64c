// Clients whose event loop is blocked, against real gateways that are killed meanwhile: every transaction is settled in time.
// client/src/limits/deadlines.test.ts does the same for all kinds of failures, in simulated time.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { freePorts } from '../../../scripts/run/ports.js';
import { startProcess, untilReady } from '../testing/process.ts';
import type { Ended, Kind } from '../testing/standstill-client.ts';

const PROGRAM = join(import.meta.dirname, '../testing/standstill-client.ts');

interface Report extends Partial<Ended> {
  states?: string[];
  stoodStill?: boolean;
}

class StandstillClient {
  readonly reports: Report[] = [];
  readonly #child;

  constructor(address: string) {
    this.#child = spawn(process.execPath, [PROGRAM, address], { stdio: ['pipe', 'pipe', 'inherit'] });
    createInterface({ input: this.#child.stdout }).on('line', (line) => this.reports.push(JSON.parse(line) as Report));
    onTestFinished(() => void this.#child.kill('SIGKILL'));
  }

  begin(name: string, kind: Kind, options: { timeoutMs?: number; id?: boolean } = {}): void {
    this.#order({ begin: name, kind, timeoutMs: 500, id: false, ...options });
  }

  standStill(forMs: number): void {
    this.#order({ standStillMs: forMs });
  }

  #order(order: object): void {
    this.#child.stdin.write(`${JSON.stringify(order)}\n`);
  }

  async until(matches: (report: Report) => boolean): Promise<Report> {
    await expect.poll(() => this.reports.some(matches), { interval: 5 }).toBe(true);
    return this.reports.find(matches)!;
  }

  ended(name: string): Promise<Report> {
    return this.until((report) => report.name === name);
  }

  get state(): string | undefined {
    return this.reports.findLast(({ states }) => states !== undefined)?.states?.[0];
  }
}

async function gatewayAndClient() {
  const folder = mkdtempSync(join(tmpdir(), 'claret-standstill-'));
  const [grpc, rest] = await freePorts(2);
  const args = ['--cluster', `127.0.0.1:${grpc}/127.0.0.1:${rest}`, '--data-dir', folder, '--durability', 'sync'];
  let run = startProcess(args);
  await untilReady(run);
  onTestFinished(async () => {
    run.child.kill('SIGKILL');
    await run.ended;
    rmSync(folder, { recursive: true });
  });
  const client = new StandstillClient(`127.0.0.1:${grpc}`);
  await expect.poll(() => client.state, { interval: 5 }).toBe('live');
  return {
    client,
    kill: async () => {
      run.child.kill('SIGKILL');
      await run.ended;
    },
    start: async () => {
      run = startProcess(args);
      await untilReady(run);
    },
  };
}

test("a body that never ends is ended although the process was blocked for longer than the transaction's time limit", async () => {
  const { client } = await gatewayAndClient();
  client.begin('hangs', 'hangs');
  client.begin('holds', 'holds');
  client.standStill(5_000);
  await client.until(({ stoodStill }) => stoodStill === true);
  for (const name of ['hangs', 'holds']) expect(await client.ended(name)).toMatchObject({ code: 'gave_up', commitState: 'none' });
});

test('a transaction begun while the gateway was down is ended although the process was blocked until it was back', async () => {
  const { client, kill, start } = await gatewayAndClient();
  await kill();
  await expect.poll(() => client.state, { interval: 5 }).not.toBe('live');
  client.begin('adds', 'adds');
  client.begin('counts', 'counts');
  client.begin('counts by id', 'counts', { id: true });
  client.standStill(6_000);
  await start();
  await client.until(({ stoodStill }) => stoodStill === true);
  for (const name of ['adds', 'counts']) expect(await client.ended(name)).toMatchObject({ commitState: 'none' });
  expect(await client.ended('counts by id')).toMatchObject({ commitState: 'unknown' });
  client.begin('after', 'counts', { timeoutMs: 10_000 });
  expect(await client.ended('after')).toMatchObject({ code: 'ok' });
});

test('an answer that arrived while the process was blocked is accepted', async () => {
  const { client } = await gatewayAndClient();
  client.begin('first', 'adds'); // connected, compiled
  await client.ended('first');
  client.begin('adds', 'adds');
  client.standStill(6_000);
  await client.until(({ stoodStill }) => stoodStill === true);
  expect(await client.ended('adds')).toMatchObject({ code: 'ok' });
});
