// One transaction: its attempts as steps on its own time axis, and below each attempt its operations with their outcome in words.
import { classes, Dialog, formatCounted, Table, Tabs } from '@claret/ui/kit';
import { useState } from 'react';
import { clockTime } from '../../time/ticks.ts';
import type { TransactionSample } from '../../store/telemetryStore.ts';
import { labelWords } from '../conflicts/conflictMatrix.ts';
import { msWords } from '../../components/figures.ts';
import { Term } from '../../components/Term.tsx';
import { RecordKey } from '../../components/RecordKey.tsx';
import { lengthOf } from './filter.ts';
import { alikeTogether, slicesOf, timeSpent, type Lane, type OperationRow, type SliceKind } from './slices.ts';
import { scaleTicks } from './ticks.ts';
import styles from './TransactionDialog.module.css';
import { outcomeWords, retryWords, verdictWords } from './verdict.ts';

const KINDS: Record<SliceKind, string> = {
  runs: 'running: at its app server, or messages under way',
  waits: 'waiting for a lock or a turn',
  voted: 'has voted, waiting for the outcome',
  unknown: 'only the end was sampled: running or waiting',
};

export function TransactionDialog({ sample, onClose }: { sample: TransactionSample; onClose(): void }) {
  const [view, setView] = useState('steps');
  const { label, outcome, retries } = sample;
  return (
    <Dialog
      isOpen
      isWide
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={labelWords(label)}
      about={
        <>
          {outcome} at {clockTime(sample.ended_ms, true)},{' '}
          {lengthOf(sample) > 0 ? (
            <>
              <span className="figures">{msWords(lengthOf(sample))}</span> after it began
            </>
          ) : (
            'in the same turn of the shard in which it began'
          )}
          {retries > 0 && <>, with {formatCounted(retries, 'retry', 'retries')}</>}
        </>
      }
    >
      <Tabs
        label="Show as"
        value={view}
        onChange={setView}
        tabs={[
          { value: 'steps', label: 'Timeline', content: <SlicesDrawing sample={sample} /> },
          { value: 'table', label: 'Table', content: <OperationsTable sample={sample} /> },
        ]}
      />
    </Dialog>
  );
}

function SlicesDrawing({ sample }: { sample: TransactionSample }) {
  const { lanes, length_ms, attemptsUnknown } = slicesOf(sample);
  const kinds = new Set(lanes.flatMap(({ slices }) => slices.map(({ kind }) => kind)));
  const share = (ms: number) => `${length_ms > 0 ? (100 * ms) / length_ms : 0}%`;
  return (
    <div className={styles.drawing}>
      <ul className={styles.legend} aria-label="Steps">
        {[...kinds].map((kind) => (
          <li key={kind}>
            <span className={classes(styles.swatch, styles[kind])} aria-hidden="true" /> {KINDS[kind]}
          </li>
        ))}
      </ul>
      {attemptsUnknown > 0 && (
        <p className={styles.note}>
          {formatCounted(attemptsUnknown, 'other attempt was', 'other attempts were')} not sampled. Time starts with the first attempt that
          was.
        </p>
      )}
      <div className={styles.scale} aria-hidden="true">
        {scaleTicks(length_ms).map(({ at_ms, label }) => (
          <span key={at_ms} style={{ left: share(at_ms) }} className="figures">
            {label}
          </span>
        ))}
      </div>
      <ol className={styles.lanes}>
        {lanes.map((lane, place) => (
          <LaneOf key={place} lane={lane} before={lanes[place - 1]} sample={sample} share={share} />
        ))}
      </ol>
      {sample.attempts.some(({ code }) => code === 'wounded') && (
        <p className={styles.note}>
          An attempt was{' '}
          <Term word="wound" then=":">
            wounded
          </Term>{' '}
          it gave way to an older transaction that waited for it.
        </p>
      )}
      {hasDenials(sample) && (
        <p className={styles.note}>
          Without phasing nothing waits: a refused operation is tried again, and after a few tries its client cancels the attempt.
        </p>
      )}
      {sample.retries > 0 && (
        <p className={styles.note}>A retry first asks for what its last attempt did, so an operation may be listed twice.</p>
      )}
      {new Set(sample.attempts.map(({ shard }) => shard)).size > 1 && (
        <p className={styles.note}>Shards have separate clocks: their lanes may be slightly out of step.</p>
      )}
    </div>
  );
}

function hasDenials({ attempts }: TransactionSample): boolean {
  return attempts.some(({ requests }) => requests.some(({ operations }) => operations.some(({ verdict }) => verdict === 'denied')));
}

interface LaneProps {
  lane: Lane;
  before: Lane | undefined;
  sample: TransactionSample;
  share(ms: number): string;
}

function LaneOf({ lane, before, sample, share }: LaneProps) {
  const { attempt, slices, requests_ms, operations, ended_ms } = lane;
  const isRetry = before !== undefined && before.attempt.retries < attempt.retries;
  const failed = sample.attempts.filter(({ retries }) => retries === before?.attempt.retries);
  return (
    <li>
      {isRetry && (
        <p className={styles.retry}>
          <Term word="retry" then=":">
            Retry
          </Term>{' '}
          {retryWords(failed)}.
        </p>
      )}
      <h3 className={styles.heading}>
        Attempt {attempt.retries + 1} on shard {attempt.shard}
        <span className={styles.spent}>{spentWords(lane)}</span>
      </h3>
      <div className={styles.track}>
        {slices.map(({ kind, from_ms, to_ms }, place) => (
          <span
            key={place}
            className={classes(styles.slice, styles[kind])}
            style={{ left: share(from_ms), width: share(to_ms - from_ms) }}
            title={`${KINDS[kind]}: ${msWords(to_ms - from_ms)}`}
          />
        ))}
        {requests_ms.map((at_ms, place) => (
          <span
            key={place}
            className={styles.request}
            style={{ left: share(at_ms) }}
            title={`request ${place + 1}, after ${msWords(at_ms)}`}
          />
        ))}
        <span className={classes(styles.end, attempt.outcome === 'aborted' && styles.aborted)} style={{ left: share(ended_ms) }} />
      </div>
      <ul className={styles.operations}>
        {alikeTogether(operations).map(({ row, count }, place) => (
          <OperationOf key={place} row={row} count={count} lane={lane} share={share} />
        ))}
        {attempt.operationsLeftOut > 0 && (
          <li className={styles.note}>{formatCounted(attempt.operationsLeftOut, 'more operation', 'more operations')}</li>
        )}
      </ul>
    </li>
  );
}

function spentWords(lane: Lane): string {
  const { waits, voted } = timeSpent(lane);
  const parts = [outcomeWords(lane.attempt)];
  if (waits > 0) parts.push(`waited ${msWords(waits)}`);
  if (voted > 0) parts.push(`outcome ${msWords(voted)} after its vote`);
  return parts.join('; ');
}

function OperationOf({ row, count, lane, share }: { row: OperationRow; count: number; lane: Lane; share(ms: number): string }) {
  const { slice, wait, at_ms } = row;
  return (
    <li className={styles.operation}>
      <span className={styles.sentence}>
        <code>{slice.operation}</code> {count > 1 && <span>{count} times</span>}{' '}
        <span className={classes(styles.verdict, styles[slice.verdict])}>{verdictWords(slice, lane.attempt)}</span>
        <span className={styles.key}>
          <RecordKey value={slice.key} />
        </span>
      </span>
      <span className={styles.thin}>
        {at_ms !== null && <span className={styles.request} style={{ left: share(at_ms) }} />}
        {wait !== null && (
          <span
            className={classes(styles.slice, styles.waits)}
            style={{ left: share(wait.from_ms), width: share(wait.to_ms - wait.from_ms) }}
          />
        )}
      </span>
    </li>
  );
}

function OperationsTable({ sample }: { sample: TransactionSample }) {
  const rows = slicesOf(sample).lanes.flatMap((lane, at) =>
    lane.operations.map((row, place) => ({ ...row, lane, name: `${at} ${place}` })),
  );
  return (
    <Table
      caption="Operations, attempt by attempt"
      columns={[
        { header: 'Attempt', isNumber: true, cell: ({ lane }) => <span className="figures">{lane.attempt.retries + 1}</span> },
        { header: 'Shard', isNumber: true, cell: ({ lane }) => <span className="figures">{lane.attempt.shard}</span> },
        { header: 'After', isNumber: true, cell: ({ at_ms }) => <span className="figures">{at_ms === null ? '–' : msWords(at_ms)}</span> },
        { header: 'Operation', cell: ({ slice }) => <code>{slice.operation}</code> },
        { header: 'Record', cell: ({ slice }) => <RecordKey value={slice.key} /> },
        { header: 'What happened', cell: ({ slice, lane }) => verdictWords(slice, lane.attempt) },
        { header: 'Attempt ended', cell: ({ lane }) => outcomeWords(lane.attempt) },
      ]}
      rows={rows}
      rowKey={({ name }) => name}
    />
  );
}
