// One cell of the matrix: the operations that conflicted, how often, whether they commute, and the records at which they were seen.
import { Dialog, formatCount, Table } from '@claret/ui/kit';
import { useState } from 'react';
import { Term } from '../../components/Term.tsx';
import { useCatalogue } from '../../types/useCatalogue.ts';
import { commuteWords } from './commuteWords.ts';
import { RecordKey } from '../../components/RecordKey.tsx';
import { clockTime } from '../../time/ticks.ts';
import { useTelemetry } from '../../time/useTimeAxis.tsx';
import type { ConflictRow } from '../../store/telemetryStore.ts';
import { rateWords } from './rateWords.ts';
import { isNative, labelWords, pairWords, rowsOfPair, type Pair } from './conflictMatrix.ts';
import { conditionsInWords, conflictsOf, recordsOfPair, underOneRule, type PairRecord } from './conflictsShown.ts';
import styles from './PairDetails.module.css';
import type { ConflictSnapshot } from './snapshot.ts';

const RECORDS_SHOWN = 20;

export interface PairDetailsProps {
  pair: Pair;
  /** the labels with rows of their own; those at the opening stay, so that the others stay the same ones */
  shown: readonly string[];
  /** null: the live matrix */
  frozen: ConflictSnapshot | null;
  onClose(): void;
}

export function PairDetails({ pair, shown: shownNow, frozen, onClose }: PairDetailsProps) {
  const [shown] = useState(shownNow);
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
      title={pairWords(pair)}
      about={
        <>
          <span className="figures">{perSecond(total)}</span> conflicts per second: <span className="figures">{formatCount(total)}</span> in
          the {Math.round(snapshot.seconds)} s before {clockTime(snapshot.at_ms, true)}, under {conditionsInWords(snapshot.conditions)}
        </>
      }
    >
      <div className={styles.parts}>
        <section>
          <h3>Which operations?</h3>
          <p className={styles.words}>
            {isNative(pair.comer)
              ? 'A native counts when it begins to wait, and for each holder that it breaks.'
              : 'An operation that cannot run at once counts as a conflict with the first operation in its way. Without phasing, each new try counts again.'}{' '}
            What <Term word="commute">commutes</Term> conflicts under reader/writer locks only.
          </p>
          {total === 0 ? (
            <p className={styles.words}>None in the time shown any more.</p>
          ) : (
            <OperationsTable rows={rows} pair={pair} perSecond={perSecond} />
          )}
        </section>
        <section>
          <h3>On which records?</h3>
          {frozen === null ? (
            <RecordsTable records={records} isNative={isNative(pair.comer)} />
          ) : (
            <p className={styles.words}>A frozen matrix does not keep its records.</p>
          )}
        </section>
      </div>
    </Dialog>
  );
}

const OUTCOMES: Record<ConflictRow['outcome'], string> = {
  waited: 'it waited, or was denied',
  broke: 'the native broke the holder',
  again: 'the holder was taken out of its chain, and it was executed again',
};

function OperationsTable({ rows, pair, perSecond }: { rows: readonly ConflictRow[]; pair: Pair; perSecond(count: number): string }) {
  const { catalogue } = useCatalogue();
  const types = catalogue.state === 'known' ? catalogue.types : [];
  const hasOutcomes = rows.some(({ outcome }) => outcome !== 'waited');
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
        { header: 'Holder', cell: ({ holderLabel, holderOperation }) => named(holderLabel, holderOperation, pair.holder === null) },
        {
          header: isNative(pair.comer) ? 'Native' : 'Blocked',
          cell: ({ comerLabel, comerOperation }) => named(comerLabel, comerOperation, pair.comer === null),
        },
        ...(hasOutcomes ? [{ header: 'What happened?', cell: ({ outcome }: ConflictRow) => OUTCOMES[outcome] }] : []),
        { header: 'Do they commute?', cell: ({ holderOperation, comerOperation }) => commuteWords(types, holderOperation, comerOperation) },
        { header: 'Per second', isNumber: true, cell: ({ count }) => <span className="figures">{perSecond(count)}</span> },
        { header: 'Total', isNumber: true, cell: ({ count }) => <span className="figures">{formatCount(count)}</span> },
      ]}
      rows={rows}
      rowKey={(row) => JSON.stringify([row.holderLabel, row.comerLabel, row.holderOperation, row.comerOperation, row.outcome])}
    />
  );
}

function RecordsTable({ records, isNative: areNatives }: { records: readonly PairRecord[]; isNative: boolean }) {
  return (
    <>
      <p className={styles.words}>
        Conflicts are not counted by record. These are records where sampled transactions of this pair met, or where one of its longest
        waits was seen. There may be others.
        {areNatives &&
          ' Natives are not sampled: hot records on which natives broke or waited are listed too, whatever the holder’s label.'}
      </p>
      {records.length === 0 ? (
        <p className={styles.words}>
          {areNatives ? 'None in the time shown.' : 'No transaction of this pair was sampled in the time shown.'}
        </p>
      ) : (
        <Table
          caption="Records on which the pair was seen"
          columns={[
            {
              header: 'Record',
              cell: ({ key, type }) => (
                <>
                  <RecordKey value={key} /> {type}
                </>
              ),
            },
            { header: 'Shard', isNumber: true, cell: ({ shard }) => <span className="figures">{shard ?? '–'}</span> },
            { header: 'Holder → blocked', cell: ({ operations }) => operations.slice(0, 2).join(', ') },
            { header: 'Times seen', isNumber: true, cell: ({ sightings }) => <span className="figures">{formatCount(sightings)}</span> },
            {
              header: 'All conflicts on it',
              isNumber: true,
              cell: ({ conflicts }) => <span className="figures">{conflicts === null ? '–' : formatCount(conflicts)}</span>,
            },
          ]}
          rows={records.slice(0, RECORDS_SHOWN)}
          rowKey={({ key }) => key}
        />
      )}
      {records.length > RECORDS_SHOWN && (
        <p className={styles.words}>And {formatCount(records.length - RECORDS_SHOWN)} others, seen less often.</p>
      )}
    </>
  );
}
