// Reads a record of unknown type. Each type has a *look*, the operations that show a record. The shard is asked for the looks of all
// types. If the record exists, exactly one look succeeds and the others fail with `wrong_type`. If there is no record, all succeed.

import { Description, type Claret } from '../src/index.ts';
import { TYPES, findType } from './catalogue.ts';
import { installedTypes, ownType } from './installed.ts';
import type { OperationDescription, TypeDescription } from './type-description.ts';
import type { Context } from './context.ts';
import { EXIT, Problem } from './problem.ts';

/** The part of a collection that is to be read. */
export interface Page {
  limit: number;
  /** the Set's member, the ScoredSet's rank or the List's index before the page; null: the page starts at the beginning */
  after: string | null;
}

export interface Look {
  type: string;
  /** of an installed type: what was read, one for each result */
  own?: readonly OperationDescription[];
  results: unknown[];
  committedAt: bigint;
}

type Describe = (operation: string, ...args: unknown[]) => Description<unknown>;

/** The look of each type. A watch watches its first operation. */
const LOOKS: Record<string, (describe: Describe, page: Page) => Description<unknown>[]> = {
  Register: (describe) => [describe('get')],
  Counter: (describe) => [describe('value')],
  Dict: (describe) => [describe('all')],
  // One member more than is shown reveals whether there is another page.
  Set: (describe, { limit, after }) => [describe('members', limit + 1, after), describe('size')],
  ScoredSet: (describe, page) => {
    const start = rankAfter(page);
    return [describe('range', start, start + page.limit - 1), describe('size')];
  },
  TopK: (describe, { limit }) => [describe('top', limit), describe('size')],
  SummaryBag: (describe) => ['mean', 'count', 'min', 'max', 'variance'].map((name) => describe(name)),
  BoundedCounter: (describe) => [describe('value')],
  HyperLogLog: (describe) => [describe('count')],
  List: (describe, page) => {
    const start = rankAfter(page);
    return [describe('range', start, start + page.limit - 1), describe('length')];
  },
};

/** The first rank of a ScoredSet's page, or index of a List's; 0 if `after` is none. */
export const rankAfter = ({ after }: Page): number => (after !== null && isRank(after) ? Number(after) + 1 : 0);

export const isRank = (text: string): boolean => /^\d{1,9}$/.test(text);

const LABEL = 'claret get';

/** The look of any other type: its reads without arguments. */
const readable = ({ operations }: TypeDescription): OperationDescription[] =>
  operations.filter(({ isRead, parameters }) => isRead && parameters.length === 0);

/** Empty if the type has nothing to read, such as a UIdGenerator. */
function lookAt(claret: Claret, type: TypeDescription, key: string, page: Page): Description<unknown>[] {
  const look = LOOKS[type.name];
  if (look === undefined) return readable(type).map(({ name }) => claret.describe(key, name, []));
  return look((operation, ...args) => claret.describe(key, `${type.name}.${operation}`, args), page);
}

/** The operation that `claret watch KEY` watches for a record of this type. */
export function watchedOf(claret: Claret, type: string, key: string, limit: number): Description<unknown> {
  return lookAt(claret, findType(type), key, { limit: type === 'Set' ? limit - 1 : limit, after: null })[0]!;
}

/** Returns no results if the record's type has nothing to read. Throws a problem: `no_record`, or the transaction's error. */
export async function findRecord(context: Context, key: string, page: Page): Promise<Look> {
  const claret = await context.bounded(context.claret());
  const looks = await context.bounded(Promise.allSettled(VISIBLE.map((type) => lookAs(claret, type, key, page))));
  const found: Look[] = [];
  for (const look of looks) {
    if (look.status === 'fulfilled') found.push(look.value);
    else if ((look.reason as { code?: string }).code !== 'wrong_type') await context.bounded(Promise.reject(look.reason as Error));
  }
  if (found.length === 1) return found[0]!;
  if (found.length === 0)
    return (await lookAsOwn(context, claret, key)) ?? { type: BLIND.map(({ name }) => name).join(' or '), results: [], committedAt: 0n };
  throw new Problem(EXIT.failed, 'no_record', `There is no record at ${key}.`, { key });
}

/** Undefined if the record is of no installed type. Throws type_retired. */
async function lookAsOwn(context: Context, claret: Claret, key: string): Promise<Look | undefined> {
  const [name] = await context.bounded(claret.transact(LABEL, [claret.describe(key, 'Record.type', [])]));
  const type = typeof name === 'string' ? ownType(await installedTypes(context), name) : undefined;
  if (type === undefined) return undefined;
  const own = readable(type);
  if (own.length === 0) return { type: type.name, own, results: [], committedAt: 0n };
  let committedAt = 0n;
  const onCommit = (report: { committedAt: bigint }) => (committedAt = report.committedAt);
  const reads = own.map(({ spec }) => new Description(spec!, key, []));
  return { type: type.name, own, results: await context.bounded(claret.transact(LABEL, reads, { onCommit })), committedAt };
}

const VISIBLE = TYPES.filter((type) => type.name in LOOKS || readable(type).length > 0);
const BLIND = TYPES.filter((type) => !VISIBLE.includes(type));

async function lookAs(claret: Claret, type: TypeDescription, key: string, page: Page): Promise<Look> {
  let committedAt = 0n;
  const onCommit = (report: { committedAt: bigint }) => (committedAt = report.committedAt);
  const results = await claret.transact(LABEL, lookAt(claret, type, key, page), { onCommit });
  return { type: type.name, results, committedAt };
}
