// The words for the costs of a page.
import { formatCount, formatCounted } from '@claret/ui/kit';
import { addCost, type TransactionCost } from '../cost.ts';

const NOTHING: TransactionCost = {
  label: '',
  count: 0,
  operations: 0,
  warranted: 0,
  locks_waited: 0,
  waited_us: 0,
  retries: 0,
  body_runs: 0,
  forecasts_out: 0,
  turn_waited_us: 0,
  batched: 0,
  batch_members: 0,
  chains_broken: 0,
  duration_ms: 0,
};

export function sumOf(costs: readonly TransactionCost[]): TransactionCost {
  return costs.reduce(addCost, NOTHING);
}

/** `<0.1 ms`, `3.2 ms`, `48 ms`, `1.3 s`. */
export function formatDuration(duration_ms: number): string {
  if (duration_ms > 0 && duration_ms < 0.05) return '<0.1 ms';
  if (duration_ms >= 999.5) return `${(duration_ms / 1_000).toFixed(1)} s`;
  return `${duration_ms.toFixed(duration_ms < 9.95 ? 1 : 0)} ms`;
}

/** `7 transactions · 31 operations · 12 needed no message`. No time: many ran in parallel, and their sum would read like a slow page. */
export function summary(costs: readonly TransactionCost[]): string {
  if (costs.length === 0) return 'none yet';
  const { count, operations, warranted } = sumOf(costs);
  const phrases = [formatCounted(count, 'transaction', 'transactions'), formatCounted(operations, 'operation', 'operations')];
  if (warranted > 0) phrases.push(`${formatCount(warranted)} needed no message`);
  return phrases.join(' · ');
}

/** `2 · 1.4 ms`, `0`. */
export function waited({ locks_waited, waited_us }: TransactionCost): string {
  return locks_waited === 0 ? '0' : `${locks_waited} · ${formatDuration(waited_us / 1_000)}`;
}

/** How many bodies ran once more than they had to: first as a forecast. A list of operations has no body. */
function ranTwice(costs: readonly TransactionCost[]): number {
  return costs.reduce((sum, { count, retries, body_runs }) => sum + Math.max(0, body_runs - count - retries), 0);
}

/** `1`, `2.5`, `14`. */
const formatMean = (mean: number): string => (mean < 10 ? String(Number(mean.toFixed(1))) : String(Math.round(mean)));

/** One sentence that explains the figures. */
export function meaning(costs: readonly TransactionCost[]): string {
  if (costs.length === 0) return 'This page was read a moment ago, or gets its data from the live stream, which needs no transactions.';
  const {
    count,
    operations,
    warranted,
    locks_waited,
    waited_us,
    retries,
    forecasts_out,
    turn_waited_us,
    batched,
    batch_members,
    chains_broken,
  } = sumOf(costs);
  const twice = ranTwice(costs);
  const times = formatCounted(locks_waited, 'time', 'times');
  const phrases = [
    'Each transaction happened completely or not at all',
    locks_waited === 0 ? 'none had to wait for another' : `${times} one waited for another, ${formatDuration(waited_us / 1_000)} in total`,
    ...(warranted > 0
      ? [
          `${formatCount(warranted)} of ${formatCounted(operations, 'operation', 'operations')} needed no message, since this server had been promised the results`,
        ]
      : []),
    ...(retries > 0 ? [`${formatCounted(retries, 'attempt was', 'attempts were')} retried`] : []),
    ...(twice > 0 ? [`${formatCounted(twice, 'body', 'bodies')} ran twice, first as a forecast`] : []),
    ...(forecasts_out > 0 ? [`${formatCounted(forecasts_out, 'forecast was', 'forecasts were')} wrong`] : []),
    ...(batched > 0
      ? [`${batched} committed with others of this server, in batches of ${formatMean(batch_members / batched)} on average`]
      : []),
    ...(turn_waited_us > 0 ? [`${formatDuration(turn_waited_us / 1_000)} passed until it was this server’s turn`] : []),
    ...(chains_broken > 0 ? [`${formatCounted(chains_broken, 'time', 'times')} a chain broke, and its transactions ran again`] : []),
    ...(count > 1 ? ['times are added up, though many ran in parallel'] : []),
  ];
  return `${phrases.join('; ')}.`;
}
