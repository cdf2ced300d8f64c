// What a cluster keeps in its data folder: of each shard with a local log, `shard-0`, …; with a replicated log, of each NATS server, `nats-0`,
// …, and of each gateway, `gateway-0`, …. A folder is for clusters of one kind alone.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { forgetNats, natsFolders } from './nats/kept.js';
import { inProject } from './paths.js';
import { Problem } from './run/problem.js';
import { runTool } from './run/process.js';
import { node24 } from './setup/node24.js';

function foldersIn(dataDir, pattern) {
  if (!existsSync(dataDir)) return [];
  return readdirSync(dataDir)
    .filter((name) => pattern.test(name))
    .map((name) => join(dataDir, name));
}

const localShards = (dataDir) => foldersIn(dataDir, /^shard-\d+$/).filter((folder) => existsSync(join(folder, 'incarnation')));

/** What a gateway with a replicated log makes (gateway/src/store/data-dir.ts). */
const isOfGateway = (folder) => readdirSync(folder).some((name) => name === 'replicated-logs.json' || /^checkpoint-copy-\d+$/.test(name));

/** Deletes what a cluster has kept, and nothing else in the folder; refuses if gateways or NATS servers are running on it. @param {string} dataDir */
export async function forget(dataDir) {
  const shards = localShards(dataDir);
  if (shards.length > 0) {
    const { code, output } = await runTool(node24(), [inProject('gateway', 'src', 'store', 'forget-main.ts'), ...shards]);
    if (code !== 0) throw new Problem(output);
  }
  await forgetNats(dataDir, foldersIn(dataDir, /^gateway-\d+$/).filter(isOfGateway));
}

/** Throws a Problem if the folder has data of a cluster of the other kind. @param {string} dataDir @param {boolean} isReplicated */
export function refuseOtherKind(dataDir, isReplicated) {
  const [other, kind, remedy] = isReplicated
    ? [localShards(dataDir), 'local logs', 'start without --replicated']
    : [natsFolders(dataDir), 'a replicated log', 'start with --replicated'];
  if (other.length === 0) return;
  throw new Problem(`${dataDir} has the data of a cluster with ${kind}: ${remedy}, or name another folder with --data-dir.`);
}

/** Among how many shards the slots were dealt at first, for each shard with a log (gateway/src/log/identity.ts). */
const dealtOf = (dataDir) =>
  foldersIn(dataDir, /^shard-\d+$/)
    .map((folder) => join(folder, 'log', 'identity.json'))
    .filter(existsSync)
    .map((file) => JSON.parse(readFileSync(file, 'utf8')).shards);

/** The shards with logs in the folder; null: there are none. @param {string} dataDir @returns {import('./run/demo-shards.js').Shards | null} */
export function keptShards(dataDir) {
  const dealt = dealtOf(dataDir);
  return dealt.length === 0 ? null : { shards: dealt.length, dealt: dealt[0] };
}

/** Throws a Problem if the folder has the logs of more shards: their slots would be missing. @param {string} dataDir @param {number} shards */
export function refuseMoreShards(dataDir, shards) {
  const kept = keptShards(dataDir);
  if (kept === null || kept.shards <= shards) return;
  throw new Problem(
    `${dataDir} has the data of ${kept.shards} shards: start with --shards ${kept.shards}, or name another folder with --data-dir.`,
  );
}
