// One cell of the matrix: which operations met, how often, and at which records that was seen.
import { Dialog, formatCount, Table } from '@claret/ui/kit';
import { RecordKey } from '../../parts/RecordKey.tsx';
import { clockTime } from '../../time/ticks.ts';
import { useTelemetry } from '../../time/useTimeAxis.tsx';
import type { ConflictRow } from '../../store/telemetryStore.ts';
import { rateWords } from './rateWords.ts';
import { labelWords, rowsOfPair, type Pair } from './conflictMatrix.ts';
import { conditionsInWords, conflictsOf, recordsOfPair, underOneRule, type PairRecord } from './conflictsShown.ts';
import styles from './PairDetails.module.css';
import type { ConflictSnapshot } from './snapshot.ts';

const RECORDS_SHOWN = 20;

export interface PairDetailsProps {
  pair: Pair;
  /** the labels that have rows of their own */
  shown: readonly string[];
  /** null: what is live */
  frozen: ConflictSnapshot | null;
  onClose(): void;
}

export function PairDetails({ pair, shown, frozen, onClose }: PairDetailsProps) {
  const { snapshot, records } = useTelemetry((store, span) => {
    if (frozen !== null) return { snapshot: frozen, records: [] };
    const counted = underOneRule(store, span).span;
    return { snapshot: conflictsOf(store, counted), records: recordsOfPair(store, counted, pair, shown) };
  });
  const rows = rowsOfPair(snapshot.rows, pair, shown);
  const total = rows.reduce((sum, { count }) => sum + count, 0);
  const perSecond = (count: number) => rateWords(snapshot.seconds > 0 ? count / snapshot.seconds : 0);
  return (
    <Dialog
      isOpen
      isWide
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={`${labelWords(pair.holder)} held, ${labelWords(pair.comer)} came`}
      about={
        <>
          <span className="figures">{perSecond(total)}</span> conflicts per second, <span className="figures">{formatCount(total)}</span> in{' '}
          {Math.round(snapshot.seconds)} s until {clockTime(snapshot.at_ms, true)}, under {conditionsInWords(snapshot.conditions)}
        </>
      }
    >
      <div className={styles.parts}>
        <section>
          <h3>Which operations?</h3>
          <p className={styles.words}>
            An operation that is not let in at once counts, for the first that was in its way. Without phasing, each time it is tried again
            counts anew.
          </p>
          {total === 0 ? <p className={styles.words}>None any more in the span that is shown.</p> : <OperationsTable rows={rows} pair={pair} perSecond={perSecond} />}
        </section>
        <section>
          <h3>At which records?</h3>
          {frozen === null ? <RecordsTable records={records} /> : <p className={styles.words}>A frozen matrix does not keep its records.</p>}
        </section>
      </div>
    </Dialog>
  );
}

function OperationsTable({ rows, pair, perSecond }: { rows: readonly ConflictRow[]; pair: Pair; perSecond(count: number): string }) {
  const named = (label: string, operation: string, isOthers: boolean) => (
    <>
      <code>{operation}</code>
      {isOthers && <> of {labelWords(label)}</>}
    </>
  );
  return (
    <Table
      caption="Conflicts by pair of operations"
      columns={[
        { header: 'Held', cell: ({ holderLabel, holderOperation }) => named(holderLabel, holderOperation, pair.holder === null) },
        { header: 'Came', cell: ({ comerLabel, comerOperation }) => named(comerLabel, comerOperation, pair.comer === null) },
        { header: 'Per second', isNumber: true, cell: ({ count }) => <span className="figures">{perSecond(count)}</span> },
        { header: 'In all', isNumber: true, cell: ({ count }) => <span className="figures">{formatCount(count)}</span> },
      ]}
      rows={rows}
      rowKey={(row) => JSON.stringify([row.holderLabel, row.comerLabel, row.holderOperation, row.comerOperation])}
    />
  );
}

function RecordsTable({ records }: { records: readonly PairRecord[] }) {
  return (
    <>
      <p className={styles.words}>
        Conflicts are not counted by record. These are the records where sampled transactions of this pair met, or where one of its
        longest waits was seen; there may be others.
      </p>
      {records.length === 0 ? (
        <p className={styles.words}>None of this pair has been sampled in the span that is shown.</p>
      ) : (
        <Table
          caption="Records at which the pair was seen"
          columns={[
            { header: 'Record', cell: ({ key, type }) => <><RecordKey value={key} /> {type}</> },
            { header: 'Shard', isNumber: true, cell: ({ shard }) => <span className="figures">{shard ?? '–'}</span> },
            { header: 'Held → came', cell: ({ operations }) => operations.slice(0, 2).join(', ') },
            { header: 'Seen', isNumber: true, cell: ({ sightings }) => <span className="figures">{formatCount(sightings)}</span> },
            {
              header: 'All its conflicts',
              isNumber: true,
              cell: ({ conflicts }) => <span className="figures">{conflicts === null ? '–' : formatCount(conflicts)}</span>,
            },
          ]}
          rows={records.slice(0, RECORDS_SHOWN)}
          rowKey={({ key }) => key}
        />
      )}
      {records.length > RECORDS_SHOWN && <p className={styles.words}>and {formatCount(records.length - RECORDS_SHOWN)} others, seen less often</p>}
    </>
  );
}
