// `claret warranties KEY`: shows the results that a shard has promised of a record, and who has the promises; or recalls them.

import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { NOTHING, count, counted, duration, shown } from '../format.ts';
import type { Run } from '../run.ts';
import { table } from '../table.ts';
import type { RecordWarranties, ShownWarranty } from '../../telemetry/index.ts';

/** A client that has said nothing for longer is shown with that time: it would keep a change waiting. */
const SILENT_MS = 400;

export function addWarranties(program: Command, run: Run): void {
  program
    .command('warranties')
    .description('Show the results that a shard has promised of a record, and who has the promises')
    .argument('<key>', 'the record')
    .option('--recall', 'ask the clients to return them, as a change would')
    .addHelpText(
      'after',
      `
A client that has a promise answers from memory. Whatever would make the result
another one waits until all clients have returned it, and for a silent one no
longer than warrantyTermMs. Clients tell how often they have used a promise when
they return it. \`claret conditions warranties=off\` ends them all.

Examples:
  claret warranties '{auction:42}:bids'
  claret warranties '{auction:42}:bids' --recall`,
    )
    .action(run((context, key: string, options: { recall?: boolean }) => warranties(context, key, options.recall === true)));
}

async function warranties(context: Context, key: string, isRecall: boolean): Promise<void> {
  const path = `/v1/admin/warranties?key=${encodeURIComponent(key)}`;
  const answer = isRecall ? await context.rest.delete<RecordWarranties>(path) : await context.rest.get<RecordWarranties>(path);
  if (context.isJson) context.printJson(answer);
  else context.print(asText(context, answer));
}

const callWords = ({ operation, arguments: args }: ShownWarranty): string =>
  [operation, ...args.map((each) => (typeof each === 'string' ? shown(each) : JSON.stringify(each)))].join(' ');

function holderWords({ session, lost, silent_ms }: ShownWarranty['holders'][number]): string {
  const name = session === '' ? '(unnamed)' : shown(session);
  if (lost) return `${name} (gone)`;
  return silent_ms !== null && silent_ms >= SILENT_MS ? `${name} (silent for ${duration(silent_ms)})` : name;
}

function asText({ screen }: Context, { key, shard, warranties: all }: RecordWarranties): string {
  const { bold, dim, yellow } = screen.colours;
  const head = `${bold(shown(key))}  ${dim(`${all.length === 0 ? 'no warranties' : counted(all.length, 'warranty', 'warranties')} · shard ${shard}`)}`;
  if (all.length === 0) return head;
  const rows = all.map((one) => [
    callWords(one),
    duration(one.age_ms),
    count(one.granted),
    count(one.uses),
    one.ends_in_ms === null ? 'stands' : yellow(`recalled, ends in ${duration(one.ends_in_ms)} at the latest`),
    one.holders.length === 0 ? NOTHING : one.holders.map(holderWords).join(', '),
  ]);
  const right = (header: string) => ({ header, align: 'right' as const });
  const columns = [
    { header: 'operation', shrinks: true },
    right('age'),
    right('granted'),
    right('uses'),
    { header: 'state' },
    { header: 'held by', shrinks: true },
  ];
  return [head, table(columns, rows, screen)].join('\n');
}
