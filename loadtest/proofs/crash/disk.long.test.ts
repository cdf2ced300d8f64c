// A gateway's process and its disk: a log that was truncated or damaged while it was down, a full disk, a disk that fails to sync.
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

const MEMBERS = 60;
const RESTORE = fileURLToPath(new URL('../../../gateway/src/backup/restore-main.ts', import.meta.url));

const closing: (() => Promise<unknown> | void)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** One shard, as a folder and an address; its gateway starts and stops. */
class ShardOnDisk {
  readonly folder = mkdtempSync(join(tmpdir(), 'claret-disk-'));
  readonly data = join(this.folder, 'data');
  address = '';
  #cluster = '';
  #run: Run | null = null;

  static async find(): Promise<ShardOnDisk> {
    const shard = new ShardOnDisk();
    const [grpc, rest] = await freePorts(2);
    shard.address = `127.0.0.1:${grpc}`;
    shard.#cluster = `${shard.address}/127.0.0.1:${rest}`;
    closing.push(async () => {
      await shard.kill();
      rmSync(shard.folder, { recursive: true });
    });
    return shard;
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
    const claret = await connect({ addresses: [this.address], timeoutMs: 120_000 });
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

/** Runs the program of `npm run restore`. */
function restore(...args: string[]): { code: number | null; output: string } {
  const { status: code, stdout, stderr } = spawnSync(process.execPath, [RESTORE, ...args], { encoding: 'utf8' });
  return { code, output: stdout + stderr };
}

/** A log of MEMBERS transactions, one write each, whose gateway was killed. */
async function written(): Promise<ShardOnDisk> {
  const shard = await ShardOnDisk.find();
  await shard.up();
  const claret = await shard.client();
  for (let i = 0; i < MEMBERS; i++) await add(claret, i);
  await claret.close(0);
  await shard.kill();
  return shard;
}

test('a partial write after the last one, as a crash leaves it: everything acknowledged is there, and the cut is reported', async () => {
  const shard = await written();
  const bytes = readFileSync(shard.logFile);
  appendFileSync(shard.logFile, bytes.subarray(0, 40)); // the first record once more, truncated
  const run = await shard.up();
  expect(run.output()).toMatch(/the write that a crash interrupted. It is cut off/);
  expect((await members(await shard.client())).length).toBe(MEMBERS);
});

test('a log file cut in the middle of its last, acknowledged entry: refused; the repair keeps everything before it', async () => {
  const shard = await written();
  truncateSync(shard.logFile, statSync(shard.logFile).size - 5);
  const refused = shard.start();
  expect(await refused.ended, refused.output()).toBe(2);
  expect(refused.output()).toMatch(/the log had come to write \d+, with entry \d+/);
  expect(restore('--cut', shard.data, '--apply')).toMatchObject({
    code: 0,
    output: expect.stringMatching(/lost entries \d+ to \d+ at least[^]*remove logs\.json/),
  });
  await shard.up();
  expect((await members(await shard.client())).length).toBeGreaterThanOrEqual(MEMBERS - 1);
});

test('a flipped byte in the middle: refused with file and offset; the repair keeps everything before it', async () => {
  const shard = await written();
  const bytes = readFileSync(shard.logFile);
  const at = bytes.indexOf('member 30');
  expect(at).toBeGreaterThan(0);
  bytes[at]! ^= 0x40;
  writeFileSync(shard.logFile, bytes);
  const refused = shard.start();
  expect(await refused.ended, refused.output()).toBe(2);
  expect(refused.output()).toContain(shard.logFile);
  expect(refused.output()).toMatch(/offset \d+/);
  const plan = restore('--cut', shard.data);
  expect(plan).toMatchObject({ code: 0, output: expect.stringMatching(/Nothing has been changed/) });
  const [, file, offset, last] = /^(.+), offset (\d+): [^]*keep everything up to entry (\d+)/.exec(plan.output)!;
  expect(file).toBe(shard.logFile);
  expect(Math.abs(Number(offset) - at)).toBeLessThan(1_024);
  expect(await shard.start().ended).toBe(2); // unchanged
  expect(restore('--cut', shard.data, '--apply')).toMatchObject({
    code: 0,
    output: expect.stringContaining(`kept everything up to entry ${last}, lost `),
  });
  await shard.up();
  const left = await members(await shard.client());
  expect(left.toSorted()).toEqual(Array.from({ length: 30 }, (_, i) => `member ${i}`).toSorted());
  expect(restore('--cut', shard.data)).toMatchObject({ code: 2, output: expect.stringMatching(/in use by another process/) });
  await shard.kill();
  expect(restore('--cut', shard.data, '--apply')).toEqual({ code: 0, output: 'the log is whole: there is nothing to cut\n' });
});

test('a full disk: changes are refused, reads continue, and once there is space nothing is missing', async () => {
  const shard = await ShardOnDisk.find();
  const disk = new DiskFaults(await buildFaults(), shard.data, join(shard.folder, 'faults'));
  const run = await shard.up(disk.env);
  const claret = await shard.client();
  await add(claret, 0);
  await claret.transact('Beside', [claret.on.counter('beside').add(7)]);
  const other = await shard.client();
  const timesTold = () => run.output().split('the disk is full').length - 1;
  /** The change that finds the disk full waits for space; later ones are refused. The gateway may find it full before, with an entry of its own. */
  const findsFull = async () => {
    const before = timesTold();
    disk.set({ write: 'torn', error: 'ENOSPC' });
    let isRefused = false;
    const waits = add(claret, 1);
    waits.catch(() => (isRefused = true));
    await expect.poll(timesTold).toBeGreaterThan(before);
    await expect(add(other, 2)).rejects.toMatchObject({ code: 'disk_full', commitState: 'none' });
    return { waits, isRefused };
  };
  const thereIsSpace = async () => {
    disk.set();
    const adds = () =>
      add(other, 3).then(
        () => 'done',
        () => 'refused',
      );
    await expect.poll(adds).toBe('done');
  };
  let found = await findsFull();
  while (found.isRefused) {
    await thereIsSpace();
    found = await findsFull();
  }
  expect(await other.transact('Look', [other.on.counter('beside').value()])).toEqual([7]);
  disk.set();
  await found.waits;
  await thereIsSpace();
  run.child.kill('SIGKILL');
  await run.ended;
  await shard.up();
  expect(await members(await shard.client())).toEqual(expect.arrayContaining(['member 0', 'member 1', 'member 3']));
});

test('a gateway that stops says what may be lost: changes for which there was no room, which nobody was told of', async () => {
  const shard = await ShardOnDisk.find();
  const disk = new DiskFaults(await buildFaults(), shard.data, join(shard.folder, 'faults'));
  const run = await shard.up(disk.env);
  const claret = await shard.client();
  await add(claret, 0);
  disk.set({ write: 'fail', error: 'ENOSPC' });
  const lost = add(claret, 1).catch(() => {});
  await expect.poll(run.output).toContain('the disk is full');
  run.child.kill('SIGTERM');
  expect(await run.ended).toBe(0);
  expect(run.output()).toMatch(
    /the last \d+ entries of the log could not be stored: their changes, none of which was acknowledged, may be lost/,
  );
  await claret.close(0);
  await lost;
  disk.set();
  await shard.up();
  expect(await members(await shard.client())).toEqual(['member 0']);
});

test('a gateway whose disk takes longer than a stop may says that nothing is lost', async () => {
  const shard = await ShardOnDisk.find();
  const disk = new DiskFaults(await buildFaults(), shard.data, join(shard.folder, 'faults'));
  const run = await shard.up(disk.env);
  const claret = await shard.client();
  await add(claret, 0);
  await claret.close(0);
  disk.set({ sync: 'wait', ms: 40_000 });
  run.child.kill('SIGTERM');
  expect(await run.ended).toBe(0);
  expect(run.output()).toContain('the log could not be closed in time: nothing is lost');
  expect(run.output()).not.toContain('may be lost');
  disk.set();
  await shard.up();
  expect(await members(await shard.client())).toEqual(['member 0']);
});

test('a failed sync ends the gateway at once; everything acknowledged is there', async () => {
  const shard = await ShardOnDisk.find();
  const disk = new DiskFaults(await buildFaults(), shard.data, join(shard.folder, 'faults'));
  const run = await shard.up(disk.env);
  const claret = await shard.client();
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
  await shard.up();
  expect(await members(await shard.client())).toContain('member 0');
  await unsure;
});
