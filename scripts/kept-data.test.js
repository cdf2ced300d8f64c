import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { forget, keptShards, refuseMoreShards, refuseOtherKind } from './kept-data.js';
import { Problem } from './run/problem.js';

/** A folder with these files, removed after `use`. */
async function withFolder(files, use) {
  const folder = mkdtempSync(join(tmpdir(), 'claret-kept-data-'));
  for (const [name, file] of files) {
    mkdirSync(join(folder, name), { recursive: true });
    writeFileSync(join(folder, name, file), '1');
  }
  try {
    await use(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const LOCAL = [['shard-0', 'incarnation']];
const REPLICATED = [
  ['nats-0', 'server.conf'],
  ['nats-1', 'server.conf'],
  ['gateway-0', 'replicated-logs.json'],
  ['gateway-2/checkpoint-copy-1', 'part'],
];

test('forgetting deletes the data of both kinds of clusters, and nothing that only looks like it', () =>
  withFolder(
    [...LOCAL, ...REPLICATED, ['shard-1', 'notes'], ['nats-2', 'notes'], ['gateway-1', 'notes'], ['natse', 'server.conf']],
    async (folder) => {
      await forget(folder);
      assert.deepEqual(readdirSync(folder).sort(), ['gateway-1', 'nats-2', 'natse', 'shard-1']);
      await forget(folder);
      await forget(join(folder, 'never-made'));
    },
  ));

test('a folder with the data of one kind of cluster is refused to the other kind', async () => {
  await withFolder(LOCAL, (folder) => {
    refuseOtherKind(folder, false);
    assert.throws(
      () => refuseOtherKind(folder, true),
      (error) =>
        error instanceof Problem && /has the data of a cluster with local logs: start without --replicated, or /.test(error.message),
    );
  });
  await withFolder(REPLICATED, (folder) => {
    refuseOtherKind(folder, true);
    assert.throws(() => refuseOtherKind(folder, false), /has the data of a cluster with a replicated log: start with --replicated/);
  });
  refuseOtherKind(join(tmpdir(), 'claret-never-made'), true);
});

/** The folders of shards with logs, in a cluster that dealt the slots among `dealt` of them. */
function withLogs(shards, dealt, use) {
  const names = Array.from({ length: shards }, (_, shard) => `shard-${shard}/log`);
  return withFolder(
    names.map((name) => [name, 'identity.json']),
    (folder) => {
      for (const name of names) writeFileSync(join(folder, name, 'identity.json'), JSON.stringify({ shards: dealt }));
      return use(folder);
    },
  );
}

test('a folder with the logs of more shards is refused, with the flag that it needs', async () => {
  await withLogs(3, 2, (folder) => {
    assert.deepEqual(keptShards(folder), { shards: 3, dealt: 2 });
    refuseMoreShards(folder, 3);
    assert.throws(() => refuseMoreShards(folder, 2), /has the data of 3 shards: start with --shards 3, or /);
  });
  assert.equal(keptShards(join(tmpdir(), 'claret-never-made')), null);
  refuseMoreShards(join(tmpdir(), 'claret-never-made'), 1);
});
