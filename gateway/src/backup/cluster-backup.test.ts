// How a backup brings the shards to one cut, and how it fails if one of them does not cooperate. The shards are in memory; some of them are
// reached over real gRPC.
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
import { OwnShardBackup } from './own-shard-backup.ts';
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

interface Fixture {
  shards: MemoryShard[];
  calls: string[];
  own: OwnShardBackup[];
  backup: ClusterBackup;
}

/** Two shards; `way`: how the second is reached */
async function makeFixture(way: (typeof WAYS)[number]): Promise<Fixture> {
  const calls: string[] = [];
  const shards = [0, 1].map((shard) => new MemoryShard(shard, 2, calls));
  const own = shards.map((shard) => new OwnShardBackup(shard));
  const openSecond = way === 'over gRPC' ? await overGrpc(own[1]!) : () => own[1]!.open();
  const backup = new ClusterBackup({ openShardBackups: () => [own[0]!.open(), openSecond()], wallMs: () => 1_700_000_000_000 });
  return { shards, calls, own, backup };
}

async function overGrpc(own: OwnShardBackup) {
  const server = new Server();
  const { Backup } = claretService;
  server.addService({ Backup } as unknown as ServiceDefinition, { Backup: serveBackup(own) } as never);
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) => (error ? reject(error) : resolve(bound))),
  );
  const peers = new Peers({ token: '', adminToken: '' });
  stops.push(
    () => server.forceShutdown(),
    () => peers.close(),
  );
  return () => peers.openShardBackup({ shard: 1, grpc: `127.0.0.1:${port}`, rest: '', slots: [] });
}

/** Waits until no shard is prepared, holds checkpoints off or has an open snapshot. */
async function quiet({ shards }: Fixture): Promise<void> {
  await expect
    .poll(() => shards.map(({ held, isPrepared, snapshots }) => [held, isPrepared, snapshots]))
    .toEqual([
      [0, false, 0],
      [0, false, 0],
    ]);
}

const make = async ({ backup }: Fixture): Promise<Buffer> => collect((await backup.begin()).file);

describe.each(WAYS)('a backup with the second shard %s:', (way) => {
  test('the data of every shard is backed up and restored', async () => {
    const given = await makeFixture(way);
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
      expect(nextIncarnation(dir, 0), 'a greater incarnation than the one in the backup').toBe(8);
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

  test('every shard is prepared before any is cut, and sends only durable entries', async () => {
    const given = await makeFixture(way);
    await make(given);
    const steps = given.calls.map((line) => line.slice(3));
    expect(steps.lastIndexOf('hold')).toBeLessThan(steps.indexOf('prepare'));
    expect(steps.lastIndexOf('prepare')).toBeLessThan(steps.indexOf('set'));
    expect(steps.lastIndexOf('set')).toBeLessThan(steps.indexOf('cut'));
    for (const shard of [0, 1]) {
      const own = given.calls.filter((line) => line.startsWith(`${shard}: `)).map((line) => line.slice(3));
      expect(own).toEqual(['hold', 'prepare', 'set', 'cut', 'durable 12', 'snapshot 12']);
    }
  });

  test('a shard is prepared once no run of slots is between it and another', async () => {
    const given = await makeFixture(way);
    given.shards[1]!.moving = 3;
    await make(given);
    expect(given.calls.filter((line) => line === '0: prepare')).toHaveLength(1);
    expect(given.calls.filter((line) => line === '1: prepare')).toHaveLength(4);
    expect(given.calls.lastIndexOf('1: prepare')).toBeLessThan(given.calls.indexOf('0: set'));
    await quiet(given);
  });

  test('slots that reach a shard after it was prepared are in the backup: all shards are prepared again', async () => {
    const given = await makeFixture(way);
    const taker = given.shards[0]!;
    const own = taker.ownSlots;
    taker.ownSlots = [];
    taker.meanwhile = (what) => {
      if (what === 'prepare' && given.calls.filter((line) => line === '0: prepare').length === 2) taker.ownSlots = own;
    };
    await make(given);
    expect(given.calls.filter((line) => line === '1: prepare')).toHaveLength(2);
    await quiet(given);
  });

  test('a backup is refused if slots are with a shard that the gateway does not know yet', async () => {
    const given = await makeFixture(way);
    given.shards[1]!.ownSlots = [{ first: 8_192, last: 10_000, version: 1 }];
    await expect(given.backup.begin()).rejects.toMatchObject({
      code: 'shard_unavailable',
      message: expect.stringContaining('the 2 shards that this gateway knows own 10001 of 16384 slots'),
    });
    await quiet(given);
  });

  test('a shard backup that is given up while it waits for a move is closed', async () => {
    const given = await makeFixture(way);
    given.shards[1]!.moving = Infinity;
    const gone = new AbortController();
    const begun = given.backup.begin(gone.signal);
    await vi.waitFor(() => expect(given.calls.filter((line) => line === '1: prepare').length).toBeGreaterThan(1));
    gone.abort();
    await expect(begun).rejects.toMatchObject({ code: 'shard_unavailable' });
    given.shards[1]!.moving = 0;
    await quiet(given);
  });

  test('if a clock has passed the cut, all shards are prepared again and cut later', async () => {
    const given = await makeFixture(way);
    const [, late] = given.shards as [MemoryShard, MemoryShard];
    let jumps = 2;
    late.meanwhile = (what) => {
      if (what === 'set' && jumps-- > 0) late.clock += 10_000_000n;
    };
    await make(given);
    expect(given.calls.filter((line) => line.endsWith('prepare'))).toHaveLength(6);
    expect(given.calls.filter((line) => line.endsWith('set'))).toHaveLength(6);
    expect(given.shards[0]!.clock).toBe(late.clock);
    await quiet(given);
  });

  test('if a clock passes every cut, the backup fails and no shard stays prepared', async () => {
    const given = await makeFixture(way);
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

  test('a backup that breaks off has no trailer, and the shards continue', async () => {
    const given = await makeFixture(way);
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

  test('a closed backup releases the shards', async () => {
    const given = await makeFixture(way);
    const { file, close } = await given.backup.begin();
    await file.next();
    await file.next();
    close();
    await quiet(given);
    expect((await make(given)).length).toBeGreaterThan(0);
  });

  test('a backup that is aborted during a checkpoint ends at once and does not block the next one', async () => {
    const given = await makeFixture(way);
    for (const waiting of [0, 1]) {
      const checkpoint = Promise.withResolvers<void>();
      given.shards[waiting]!.meanwhile = (what) => (what === 'hold' ? checkpoint.promise : undefined);
      const gone = new AbortController();
      const begun = given.backup.begin(gone.signal);
      await expect.poll(() => given.calls.splice(0)).toContain(`${waiting}: hold`);
      gone.abort();
      await expect(begun).rejects.toMatchObject({ code: 'shard_unavailable' });
      given.shards[waiting]!.meanwhile = () => {};
      await expect.poll(() => make(given).catch(() => null)).not.toBeNull(); // the other gateway learns of it a moment later
      checkpoint.resolve(); // its late result must hold nothing
      await quiet(given);
    }
  });

  test('a backup whose reader stalls for minutes is given up', async () => {
    const given = await makeFixture(way);
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

  test.each([0, 1])('a backup is refused with disk_full if the disk of shard %d is full', async (full) => {
    const given = await makeFixture(way);
    given.shards[full]!.meanwhile = (what) => {
      if (what === 'hold') throw new GatewayError('disk_full', 'The disk is full.');
    };
    await expect(given.backup.begin()).rejects.toMatchObject({ code: 'disk_full', message: expect.stringContaining('The disk is full.') });
    await quiet(given);
  });

  test('a backup is refused while a shard takes part in a backup of another gateway', async () => {
    const given = await makeFixture(way);
    const opened = given.own[1]!.open();
    await expect(given.backup.begin()).rejects.toMatchObject({
      code: 'backup_running',
      message: expect.stringContaining('Shard 1 takes part in a backup already'),
    });
    opened.close();
    await quiet(given);
  });

  test('only one backup runs at a time', async () => {
    const given = await makeFixture(way);
    const { file } = await given.backup.begin();
    await expect(given.backup.begin()).rejects.toMatchObject({ code: 'backup_running' });
    const other = new ClusterBackup({ openShardBackups: () => [given.own[0]!.open()], wallMs: () => 0 });
    await expect(other.begin()).rejects.toMatchObject({ code: 'backup_running' });
    await collect(file);
    expect((await make(given)).length).toBeGreaterThan(0);
  });

  test.each([
    ['clusterName', 'another'],
    ['dealtShards', 3],
    ['shard', 0],
  ])('a backup is refused if a shard has another identity than expected (%s)', async (name, value) => {
    const given = await makeFixture(way);
    Object.assign(given.shards[1]!, { [name]: value });
    await expect(given.backup.begin()).rejects.toMatchObject({
      code: 'shard_unavailable',
      message: expect.stringContaining('where shard 1 of '),
    });
    await quiet(given);
  });
});

test('the error names a shard that cannot be reached', async () => {
  const own = new OwnShardBackup(new MemoryShard(0, 2));
  const peers = new Peers({ token: '', adminToken: '' });
  stops.push(() => peers.close());
  const nobody = { shard: 1, grpc: '127.0.0.1:1', rest: '', slots: [] };
  const backup = new ClusterBackup({ openShardBackups: () => [own.open(), peers.openShardBackup(nobody)], wallMs: () => 0 });
  await expect(backup.begin()).rejects.toMatchObject({
    code: 'shard_unavailable',
    message: expect.stringContaining('Shard 1 at 127.0.0.1:1'),
  });
});

test('a cluster with durability none cannot be backed up', async () => {
  const own = new OwnShardBackup(null);
  const backup = new ClusterBackup({ openShardBackups: () => [own.open()], wallMs: () => 0 });
  await expect(backup.begin()).rejects.toMatchObject({ code: 'no_log' });
});

test('a shard backup is given up if its next step does not come, and the shard works as before', async () => {
  vi.useFakeTimers();
  try {
    const shard = new MemoryShard(0, 1);
    const own = new OwnShardBackup(shard);
    const opened = own.open();
    await opened.ready();
    await opened.prepare();
    await vi.advanceTimersByTimeAsync(9_000);
    expect([shard.isPrepared, shard.held]).toEqual([true, 1]);
    await vi.advanceTimersByTimeAsync(2_000);
    expect([shard.isPrepared, shard.held]).toEqual([false, 0]);
    await expect(opened.setCut(1n << 60n)).rejects.toThrow(/closed/);
    own.open().close();
  } finally {
    vi.useRealTimers();
  }
});

test('a closed shard takes part in no backup, which would hold off the last checkpoint', () => {
  const own = new OwnShardBackup(new MemoryShard(0, 1));
  own.close();
  expect(() => own.open()).toThrow(expect.objectContaining({ code: 'closing' }));
});

describe('a restore:', () => {
  const written = async (name: string): Promise<string> => {
    const file = folder.in(name);
    writeFileSync(file, await make(await makeFixture('in this process')));
    return file;
  };

  test('it overwrites nothing', async () => {
    const [file, dataDir] = [await written('twice'), folder.in('twice-data')];
    await restoreBackup({ file, dataDir });
    await expect(restoreBackup({ file, dataDir })).rejects.toThrow(/shard-0 is not empty: name another --data-dir/);
  });

  test('another number of shards is refused', async () => {
    await expect(restoreBackup({ file: await written('shards'), dataDir: folder.in('shards-data'), shards: 3 })).rejects.toThrow(
      new RestoreRefused(
        'the backup is of 2 shards, and cannot be restored to 3. Restore it to 2, start as many gateways, and let others join them.',
      ),
    );
  });

  test('a damaged file is refused before anything is written', async () => {
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

  test('if one shard cannot be put in place, none is', async () => {
    const [file, dataDir] = [await written('half'), folder.in('half-data')];
    mkdirSync(dataDir);
    symlinkSync(folder.in('nowhere'), join(dataDir, 'shard-1')); // looks unused, but cannot be replaced by a folder
    await expect(restoreBackup({ file, dataDir })).rejects.toThrow(/shard-1/);
    expect(readdirSync(dataDir)).toEqual(['shard-1']);
  });

  test('it can give the cluster another name', async () => {
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
