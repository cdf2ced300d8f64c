// `claret conditions`: shows and switches the cluster's concurrency control.

import type { Command } from 'commander';
import { suggestion } from '../catalogue.ts';
import type { Context } from '../context.ts';
import { counted } from '../format.ts';
import { usageProblem } from '../problem.ts';
import type { Run } from '../run.ts';
import { table } from '../table.ts';
import { COMBINING, EPOCHS, EPOCH_MS_MAX, LOCKS, NATIVES, WARRANTIES, type Conditions } from '../../telemetry/index.ts';

interface Answer extends Required<Conditions> {
  version: number;
  shards: { shard: number; conditions: Conditions | null; version: number | null; draining: boolean; error?: string }[];
}

type Name = keyof Required<Conditions>;

const VALUES: Record<Name, readonly string[]> = {
  locks: LOCKS.toReversed(),
  phasing: ['on', 'off'],
  combining: COMBINING,
  natives: NATIVES,
  warranties: WARRANTIES,
  epochs: EPOCHS,
  epoch_ms: ['MS'],
};
const NAMES = Object.keys(VALUES) as Name[];

/** In the words of the glossary. */
const LOCKS_MEANING: Record<Conditions['locks'], string> = {
  abstract: 'commuting locks: operations that commute share a record',
  rw: 'reader/writer locks: readers share, a writer is alone',
  none: 'no locks: no transactions, results may be wrong',
};
const PHASING_MEANING = {
  on: 'operations queue by mode, and a whole mode enters together',
  off: 'operations that conflict are refused and tried again',
};
const COMBINING_MEANING: Record<Conditions['combining'], string> = {
  auto: 'transactions on hot records are forecast and sent whole',
  on: 'transactions are forecast and sent whole wherever they meet',
  off: 'each transaction asks for its locks step by step',
};
const NATIVES_MEANING: Record<Required<Conditions>['natives'], string> = {
  pass: 'natives break the transactions in their way',
  wait: 'natives wait for the transactions in their way',
};
const WARRANTIES_MEANING: Record<Required<Conditions>['warranties'], string> = {
  off: 'each read asks its shard',
  auto: 'shards promise results that are often read, and clients answer from memory',
  on: 'shards promise all results that they can',
};

const EPOCHS_MEANING: Record<Required<Conditions>['epochs'], string> = {
  off: 'lists of operations take locks',
  auto: 'long lists run in epochs where that is faster',
  on: 'all lists of several operations run in epochs',
};

export function addConditions(program: Command, run: Run): void {
  program
    .command('conditions')
    .description("Show the cluster's concurrency control, or switch it")
    .argument('[name=value...]', NAMES.map((name) => `${name}=${VALUES[name].join('|')}`).join(' '))
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

function readChange(word: string): [Name, string] {
  const [name = '', value = ''] = word.split(/=(.*)/s);
  const known = NAMES.find((each) => each === name);
  if (known === undefined) {
    const meant = suggestion(name, NAMES);
    throw usageProblem(
      `There is no condition '${name}'.`,
      meant === undefined ? `The conditions are ${NAMES.join(', ')}.` : `Did you mean ${meant}?`,
    );
  }
  if (known === 'epoch_ms') {
    if (/^\d{1,4}$/.test(value) && Number(value) <= EPOCH_MS_MAX) return [known, value];
    throw usageProblem(
      `epoch_ms is a number up to ${EPOCH_MS_MAX}, not '${value}'.`,
      'Give it as epoch_ms=20; 0 is as often as is worth while.',
    );
  }
  if (!VALUES[known].includes(value))
    throw usageProblem(`${known} is one of ${VALUES[known].join(', ')}, not '${value}'.`, `Give it as ${known}=${VALUES[known][0]}.`);
  return [known, value];
}

const PATH = '/v1/admin/conditions';

async function conditions(context: Context, changes: readonly [Name, string][]): Promise<void> {
  const { rest } = context;
  let answer = await rest.get<Answer>(PATH);
  if (changes.length > 0) {
    const { locks, phasing, combining, natives, warranties, epochs, epoch_ms } = answer;
    const now = { locks, phasing: phasing ? 'on' : 'off', combining, natives, warranties, epochs, epoch_ms };
    const wanted = { ...now, ...Object.fromEntries(changes) };
    answer = await rest.put<Answer>(PATH, { ...wanted, phasing: wanted.phasing === 'on', epoch_ms: Number(wanted.epoch_ms) });
  }
  if (context.isJson) context.printJson(answer);
  else context.print(asText(context, answer));
}

const same = (one: Conditions, other: Conditions): boolean => conditionWords(one) === conditionWords(other);

/** On one line: "locks=rw phasing=off combining=auto natives=pass warranties=off epochs=auto" */
export function conditionWords({
  locks,
  phasing,
  combining,
  natives = 'pass',
  warranties = 'off',
  epochs = 'auto',
  epoch_ms = 0,
}: Conditions): string {
  const words = `locks=${locks} phasing=${phasing ? 'on' : 'off'} combining=${combining} natives=${natives} warranties=${warranties} epochs=${epochs}`;
  return epoch_ms === 0 ? words : `${words} epoch_ms=${epoch_ms}`;
}

function asText({ screen }: Context, answer: Answer): string {
  const { bold, dim, yellow } = screen.colours;
  const phasing = answer.phasing ? 'on' : 'off';
  const rows = [
    ['locks', bold(answer.locks), dim(LOCKS_MEANING[answer.locks])],
    ['phasing', bold(phasing), dim(PHASING_MEANING[phasing])],
    ['combining', bold(answer.combining), dim(COMBINING_MEANING[answer.combining])],
    ['natives', bold(answer.natives), dim(NATIVES_MEANING[answer.natives])],
    ['warranties', bold(answer.warranties), dim(WARRANTIES_MEANING[answer.warranties])],
    ['epochs', bold(answer.epochs), dim(EPOCHS_MEANING[answer.epochs])],
    ...(answer.epoch_ms === 0 ? [] : [['epoch_ms', bold(String(answer.epoch_ms)), dim('an epoch closes so often')]]),
  ];
  const apart = answer.shards.filter(({ conditions: own, draining }) => own === null || draining || !same(own, answer));
  const shardWords = ['', 'the only shard', 'both shards'][answer.shards.length] ?? `all ${counted(answer.shards.length, 'shard')}`;
  const state =
    apart.length === 0
      ? [dim(`in force on ${shardWords}`)]
      : apart.map(({ shard, conditions: own, draining, error }) =>
          yellow(
            `shard ${shard}: ${own === null ? `does not answer${error === undefined ? '' : ` (${error})`}` : draining ? 'drains first, then follows' : `still has ${conditionWords(own)}`}`,
          ),
        );
  return [table([{ header: '' }, { header: '' }, { header: '', shrinks: true }], rows, screen), ...state].join('\n');
}
