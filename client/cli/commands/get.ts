// `claret get KEY`: shows a record in the form that suits its type.

import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { NOTHING, count, counted, fields, ranking, result, scalar, shown, toJson } from '../format.ts';
import { EXIT, Problem, usageProblem } from '../problem.ts';
import { findRecord, isRank, rankAfter } from '../record.ts';
import type { Look, Page } from '../record.ts';
import type { Screen } from '../screen.ts';
import { table } from '../table.ts';
import type { Run } from '../run.ts';
import type { OperationDescription } from '../type-description.ts';

const LIMIT = 50;
const LIMIT_MAX = 500;

export function addGet(program: Command, run: Run): void {
  program
    .command('get')
    .description('Show a record of any type')
    .argument('<key>', 'the record')
    .option('--limit <n>', `members or items at most, 1 to ${count(LIMIT_MAX)}`, String(LIMIT))
    .option('--after <last>', 'the next page: behind this member of a Set, or this rank of a ScoredSet')
    .addHelpText(
      'after',
      `
Examples:
  claret get visits
  claret get tags --limit 10 --after mango
  claret get '{auction:42}:bids' --json`,
    )
    .action(
      run((context, key: string, options: { limit: string; after?: string }) =>
        get(context, key, { limit: readLimit(options.limit), after: options.after ?? null }),
      ),
    );
}

export function readLimit(text: string): number {
  const limit = Number(text);
  if (!(Number.isInteger(limit) && limit >= 1 && limit <= LIMIT_MAX))
    throw usageProblem(`--limit takes an integer from 1 to ${count(LIMIT_MAX)}, not '${text}'.`);
  return limit;
}

async function get(context: Context, key: string, page: Page): Promise<void> {
  const look = await findRecord(context, key, page);
  if (look.type === 'ScoredSet' && page.after !== null && !isRank(page.after)) {
    throw usageProblem(`${key} is a ScoredSet: --after takes the last rank of the page before, not '${page.after}'.`);
  }
  if (look.type === 'List' && page.after !== null && !isRank(page.after)) {
    throw usageProblem(`${key} is a List: --after takes the last index of the page before, not '${page.after}'.`);
  }
  if (look.results.length === 0 && look.own !== undefined) {
    throw new Problem(EXIT.failed, 'no_value', `${key} is a ${look.type}, all of whose operations take arguments.`, {
      hint: `\`claret types list\` shows the types, and \`claret ${look.type}.OPERATION ${key} …\` runs an operation.`,
      key,
    });
  }
  if (look.results.length === 0) {
    throw new Problem(EXIT.failed, 'no_value', `${key} is a UIdGenerator, which has no value to show.`, {
      hint: `\`claret UIdGenerator.next ${key}\` draws an id.`,
      key,
    });
  }
  const shard = (await context.claret()).topology.shardOf(key);
  if (context.isJson)
    return context.printJson({ key, type: look.type, shard, ...asJson(look, page), committed_at: look.committedAt.toString() });
  const { bold, cyan, dim } = context.screen.colours;
  const about = [...sizeWords(look), `shard ${shard}`].join(' · ');
  context.print(`${bold(shown(key))}  ${cyan(look.type)}  ${dim(about)}`);
  context.print(asText(look, page, context.screen));
  const next = nextPage(look, page);
  if (next !== null) context.print(dim(`… ${next.words}`));
}

const wordOf = ({ name }: OperationDescription): string => name.slice(name.indexOf('.') + 1);

function answered(operation: OperationDescription, value: unknown, screen: Screen): string {
  const text = result(operation, value, screen);
  return [screen.colours.dim(wordOf(operation)), text].join(text.includes('\n') ? '\n' : '  ');
}

function sizeWords({ type, results }: Look): string[] {
  switch (type) {
    case 'Set':
      return [counted(Number(results[1]), 'member')];
    case 'ScoredSet':
    case 'TopK':
      return [counted(Number(results[1]), 'item')];
    case 'List':
      return [counted(Number(results[1]), 'element')];
    case 'Dict':
      return [counted(Object.keys(results[0] as object).length, 'field')];
    default:
      return [];
  }
}

function asText({ type, own, results }: Look, page: Page, screen: Screen): string {
  const [first] = results;
  if (own !== undefined) return own.map((operation, at) => answered(operation, results[at], screen)).join('\n');
  switch (type) {
    case 'Set':
      return (first as string[]).slice(0, page.limit).map(shown).join('\n') || screen.colours.dim('(no member behind that one)');
    case 'Dict':
      return fields(first as Record<string, unknown>, screen);
    case 'TopK':
      return ranking(first as [string, number][], screen);
    case 'ScoredSet':
      return ranking(first as [string, number][], screen, rankAfter(page), 0);
    case 'List':
      return (
        (first as unknown[]).map((element) => scalar(element, screen)).join('\n') || screen.colours.dim('(no element behind that one)')
      );
    case 'SummaryBag':
      return summary(results, screen);
    case 'HyperLogLog':
      return `about ${count(first as number)}`;
    case 'Register':
      return scalar(first, screen);
    default:
      return typeof first === 'number' || typeof first === 'bigint'
        ? count(first)
        : JSON.stringify(toJson(results.length === 1 ? first : results));
  }
}

function summary([mean, values, min, max, variance]: unknown[], screen: Screen): string {
  const figure = (value: unknown) =>
    value === null ? NOTHING : count(typeof value === 'number' ? Number(value.toPrecision(12)) : (value as bigint));
  const rows = Object.entries({ count: values, mean, min, max, variance }).map(([name, value]) => [
    screen.colours.dim(name),
    figure(value),
  ]);
  return table([{ header: '' }, { header: '', align: 'right' }], rows, screen);
}

/** Null if everything is shown. */
function nextPage({ type, results }: Look, page: Page): { after: string | null; words: string } | null {
  const [first, size] = results;
  if (type === 'Set') {
    const members = first as string[];
    if (members.length <= page.limit) return null;
    const after = members[page.limit - 1]!;
    return { after, words: `more: --after ${/^[\w:.-]+$/.test(after) ? after : `'${shown(after)}'`}` };
  }
  const isRanked = type === 'ScoredSet' || type === 'List';
  const left = Number(size) - rankAfter(isRanked ? page : { ...page, after: null }) - (first as unknown[]).length;
  if (isRanked && left > 0) {
    const last = rankAfter(page) + (first as unknown[]).length - 1;
    return { after: String(last), words: `${count(left)} more: --after ${last}` };
  }
  return type === 'TopK' && left > 0 ? { after: null, words: `${count(left)} more: --limit ${Number(size)}` } : null;
}

function asJson(look: Look, page: Page): Record<string, unknown> {
  const { type, own, results } = look;
  if (own !== undefined) return { value: Object.fromEntries(own.map((operation, at) => [wordOf(operation), toJson(results[at])])) };
  const [first, size] = results;
  const value = toJson(first);
  const next = nextPage(look, page);
  switch (type) {
    case 'Set':
      return { value: { size, members: (value as unknown[]).slice(0, page.limit) }, next_after: next?.after ?? null };
    case 'ScoredSet':
      return { value: { size, items: value }, next_after: next?.after ?? null };
    case 'List':
      return { value: { length: size, elements: value }, next_after: next?.after ?? null };
    case 'TopK':
      return { value: { size, top: value } };
    case 'SummaryBag': {
      const [mean, values, min, max, variance] = results.map(toJson);
      return { value: { count: values, mean, min, max, variance } };
    }
    default:
      return { value };
  }
}
