// A gateway's process and its disk: a log that is cut short or damaged behind its back, a disk that is full, one that fails to sync.
import { spawnSync } from 'node:child_process';
import { appendFileSync, readFileSync, readdirSync, mkdtempSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { connect, type Claret } from '@claret/client';
import { afterEach, expect, test } from 'vitest';
import { freePorts } from '../../../scripts/run/ports.js';
import { startProcess, untilReady, type Run } from '../../../gateway/src/testing/process.ts';
import { DiskFaults, buildFaults } from './faults.ts';

const PATIENT_MS = 120_000;
const MEMBERS = 60;
const RESTORE = fileURLToPath(new URL('../../../gateway/src/backup/restore-main.ts', import.meta.url));

const closing: (() => Promise<unknown> | void)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** One shard, as a folder and an address; its gateway comes and goes. */
class Place {
  readonly folder = mkdtempSync(join(tmpdir(), 'claret-disk-'));
  readonly data = join(this.folder, 'data');
  address = '';
  #cluster = '';
  #run: Run | null = null;

  static async find(): Promise<Place> {
    const place = new Place();
    const [grpc, rest] = await freePorts(2);
    place.address = `127.0.0.1:${grpc}`;
    place.#cluster = `${place.address}/127.0.0.1:${rest}`;
    closing.push(async () => {
      await place.kill();
      rmSync(place.folder, { recursive: true });
    });
    return place;
  }

  start(env: NodeJS.ProcessEnv = {}): Run {
    return (this.#run = startProcess(['--cluster', this.#cluster, '--data-dir', this.data, '--durability', 'sync'], env));
  }

  async up(env: NodeJS.ProcessEnv = {}): Promise<Run> {
    const run = this.start(env);
    await untilReady(run);
    return run;
  }

  async kill(): Promise<void> {
    this.#run?.child.kill('SIGKILL');
    await this.#run?.ended;
  }

  async client(): Promise<Claret> {
    const claret = await connect({ addresses: [this.address], timeoutMs: 20_000 });
    closing.push(() => claret.close(0));
    return claret;
  }

  /** The store's newest log file. */
  get logFile(): string {
    const store = join(this.data, 'log', 'store');
    const files = readdirSync(store)
      .filter((name) => name.endsWith('.log'))
      .sort();
    return join(store, files.at(-1)!);
  }
}

const add = (claret: Claret, number: number) => claret.transact('Add', [claret.on.set('members').add(`member ${number}`)]);
const members = (claret: Claret) => claret.transact('Read', [claret.on.set('members').members(1_000, null)]).then(([found]) => found);

/** What `npm run restore` runs. */
function restore(...args: string[]): { code: number | null; output: string } {
  const { status: code, stdout, stderr } = spawnSync(process.execPath, [RESTORE, ...args], { encoding: 'utf8' });
  return { code, output: stdout + stderr };
}

/** A log of MEMBERS transactions, one write each, whose gateway was killed. */
async function written(): Promise<Place> {
  const place = await Place.find();
  await place.up();
  const claret = await place.client();
  for (let i = 0; i < MEMBERS; i++) await add(claret, i);
  await claret.close(0);
  await place.kill();
  return place;
}

test(
  'half a write behind the last one, as a crash leaves it: all that counted is there, and the cut is reported',
  { timeout: PATIENT_MS },
  async () => {
    const place = await written();
    const bytes = readFileSync(place.logFile);
    appendFileSync(place.logFile, bytes.subarray(0, 40)); // the first record again, without its end
    const run = await place.up();
    expect(run.output()).toMatch(/the write that a crash interrupted. It is cut off/);
    expect((await members(await place.client())).length).toBe(MEMBERS);
  },
);

test(
  'a log file that was cut in the middle of its last entry: refused, since that had counted; the way out keeps what is before it',
  { timeout: PATIENT_MS },
  async () => {
    const place = await written();
    truncateSync(place.logFile, statSync(place.logFile).size - 5);
    const refused = place.start();
    expect(await refused.ended, refused.output()).toBe(2);
    expect(refused.output()).toMatch(/the log had come to write \d+, with entry \d+/);
    expect(restore('--cut', place.data, '--apply')).toMatchObject({
      code: 0,
      output: expect.stringMatching(/lost entries \d+ to \d+ at least[^]*remove logs\.json/),
    });
    await place.up();
    expect((await members(await place.client())).length).toBeGreaterThanOrEqual(MEMBERS - 1);
  },
);

test(
  'a flipped byte in the middle: refused with file and offset, and the way out keeps what is before it',
  { timeout: PATIENT_MS },
  async () => {
    const place = await written();
    const bytes = readFileSync(place.logFile);
    const at = bytes.indexOf('member 30');
    expect(at).toBeGreaterThan(0);
    bytes[at]! ^= 0x40;
    writeFileSync(place.logFile, bytes);
    const refused = place.start();
    expect(await refused.ended, refused.output()).toBe(2);
    expect(refused.output()).toContain(place.logFile);
    expect(refused.output()).toMatch(/offset \d+/);
    const plan = restore('--cut', place.data);
    expect(plan).toMatchObject({ code: 0, output: expect.stringMatching(/Nothing has been changed/) });
    const [, file, offset, last] = /^(.+), offset (\d+): [^]*keep everything up to entry (\d+)/.exec(plan.output)!;
    expect(file).toBe(place.logFile);
    expect(Math.abs(Number(offset) - at)).toBeLessThan(1_024);
    expect(await place.start().ended).toBe(2); // as it was
    expect(restore('--cut', place.data, '--apply')).toMatchObject({
      code: 0,
      output: expect.stringContaining(`kept everything up to entry ${last}, lost `),
    });
    await place.up();
    const left = await members(await place.client());
    expect(left.toSorted()).toEqual(Array.from({ length: 30 }, (_, i) => `member ${i}`).toSorted());
    expect(restore('--cut', place.data)).toMatchObject({ code: 2, output: expect.stringMatching(/in use by another process/) });
    await place.kill();
    expect(restore('--cut', place.data, '--apply')).toEqual({ code: 0, output: 'the log is whole: there is nothing to cut\n' });
  },
);

test('a full disk: changes are refused, reads go on, and once there is room nothing is missing', { timeout: PATIENT_MS }, async () => {
  const place = await Place.find();
  const disk = new DiskFaults(await buildFaults(), place.data, join(place.folder, 'faults'));
  const run = await place.up(disk.env);
  const claret = await place.client();
  await add(claret, 0);
  await claret.transact('Beside', [claret.on.counter('beside').add(7)]);
  disk.set({ write: 'torn', error: 'ENOSPC' });
  // Whoever finds the disk full waits for room; whoever comes then is refused.
  const waiting = add(claret, 1).then(
    () => 'done',
    (error: { code: string }) => error.code,
  );
  await expect.poll(run.output, { timeout: 30_000 }).toContain('the disk is full');
  const other = await place.client();
  await expect(add(other, 2)).rejects.toMatchObject({ code: 'disk_full', commitState: 'none' });
  expect(await other.transact('Look', [other.on.counter('beside').value()])).toEqual([7]);
  disk.set();
  expect(await waiting).toBe('done');
  await expect
    .poll(
      () =>
        add(other, 3).then(
          () => 'done',
          () => 'refused',
        ),
      { timeout: 30_000 },
    )
    .toBe('done');
  run.child.kill('SIGKILL');
  await run.ended;
  await place.up();
  expect(await members(await place.client())).toEqual(expect.arrayContaining(['member 0', 'member 1', 'member 3']));
});

test(
  'a sync that fails ends the gateway at once; what it had acknowledged is there, what it had not was not promised',
  { timeout: PATIENT_MS },
  async () => {
    const place = await Place.find();
    const disk = new DiskFaults(await buildFaults(), place.data, join(place.folder, 'faults'));
    const run = await place.up(disk.env);
    const claret = await place.client();
    await add(claret, 0);
    disk.set({ write: 'hold' }, { sync: 'fail', error: 'EIO' });
    let answered = false;
    const unsure = add(claret, 1).then(
      () => void (answered = true),
      () => {},
    );
    expect(await run.ended).toBe(1);
    expect(run.output()).toContain('"level":60');
    expect(answered).toBe(false);
    disk.set();
    await place.up();
    expect(await members(await place.client())).toContain('member 0');
    await unsure;
  },
);
