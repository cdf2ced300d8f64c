// npm run restore: makes data directories from a backup, or cuts a damaged log if there is no backup (docs/operations.md).
//
//   --file FILE --data-dir FOLDER [--shards N] [--cluster-name NAME]
//   --cut FOLDER [--apply]      FOLDER: the data directory of one shard; without --apply only the loss is reported
//
// Exit code 2: wrong arguments, or the backup, the folder or the log is not usable; nothing has been changed.
import { parseArgs } from 'node:util';
import { EXIT_REFUSED } from '../exit-code.ts';
import { cutLog } from '../log/cut-log.ts';
import { LogDamaged, LogRefused } from '../log/log.ts';
import { endFile, logDir } from '../store/data-dir.ts';
import { BackupDamaged } from './read-backup.ts';
import { RestoreRefused, restoreBackup } from './restore.ts';
import type { RestoreRequest } from './restore.ts';
import { checkStart } from './check-start.ts';

const USAGE = `npm run restore -- --file FILE --data-dir FOLDER [--shards N] [--cluster-name NAME]
npm run restore -- --cut DATA_DIRECTORY_OF_A_SHARD [--apply]`;
const MIB = 2 ** 20;
const PRINT_EVERY_MS = 1_000;

type Command = { cut: string; apply: boolean } | RestoreRequest;

function readFlags(args: string[]): Command {
  const text = { type: 'string' } as const;
  try {
    const { values } = parseArgs({
      args,
      options: { file: text, 'data-dir': text, shards: text, 'cluster-name': text, cut: text, apply: { type: 'boolean' } },
    });
    const { file, 'data-dir': dataDir, shards, 'cluster-name': clusterName, cut: folder, apply = false } = values;
    if (folder !== undefined && (file ?? dataDir ?? shards ?? clusterName) === undefined) return { cut: folder, apply };
    if (!file || !dataDir || folder !== undefined || apply) throw new Error('either --file and --data-dir, or --cut, is needed');
    if (shards !== undefined && !/^[1-9]\d{0,2}$/.test(shards)) throw new Error(`--shards is a number, not ${shards}`);
    return { file, dataDir, clusterName, shards: shards === undefined ? undefined : Number(shards) };
  } catch (error) {
    throw new RestoreRefused(`${(error as Error).message}\n${USAGE}`);
  }
}

async function restore(request: RestoreRequest): Promise<void> {
  const startedMs = performance.now();
  const { begin, shards, bytes } = await restoreBackup({ ...request, onProgress: progress() }).catch((error: Error) => {
    throw error instanceof BackupDamaged ? new RestoreRefused(`${request.file}, ${error.message}`) : error;
  });
  for (const { shard, records, entries } of shards)
    console.log(`shard ${shard}: ${records} records of its checkpoint, ${entries} entries after it`);
  const { dealt_shards: dealtShards } = begin;
  if (dealtShards < begin.shards) console.log(`start ${begin.shards} gateways with dealtShards ${dealtShards}: the others had joined`);
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  console.log(
    `restored ${begin.cluster_name}, as it was at ${new Date(begin.made_at_ms).toISOString()}, to ${request.dataDir}: ${(bytes / MIB).toFixed(1)} MiB in ${seconds} s`,
  );
}

/** Prints a line each second. */
function progress(): NonNullable<RestoreRequest['onProgress']> {
  let printedMs = performance.now();
  return (done, all) => {
    if (performance.now() - printedMs < PRINT_EVERY_MS) return;
    printedMs = performance.now();
    console.log(`restored ${Math.floor((100 * done) / all)} % of ${(all / MIB).toFixed(1)} MiB`);
  };
}

async function cut(folder: string, apply: boolean): Promise<void> {
  const done = await cutLog(logDir(folder), { apply, endFile: endFile(folder), checkStart });
  if (done === null) return console.log('the log is whole: there is nothing to cut');
  const { file, offset, what, last, lost, setAside } = done;
  console.log(`${file}, offset ${offset}: ${what}`);
  const loss = lost > last ? `entries ${last + 1} to ${lost} at least` : `what stood behind entry ${last}`;
  if (setAside === null)
    console.log(`a cut would keep everything up to entry ${last}, and lose ${loss}. Nothing has been changed: --apply does it`);
  else {
    console.log(`kept everything up to entry ${last}, lost ${loss}. The damaged store is in ${setAside}`);
    console.log(
      'gateways of other shards that know of what was lost will not accept this one: to go on without it, stop them all and remove logs.json from every shard\'s data directory (docs/operations.md, "Failed disk")',
    );
  }
}

/** An error of the operating system names the file, so its message is enough. */
const isRefusal = (error: unknown): boolean =>
  [RestoreRefused, LogRefused, LogDamaged].some((kind) => error instanceof kind) || (error as NodeJS.ErrnoException).syscall !== undefined;

try {
  const command = readFlags(process.argv.slice(2));
  if ('cut' in command) await cut(command.cut, command.apply);
  else await restore(command);
} catch (error) {
  if (!isRefusal(error)) throw error;
  console.error(`nothing was changed: ${(error as Error).message}`);
  process.exitCode = EXIT_REFUSED;
}
