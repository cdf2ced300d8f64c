// `claret conditions`: shows and switches the cluster's concurrency control.

import type { Command } from 'commander';
import { suggestion } from '../catalogue.ts';
import type { Context } from '../context.ts';
import { counted } from '../format.ts';
import { usageProblem } from '../problem.ts';
import type { Run } from '../run.ts';
import { table } from '../table.ts';
import { CONDITIONS, completed, differ, wordOf, wordsOf, type Conditions } from '../../telemetry/index.ts';

interface Answer extends Required<Conditions> {
  version: number;
  shards: { shard: number; conditions: Conditions | null; version: number | null; error?: string }[];
}

const NAMES = CONDITIONS.map(({ name }) => name);

export function addConditions(program: Command, run: Run): void {
  program
    .command('conditions')
    .description("Show the cluster's concurrency control, or switch it")
    .argument('[name=value...]', CONDITIONS.map((each) => `${each.name}=${wordsOf(each).join('|')}`).join(' '))
    .addHelpText(
      'after',
      `
Conditions hold for the whole cluster and can be switched while it runs. Those
that are not named stay unchanged.

Examples:
  claret conditions
  claret conditions locks=rw phasing=off
  claret conditions locks=abstract phasing=on combining=auto`,
    )
    .action(run((context, changes: string[]) => conditions(context, changes.map(readChange))));
}

function readChange(word: string): Partial<Conditions> {
  const [name = '', value = ''] = word.split(/=(.*)/s);
  const known = CONDITIONS.find((each) => each.name === name);
  if (known === undefined) {
    const meant = suggestion(name, NAMES);
    throw usageProblem(
      `There is no condition '${name}'.`,
      meant === undefined ? `The conditions are ${NAMES.join(', ')}.` : `Did you mean ${meant}?`,
    );
  }
  const found = known.values.find((each) => wordOf(each.value) === value);
  if (found !== undefined) return { [name]: found.value };
  throw usageProblem(`${name} is one of ${wordsOf(known).join(', ')}, not '${value}'.`, `Give it as ${name}=${wordOf(known.usual)}.`);
}

const PATH = '/v1/admin/conditions';

async function conditions(context: Context, changes: readonly Partial<Conditions>[]): Promise<void> {
  const { rest } = context;
  let answer = await rest.get<Answer>(PATH);
  if (changes.length > 0) answer = await rest.put<Answer>(PATH, completed(Object.assign({}, ...changes), answer));
  if (context.isJson) context.printJson(answer);
  else context.print(asText(context, answer));
}

/** On one line: "locks=rw phasing=off combining=auto warranties=off" */
export function conditionWords(told: Conditions): string {
  const all = completed(told);
  return CONDITIONS.map(({ name }) => `${name}=${wordOf(all[name])}`).join(' ');
}

function asText({ screen }: Context, answer: Answer): string {
  const { bold, dim, yellow } = screen.colours;
  const rows = CONDITIONS.map(({ name, values }) => {
    const value = answer[name];
    return [name, bold(wordOf(value)), dim(values.find((each) => each.value === value)?.meaning ?? '')];
  });
  const apart = answer.shards.filter(({ conditions: own }) => own === null || differ(own, answer));
  const shardWords = ['', 'the only shard', 'both shards'][answer.shards.length] ?? `all ${counted(answer.shards.length, 'shard')}`;
  const state =
    apart.length === 0
      ? [dim(`in force on ${shardWords}`)]
      : apart.map(({ shard, conditions: own, error }) =>
          yellow(
            `shard ${shard}: ${own === null ? `does not answer${error === undefined ? '' : ` (${error})`}` : `still has ${conditionWords(own)}`}`,
          ),
        );
  return [table([{ header: '' }, { header: '' }, { header: '', shrinks: true }], rows, screen), ...state].join('\n');
}
