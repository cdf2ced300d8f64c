// How a backup brings shards to one cut, and what it does where one of them does not come along. The shards are in memory; between
// some of them and the backup is real gRPC.
import { createReadStream, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Server, ServerCredentials } from '@grpc/grpc-js';
import type { ServiceDefinition } from '@grpc/grpc-js';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { GatewayError } from '../errors.ts';
import { serveBackup } from '../grpc/backup.ts';
import { Peers } from '../grpc/peers.ts';
import { claretService } from '../grpc/proto.ts';
import { openLog } from '../log/open-log.ts';
import { readAll } from '../log/sample.ts';
import { nextIncarnation } from '../store/incarnation.ts';
import { ClusterBackup, STALLED_MS_MAX } from './cluster-backup.ts';
import { OnePart } from './one-part.ts';
import { BackupDamaged } from './read-backup.ts';
import { RestoreRefused, restoreBackup } from './restore.ts';
import { MemoryShard, collect, temporaryFolder } from './testing.ts';

const folder = temporaryFolder();
afterAll(folder.remove);
const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0).reverse()) stop();
});

const WAYS = ['in this process', 'over gRPC'] as const;

interface Setting {
  shards: MemoryShard[];
  told: string[];
  own: OnePart[];
  backup: ClusterBackup;
}

/** Two shards; the second is reached as said. */
async function setting(way: (typeof WAYS)[number]): Promise<Setting> {
  const told: string[] = [];
  const shards = [0, 1].map((shard) => new MemoryShard(shard, 2, told));
  const own = shards.map((shard) => new OnePart(shard));
  const openSecond = way === 'over gRPC' ? await overGrpc(own[1]!) : () => own[1]!.open();
  const backup = new ClusterBackup({ openParts: () => [own[0]!.open(), openSecond()], wallMs: () => 1_700_000_000_000 });
  return { shards, told, own, backup };
}

async function overGrpc(own: OnePart) {
  const server = new Server();
  const { Backup } = claretService;
  server.addService({ Backup } as unknown as ServiceDefinition, { Backup: serveBackup(own) } as never);
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) => (error ? reject(error) : resolve(bound))),
  );
  const peers = new Peers('');
  stops.push(
    () => server.forceShutdown(),
    () => peers.close(),
  );
  return () => peers.openPart({ shard: 1, grpc: `127.0.0.1:${port}`, rest: '', firstSlot: 0, lastSlot: 0 });
}

/** No shard holds anything back any more. */
async function quiet({ shards }: Setting): Promise<void> {
  await expect
    .poll(() => shards.map(({ held, isPrepared, snapshots }) => [held, isPrepared, snapshots]))
    .toEqual([
      [0, false, 0],
      [0, false, 0],
    ]);
}

const make = async ({ backup }: Setting): Promise<Buffer> => collect((await backup.begin()).file);

describe.each(WAYS)('a backup, with the other shard %s', (way) => {
  test('holds of every shard what it keeps, and restored it is there again', async () => {
    const given = await setting(way);
    const file = folder.in(`whole-${way}`);
    writeFileSync(file, await make(given));
    await quiet(given);
    const dataDir = folder.in(`data-${way}`);
    const restored = await restoreBackup({ file, dataDir });
    expect(restored.begin).toMatchObject({ cluster_name: 'memory', shards: 2 });
    expect(restored.shards).toEqual([
      { shard: 0, records: 2, entries: 3 },
      { shard: 1, records: 2, entries: 3 },
    ]);
    for (const shard of [0, 1]) {
      const dir = join(dataDir, `shard-${shard}`);
      expect(nextIncarnation(dir, 0), 'a later start than the one that the backup tells of').toBe(8);
      const { log, kept } = await openLog({
        dir: join(dir, 'log'),
        clusterName: 'memory',
        shard,
        shards: 2,
        incarnation: 8,
        durability: 'sync',
        onTrouble: () => {},
      });
      const found = await readAll(kept);
      expect(found.pairs).toEqual({ [`a${shard}`]: '1', [`b${shard}`]: '2' });
      expect(found.count).toBe(3);
      await new Promise<void>((resolve) =>
        log.append((given.shards[0]!.pieces[2] as { entries: Uint8Array }).entries, 13, () => resolve()),
      );
      await log.close();
    }
  });

  test('prepares every shard before it cuts any, and sends nothing before it is durable', async () => {
    const given = await setting(way);
    await make(given);
    const steps = given.told.map((line) => line.slice(3));
    expect(steps.lastIndexOf('hold')).toBeLessThan(steps.indexOf('prepare'));
    expect(steps.lastIndexOf('prepare')).toBeLessThan(steps.indexOf('set'));
    expect(steps.lastIndexOf('set')).toBeLessThan(steps.indexOf('cut'));
    for (const shard of [0, 1]) {
      const own = given.told.filter((line) => line.startsWith(`${shard}: `)).map((line) => line.slice(3));
      expect(own).toEqual(['hold', 'prepare', 'set', 'cut', 'durable 12', 'snapshot 12']);
    }
  });

  test('where a clock has gone beyond the cut, prepares all again and cuts later', async () => {
    const given = await setting(way);
    const [, late] = given.shards as [MemoryShard, MemoryShard];
    let jumps = 2;
    late.meanwhile = (what) => {
      if (what === 'set' && jumps-- > 0) late.clock += 10_000_000n;
    };
    await make(given);
    expect(given.told.filter((line) => line.endsWith('prepare'))).toHaveLength(6);
    expect(given.told.filter((line) => line.endsWith('set'))).toHaveLength(6);
    expect(given.shards[0]!.clock).toBe(late.clock);
    await quiet(given);
  });

  test('gives up where a clock is always beyond it, and leaves no shard prepared', async () => {
    const given = await setting(way);
    const [, late] = given.shards as [MemoryShard, MemoryShard];
    late.meanwhile = (what) => {
      if (what === 'set') late.clock += 1_000_000_000n;
    };
    await expect(given.backup.begin()).rejects.toMatchObject({
      code: 'shard_unavailable',
      message: expect.stringContaining('did not come to one cut'),
    });
    await quiet(given);
    late.meanwhile = () => {};
    await make(given);
  });

  test('that breaks off in the middle has no trailer, and the shards go on', async () => {
    const given = await setting(way);
    let pieces = 0;
    given.shards[1]!.meanwhile = (what) => {
      if (what === 'piece' && ++pieces === 2) throw new Error('the disk is gone');
    };
    const chunks: Uint8Array[] = [];
    const reading = (async () => {
      for await (const chunk of (await given.backup.begin()).file) chunks.push(chunk);
    })();
    await expect(reading).rejects.toThrow(/the disk is gone/);
    await quiet(given);
    const file = folder.in(`broken-${way}`);
    writeFileSync(file, Buffer.concat(chunks));
    await expect(restoreBackup({ file, dataDir: folder.in('never') })).rejects.toThrow(/the file ends here, before its trailer/);
    given.shards[1]!.meanwhile = () => {};
    await make(given);
  });

  test('that nobody wants any more lets the shards go', async () => {
    const given = await setting(way);
    const { file, close } = await given.backup.begin();
    await file.next();
    await file.next();
    close();
    await quiet(given);
    expect((await make(given)).length).toBeGreaterThan(0);
  });

  test('that nobody wants any more while a shard takes its checkpoint is over at once, and makes room for the next', async () => {
    const given = await setting(way);
    for (const waiting of [0, 1]) {
      const checkpoint = Promise.withResolvers<void>();
      given.shards[waiting]!.meanwhile = (what) => (what === 'hold' ? checkpoint.promise : undefined);
      const gone = new AbortController();
      const begun = given.backup.begin(gone.signal);
      await expect.poll(() => given.told.splice(0)).toContain(`${waiting}: hold`);
      gone.abort();
      await expect(begun).rejects.toMatchObject({ code: 'shard_unavailable' });
      given.shards[waiting]!.meanwhile = () => {};
      await expect.poll(() => make(given).catch(() => null)).not.toBeNull(); // the other gateway hears of it a moment later
      checkpoint.resolve(); // what nobody waits for holds nothing
      await quiet(given);
    }
  });

  test('whose reader takes nothing for minutes is given up', async () => {
    const given = await setting(way);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const { file } = await given.backup.begin();
      for (let pieces = 0; pieces < 2; pieces++) {
        await file.next();
        await vi.advanceTimersByTimeAsync(STALLED_MS_MAX - 1);
      }
      expect(given.shards[0]!.snapshots).toBe(1);
      await vi.advanceTimersByTimeAsync(1);
      vi.useRealTimers();
      await quiet(given);
      await expect(collect(file)).rejects.toThrow();
      expect((await make(given)).length).toBeGreaterThan(0);
    } finally {
      vi.useRealTimers();
    }
  });

  test.each([0, 1])('is refused where the disk of shard %d is full, and says so', async (full) => {
    const given = await setting(way);
    given.shards[full]!.meanwhile = (what) => {
      if (what === 'hold') throw new GatewayError('disk_full', 'The disk is full.');
    };
    await expect(given.backup.begin()).rejects.toMatchObject({ code: 'disk_full', message: expect.stringContaining('The disk is full.') });
    await quiet(given);
  });

  test('is refused while a shard takes part in that of another gateway', async () => {
    const given = await setting(way);
    const part = given.own[1]!.open();
    await expect(given.backup.begin()).rejects.toMatchObject({
      code: 'backup_running',
      message: expect.stringContaining('Shard 1 takes part in a backup already'),
    });
    part.close();
    await quiet(given);
  });

  test('is one at a time', async () => {
    const given = await setting(way);
    const { file } = await given.backup.begin();
    await expect(given.backup.begin()).rejects.toMatchObject({ code: 'backup_running' });
    const other = new ClusterBackup({ openParts: () => [given.own[0]!.open()], wallMs: () => 0 });
    await expect(other.begin()).rejects.toMatchObject({ code: 'backup_running' });
    await collect(file);
    expect((await make(given)).length).toBeGreaterThan(0);
  });

  test.each([
    ['clusterName', 'another'],
    ['shards', 3],
    ['shard', 0],
  ])('is refused where a shard is not the one that it should be (%s)', async (name, value) => {
    const given = await setting(way);
    Object.assign(given.shards[1]!, { [name]: value });
    await expect(given.backup.begin()).rejects.toMatchObject({
      code: 'shard_unavailable',
      message: expect.stringContaining('where shard 1 of 2'),
    });
    await quiet(given);
  });
});

test('a shard that cannot be reached is told', async () => {
  const own = new OnePart(new MemoryShard(0, 2));
  const peers = new Peers('');
  stops.push(() => peers.close());
  const nobody = { shard: 1, grpc: '127.0.0.1:1', rest: '', firstSlot: 0, lastSlot: 0 };
  const backup = new ClusterBackup({ openParts: () => [own.open(), peers.openPart(nobody)], wallMs: () => 0 });
  await expect(backup.begin()).rejects.toMatchObject({
    code: 'shard_unavailable',
    message: expect.stringContaining('Shard 1 at 127.0.0.1:1'),
  });
});

test('a cluster that keeps nothing has nothing to back up', async () => {
  const own = new OnePart(null);
  const backup = new ClusterBackup({ openParts: () => [own.open()], wallMs: () => 0 });
  await expect(backup.begin()).rejects.toMatchObject({ code: 'no_log' });
});

test('a part whose next step does not come is given up, and the shard forgets and checkpoints as before', async () => {
  vi.useFakeTimers();
  try {
    const shard = new MemoryShard(0, 1);
    const own = new OnePart(shard);
    const part = own.open();
    await part.ready();
    await part.prepare();
    await vi.advanceTimersByTimeAsync(9_000);
    expect([shard.isPrepared, shard.held]).toEqual([true, 1]);
    await vi.advanceTimersByTimeAsync(2_000);
    expect([shard.isPrepared, shard.held]).toEqual([false, 0]);
    await expect(part.setCut(1n << 60n)).rejects.toThrow(/closed/);
    own.open().close();
  } finally {
    vi.useRealTimers();
  }
});

test('a shard that closes takes part in no other: it would hold off the last checkpoint', () => {
  const own = new OnePart(new MemoryShard(0, 1));
  own.close();
  expect(() => own.open()).toThrow(expect.objectContaining({ code: 'closing' }));
});

describe('a restore', () => {
  const written = async (name: string): Promise<string> => {
    const file = folder.in(name);
    writeFileSync(file, await make(await setting('in this process')));
    return file;
  };

  test('overwrites nothing', async () => {
    const [file, dataDir] = [await written('twice'), folder.in('twice-data')];
    await restoreBackup({ file, dataDir });
    await expect(restoreBackup({ file, dataDir })).rejects.toThrow(/shard-0 is not empty: name another --data-dir/);
  });

  test('of another number of shards is refused', async () => {
    await expect(restoreBackup({ file: await written('shards'), dataDir: folder.in('shards-data'), shards: 3 })).rejects.toThrow(
      new RestoreRefused(
        'the backup is of 2 shards, and cannot be restored to 3: slots do not move in this version. Restore it to 2, and start as many gateways.',
      ),
    );
  });

  test('of a damaged file writes nothing at all', async () => {
    const file = await written('damaged');
    const whole = await collect(createReadStream(file));
    for (const at of [20, whole.length >> 1, whole.length - 3]) {
      const damaged = Buffer.from(whole);
      damaged[at]! ^= 4;
      writeFileSync(file, damaged);
      const dataDir = folder.in(`damaged-data-${at}`);
      await expect(restoreBackup({ file, dataDir })).rejects.toThrow(BackupDamaged);
      expect(existsSync(dataDir)).toBe(false);
    }
  });

  test('that cannot put all shards in place puts none there', async () => {
    const [file, dataDir] = [await written('half'), folder.in('half-data')];
    mkdirSync(dataDir);
    symlinkSync(folder.in('nowhere'), join(dataDir, 'shard-1')); // as if there were nothing, until something is to be put there
    await expect(restoreBackup({ file, dataDir })).rejects.toThrow(/shard-1/);
    expect(readdirSync(dataDir)).toEqual(['shard-1']);
  });

  test('may give the cluster another name', async () => {
    const [file, dataDir] = [await written('named'), folder.in('named-data')];
    await restoreBackup({ file, dataDir, clusterName: 'staging' });
    const options = {
      dir: join(dataDir, 'shard-0', 'log'),
      shard: 0,
      shards: 2,
      incarnation: 9,
      durability: 'sync' as const,
      onTrouble: () => {},
    };
    await expect(openLog({ ...options, clusterName: 'memory' })).rejects.toThrow(/staging/);
    const { log, kept } = await openLog({ ...options, clusterName: 'staging' });
    await readAll(kept);
    await log.close();
  });
});
