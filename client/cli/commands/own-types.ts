// `claret types check|install|list|retire`: data types of an application's own.

import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { definitionsIn, type Definition } from '../definitions.ts';
import { EXIT, Problem, usageProblem } from '../problem.ts';
import type { Run } from '../run.ts';
import { table } from '../table.ts';
import { reportText, shortHash, type TypeReport } from '../type-report.ts';

interface InstalledType {
  id: number;
  name: string;
  version: number;
  hash: string;
  retired: boolean;
}
interface Changed {
  type: InstalledType;
  report?: TypeReport;
  shards: { shard: number; done: boolean }[];
}

const SECONDS = 2;
const SECONDS_MAX = 60;
/** A gateway tries every law once, and one definition at a time. */
const GRACE_MS = 120_000;
/** The names of the commands, for completion. */
export const OWN_TYPES_WORDS = ['check', 'install', 'list', 'retire'] as const;

const FILE = 'a .ts, .js or .mjs module that exports types made with `defineType`, or a definition as .json';

export function addOwnTypes(types: Command, run: Run): void {
  types
    .command('check')
    .description('Try the laws on the data types of a file; installs nothing')
    .argument('<file>', FILE)
    .option('--name <name>', 'only the type of that name')
    .option('--seconds <n>', `how long to search for each type, up to ${SECONDS_MAX} (default: ${SECONDS})`)
    .option('--seed <seed>', 'try the same cases as before')
    .action(run((context, file: string, options: CheckOptions) => check(context, file, options)));
  types
    .command('install')
    .description('Install the data types of a file in the whole cluster')
    .argument('<file>', FILE)
    .option('--name <name>', 'only the type of that name')
    .action(run((context, file: string, options: { name?: string }) => install(context, file, options.name)));
  types
    .command('list')
    .description('List the data types that are installed')
    .action(run((context) => list(context)));
  types
    .command('retire')
    .description('Refuse the operations of an installed data type from now on')
    .argument('<name>', 'the type')
    .action(run((context, name: string) => retire(context, name)));
}

interface CheckOptions {
  name?: string;
  seconds?: string;
  seed?: string;
}

async function check(context: Context, file: string, { name, seconds = String(SECONDS), seed }: CheckOptions): Promise<void> {
  const limit = Number(seconds);
  if (!(limit >= 0.1 && limit <= SECONDS_MAX)) throw usageProblem(`--seconds takes 0.1 to ${SECONDS_MAX}, not '${seconds}'.`);
  if (seed !== undefined && !/^\d{1,20}$/.test(seed)) throw usageProblem(`--seed takes up to 20 digits, not '${seed}'.`);
  const broken: string[] = [];
  for (const definition of await definitionsIn(file, name)) {
    const body = { definition: definition.text, seconds: limit, ...(seed !== undefined && { seed }) };
    const report = await context.rest.post<TypeReport>('/v1/types/check', body, limit * 1000 + GRACE_MS);
    tell(context, report, definition, file);
    if (report.failure !== undefined) broken.push(report.name);
  }
  if (broken.length > 0) throw new Problem(EXIT.failed, 'type_broken', `${broken.join(', ')}: a law is broken.`);
}

async function install(context: Context, file: string, name: string | undefined): Promise<void> {
  for (const definition of await definitionsIn(file, name)) {
    try {
      const { type, shards } = await context.rest.post<Changed>('/v1/types', { definition: definition.text }, GRACE_MS);
      if (context.isJson) context.printJson({ type, shards });
      else context.print(`${context.screen.colours.bold(type.name)} ${type.version}  ${shortHash(type.hash)}  installed${waiting(shards)}`);
    } catch (error) {
      const report = error instanceof Problem ? (error.detail['report'] as TypeReport | undefined) : undefined;
      if (report === undefined) throw error;
      tell(context, report, definition, file);
      throw new Problem(EXIT.failed, 'type_broken', `${report.name}: a law is broken, so it is not installed.`);
    }
  }
}

function tell(context: Context, report: TypeReport, { text }: Definition, file: string): void {
  if (context.isJson) context.printJson(report);
  else context.print(reportText(report, text, file, context.screen));
}

/** Shards that wait for their transactions to end. */
function waiting(shards: Changed['shards']): string {
  const late = shards.filter(({ done }) => !done).map(({ shard }) => shard);
  return late.length === 0 ? '' : `; not yet in force at shard ${late.join(', ')}`;
}

async function list(context: Context): Promise<void> {
  const { installed } = await context.rest.get<{ installed: InstalledType[] }>('/v1/types');
  if (context.isJson) return context.printJson({ installed });
  if (installed.length === 0) return context.print('No data types are installed beside the built-in ones.');
  const rows = installed.map(({ name, version, hash, retired }) => [
    name,
    String(version),
    shortHash(hash),
    retired ? 'retired' : 'installed',
  ]);
  const columns = [{ header: 'type', shrinks: true }, { header: 'version' }, { header: 'hash' }, { header: 'state' }];
  context.print(table(columns, rows, context.screen));
}

async function retire(context: Context, name: string): Promise<void> {
  const { type, shards } = await context.rest.delete<Changed>(`/v1/types/${encodeURIComponent(name)}`);
  if (context.isJson) return context.printJson({ type, shards });
  context.print(`${context.screen.colours.bold(type.name)}  retired: its operations are refused, and its records can be deleted`);
}
