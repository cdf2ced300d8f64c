// Sampled transactions, newest first. While the pointer or the focus is in the list, the list is frozen and shows the number of
// newer transactions. A click opens a transaction as a timeline.
import { Button, classes, Dialog, formatCount, formatCounted } from '@claret/ui/kit';
import { Check, CircleX } from 'lucide-react';
import { useState } from 'react';
import { useFeed } from '../../feed/useFeed.tsx';
import { clockTime } from '../../time/ticks.ts';
import { useFollowing, useTelemetry } from '../../time/useTimeAxis.tsx';
import { DataTable } from '../../components/DataTable.tsx';
import { NO_TELEMETRY, Panel } from '../../components/Panel.tsx';
import { open, useOpened } from '../../components/opened.ts';
import { Term } from '../../components/Term.tsx';
import { useSelectedRecord } from '../../components/selectedRecord.ts';
import type { TransactionSample } from '../../store/telemetryStore.ts';
import { labelWords } from '../conflicts/conflictMatrix.ts';
import { msWords } from '../../components/figures.ts';
import { withinWords } from '../spanWords.ts';
import { useHeld } from '../useHeld.ts';
import { lengthOf, NO_FILTER, passes, SLOW_CHOICES_MS, totalWait, touches, type OutcomeChoice, type TransactionFilter } from './filter.ts';
import { TransactionDialog } from './TransactionDialog.tsx';
import styles from './TransactionsView.module.css';
import { retryWords } from './verdict.ts';

const LISTED = 100;
const OUTCOMES: readonly { value: OutcomeChoice; words: string }[] = [
  { value: 'any', words: 'any outcome' },
  { value: 'committed', words: 'committed' },
  { value: 'aborted', words: 'aborted' },
  { value: 'retried', words: 'with retries' },
];

export function TransactionsView() {
  const isFollowing = useFollowing();
  const [filter, setFilter] = useState(NO_FILTER);
  const opened = useOpened();
  const transaction = opened !== null && 'transaction' in opened ? opened.transaction : null;
  const { all, isKnown, when, found } = useTelemetry((store, span) => ({
    all: store.samples.list(span),
    found: transaction === null ? null : store.samples.find(transaction),
    isKnown: store.newest_ms !== null,
    when: withinWords(span, isFollowing),
  }));
  const labels = [...new Set(all.map(({ label }) => label))].sort();
  const { shown, isHeld, renew, handlers } = useHeld(all);
  const listed = shown.filter((sample) => passes(sample, filter)).slice(0, LISTED);
  const newest_ms = shown[0]?.ended_ms ?? -Infinity;
  const newer = isHeld ? all.filter((sample) => sample.ended_ms > newest_ms && passes(sample, filter)).length : 0;

  return (
    <>
      <Panel
        id="transactions"
        title="Single transactions"
        about={
          <>
            A sample, named by <Term word="label" then="." /> Click one for its{' '}
            <Term word="step" then=".">
              steps
            </Term>
          </>
        }
        tools={
          // Its room is reserved, so that nothing moves under the pointer.
          <Button look="quiet" size="small" className={classes(styles.newer, newer === 0 && styles.none)} onClick={renew}>
            {formatCount(newer)} newer
          </Button>
        }
        table={() => <SamplesTable samples={listed} />}
        empty={shown.length === 0 ? (isKnown ? `No transaction was sampled ${when}.` : NO_TELEMETRY) : null}
      >
        <div className={styles.bar}>
          <Filters filter={filter} labels={labels} onChange={setFilter} />
        </div>
        {listed.length === 0 && <p className={styles.noMatch}>No sampled transaction {when} matches.</p>}
        <ul className={styles.list} {...handlers}>
          {listed.map((sample) => (
            <SampleItem key={sample.transaction} sample={sample} onOpen={() => open({ transaction: sample.transaction })} />
          ))}
        </ul>
      </Panel>
      {transaction !== null && <OpenTransaction key={transaction} found={found} />}
    </>
  );
}

/** It stays open when telemetry forgets it. A link may be to one that telemetry has forgotten already. */
function OpenTransaction({ found }: { found: TransactionSample | null }) {
  const { state } = useFeed();
  const [kept, keep] = useState(found);
  if (found !== null && found !== kept) keep(found);
  const close = () => open(null);
  if (kept !== null) return <TransactionDialog sample={kept} onClose={close} />;
  // Until it is live, the history is still arriving.
  if (state !== 'live') return null;
  return (
    <Dialog isOpen onOpenChange={close} title="The steps of this transaction are gone">
      <p>A gateway keeps few samples of the last ten minutes. The page that saw the transaction may still have it.</p>
    </Dialog>
  );
}

function Filters({
  filter,
  labels,
  onChange,
}: {
  filter: TransactionFilter;
  labels: readonly string[];
  onChange(filter: TransactionFilter): void;
}) {
  const shown = filter.label === null || labels.includes(filter.label) ? labels : [...labels, filter.label];
  return (
    <div className={styles.filters} role="group" aria-label="Filter">
      <select
        className={styles.choice}
        aria-label="Label"
        value={filter.label === null ? 'any' : `=${filter.label}`}
        onChange={({ target }) => onChange({ ...filter, label: target.value === 'any' ? null : target.value.slice(1) })}
      >
        <option value="any">any label</option>
        {shown.map((label) => (
          <option key={label} value={`=${label}`}>
            {labelWords(label)}
          </option>
        ))}
      </select>
      <select
        className={styles.choice}
        aria-label="Outcome"
        value={filter.outcome}
        onChange={({ target }) => onChange({ ...filter, outcome: target.value as OutcomeChoice })}
      >
        {OUTCOMES.map(({ value, words }) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </select>
      <select
        className={styles.choice}
        aria-label="Duration"
        value={filter.slowerThan_ms}
        onChange={({ target }) => onChange({ ...filter, slowerThan_ms: Number(target.value) })}
      >
        {SLOW_CHOICES_MS.map((ms) => (
          <option key={ms} value={ms}>
            {ms === 0 ? 'any duration' : `${msWords(ms)} or more`}
          </option>
        ))}
      </select>
    </div>
  );
}

/** Why the last failed attempt aborted; empty if unknown. */
function troubleOf({ attempts }: TransactionSample): string {
  const failed = attempts.filter(({ outcome }) => outcome === 'aborted');
  const last = Math.max(...failed.map(({ retries }) => retries));
  return failed.length === 0 ? '' : retryWords(failed.filter(({ retries }) => retries === last));
}

/** `waited 14 ms; 2 retries: refused a lock`. */
function courseWords(sample: TransactionSample): string {
  const { retries, outcome } = sample;
  const waited_ms = totalWait(sample);
  const trouble = troubleOf(sample);
  const parts = waited_ms > 0 ? [`waited ${msWords(waited_ms)}`] : [];
  if (outcome === 'aborted') parts.push(...(retries > 0 ? [formatCounted(retries, 'retry', 'retries')] : []), trouble);
  else if (retries > 0) parts.push(`${formatCounted(retries, 'retry', 'retries')}${trouble === '' ? '' : `: ${trouble}`}`);
  return parts.join('; ');
}

function SampleItem({ sample, onOpen }: { sample: TransactionSample; onOpen(): void }) {
  const { label, outcome } = sample;
  const selected = useSelectedRecord();
  const isCommitted = outcome === 'committed';
  return (
    <li className={classes(styles.item, selected !== null && touches(sample, selected) && styles.selected)}>
      <button type="button" className={styles.row} onClick={onOpen}>
        <span className={classes(styles.outcome, !isCommitted && styles.aborted)}>
          {isCommitted ? <Check size={14} aria-hidden="true" /> : <CircleX size={14} aria-hidden="true" />}
          <span className="visually-hidden">{outcome}</span>
        </span>
        <strong className={styles.label}>{labelWords(label)}</strong>
        <span className={classes(styles.length, 'figures')}>{lengthWords(sample)}</span>
        <span className={styles.about}>{courseWords(sample)}</span>
      </button>
    </li>
  );
}

/** A transaction that begins and ends in one turn of a shard takes no measurable time. */
function lengthWords(sample: TransactionSample): string {
  return lengthOf(sample) > 0 ? msWords(lengthOf(sample)) : 'at once';
}

function SamplesTable({ samples }: { samples: readonly TransactionSample[] }) {
  return (
    <DataTable
      caption="Sampled transactions, newest first"
      columns={[
        { header: 'Ended', cell: ({ ended_ms }) => <span className="figures">{clockTime(ended_ms, true)}</span> },
        { header: 'Transaction', cell: ({ label }) => labelWords(label) },
        { header: 'Outcome', cell: ({ outcome }) => outcome },
        { header: 'Duration', isNumber: true, cell: (sample) => <span className="figures">{lengthWords(sample)}</span> },
        { header: 'Waited', isNumber: true, cell: (sample) => <span className="figures">{msWords(totalWait(sample))}</span> },
        { header: 'Retries', isNumber: true, cell: ({ retries }) => <span className="figures">{retries}</span> },
        { header: 'Reason', cell: troubleOf },
      ]}
      rows={samples}
      rowKey={({ transaction }) => transaction}
    />
  );
}
