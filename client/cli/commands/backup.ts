// `claret backup FILE`: writes one state of the whole cluster to a file, which appears only when it is complete.

import { createWriteStream } from 'node:fs';
import { lstat, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { bytes, duration } from '../format.ts';
import { EXIT, Problem, usageProblem } from '../problem.ts';
import type { Run } from '../run.ts';

export function addBackup(program: Command, run: Run): void {
  program
    .command('backup')
    .description('Write one state of the whole cluster to a file')
    .argument('<file>', 'the file to write')
    .option('--force', 'replace a file that exists')
    .addHelpText(
      'after',
      `
The backup holds everything that was acknowledged before the command began. FILE
appears only when it is complete and on disk. \`npm run restore\` makes data
directories of it. A cluster with durability none has nothing to back up.

Examples:
  claret backup claret.backup
  claret backup "claret-$(date +%F).backup" --json`,
    )
    .action(run((context, file: string, { force }: { force?: boolean }) => backup(context, file, force === true)));
}

/** Time in which the gateways must begin the backup. */
const BEGINS_WITHIN_MS = 60_000;

async function backup(context: Context, file: string, replaces: boolean): Promise<void> {
  if (!replaces && (await exists(file))) throw usageProblem(`${file} exists already.`, 'Use --force to replace it.');
  const { rest, terminal } = context;
  const begunMs = performance.now();
  const answer = await rest.open('/v1/admin/backup', terminal.interrupted, Math.max(BEGINS_WITHIN_MS, context.timeoutMs));
  const partial = `${file}.part`;
  let size = 0;
  const counter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      done(null, chunk);
    },
  });
  try {
    await pipeline(Readable.fromWeb(answer.body as ReadableStream), counter, createWriteStream(partial, { flush: true }), {
      signal: terminal.interrupted,
    });
    await rename(partial, file);
    await syncFolder(dirname(file));
  } catch (error) {
    await rm(partial, { force: true });
    throw problemOf(error as NodeJS.ErrnoException, file, terminal.interrupted.aborted);
  }
  const tookMs = performance.now() - begunMs;
  if (context.isJson) context.printJson({ file, bytes: size, duration_ms: Math.round(tookMs) });
  else
    context.print(
      `${context.screen.colours.green('written')}  ${file}  ${context.screen.colours.dim(`${bytes(size)} · ${duration(tookMs)}`)}`,
    );
}

/** Makes the new name survive a crash. Does nothing if the system cannot open a folder (Windows). */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => null);
  await handle?.sync().catch(() => {});
  await handle?.close();
}

const exists = (file: string): Promise<boolean> =>
  lstat(file).then(
    () => true,
    () => false,
  );

function problemOf(error: NodeJS.ErrnoException, file: string, isInterrupted: boolean): Problem {
  if (isInterrupted) return new Problem(EXIT.failed, 'interrupted', 'Interrupted: no backup was written.');
  if (error.syscall !== undefined && error.path !== undefined)
    return new Problem(EXIT.failed, 'not_written', `${file} cannot be written: ${error.code}.`);
  return new Problem(EXIT.failed, 'backup_broken', `The backup broke off, and was not kept: ${error.message}.`, {
    hint: 'The log of the gateway says why. It can be tried again.',
  });
}
