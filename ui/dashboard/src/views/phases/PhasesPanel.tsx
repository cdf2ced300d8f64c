// Phase lanes: for each hot record the modes that had it, phase by phase, and the queues by mode.
import { useCallback, useState } from 'react';
import { ModeMark } from '../../chart/ModeMark.tsx';
import { Choice } from '../../components/Choice.tsx';
import { NO_TELEMETRY, Panel } from '../../components/Panel.tsx';
import { RecordOrder } from '../../components/recordOrder.ts';
import { useSelectedRecord } from '../../components/selectedRecord.ts';
import { Term } from '../../components/Term.tsx';
import { isRun, runOf } from '../../store/runs.ts';
import type { RecordLane, TelemetryStore } from '../../store/telemetryStore.ts';
import type { Span } from '../../time/timeAxis.ts';
import { useTelemetry } from '../../time/useTimeAxis.tsx';
import { LaneChart } from './LaneChart.tsx';
import styles from './PhasesPanel.module.css';
import { PhasesTable } from './PhasesTable.tsx';

const RANKS = [
  { value: 'conflicts', label: 'Conflicts' },
  { value: 'waitMs', label: 'Waiting time' },
  { value: 'heat', label: 'Heat' },
  { value: 'operations', label: 'Operations' },
] as const;
type Rank = (typeof RANKS)[number]['value'];

const COUNTS: readonly Count[] = ['6', '12', '24', '48', '200'];
type Count = '6' | '12' | '24' | '48' | '200';
const COUNT_CHOICES: readonly { value: Count; label: string }[] = COUNTS.map((value) => ({ value, label: value }));

export function PhasesPanel() {
  // Conflicts occur under any conditions; without phasing there are no waits to rank by.
  const [rank, setRank] = useState<Rank>('conflicts');
  const [count, setCount] = useState<Count>('6');
  const [order] = useState(() => new RecordOrder());
  const selected = useSelectedRecord();
  const read = useCallback(
    (store: TelemetryStore, span: Span) => {
      const shown = order.arrange(rankedLanes(store, span, rank, Number(count), selected));
      return {
        lanes: shown,
        modes: store.records.modes,
        hasNatives: store.totals.sum(span, 'natives') > 0,
        hasWarranties: shown.some((lane) => hasWarranty(lane, span)),
        isKnown: store.newest_ms !== null,
      };
    },
    [order, rank, count, selected],
  );
  const { lanes, modes, hasNatives, hasWarranties, isKnown } = useTelemetry(read);
  return (
    <Panel
      id="phases"
      isFlat
      title="Lock phases of hot records"
      about={
        <>
          Band: <Term word="mode" /> holding the record. Above it: waiting operations, by mode. Notch: <Term word="phase" /> ended by its{' '}
          <Term word="phase time limit" then=".">
            time limit
          </Term>
          {modes.some(isRun) && <RunLegend />}
          {hasWarranties && <WarrantyLegend />}
          {hasNatives && <CombLegend />}
        </>
      }
      tools={
        <>
          <Legend modes={modes} />
          <Choice
            label="By"
            value={rank}
            choices={RANKS}
            onChange={(value) => {
              order.forget();
              setRank(value);
            }}
          />
          <Choice label="Rows" value={count} choices={COUNT_CHOICES} onChange={(value) => setCount(value)} />
        </>
      }
      table={() => <PhasesTable lanes={lanes} />}
      empty={lanes.length > 0 ? null : isKnown ? 'No locks were taken in the time shown.' : NO_TELEMETRY}
    >
      <LaneChart lanes={lanes} hasWarranties={hasWarranties} />
    </Panel>
  );
}

function RunLegend() {
  return (
    <>
      {' '}
      <Term word="run">Run of a client</Term>: operations executed one after another, ahead of their commits.
    </>
  );
}

function WarrantyLegend() {
  return (
    <>
      {' '}
      <span className={styles.together}>
        <i className={styles.standing} aria-hidden="true" /> <Term word="warranty">Warranty</Term>:
      </span>{' '}
      clients answer from memory;{' '}
      <span className={styles.together}>
        <i className={styles.recalled} aria-hidden="true" /> a change waited
      </span>{' '}
      for its end.
    </>
  );
}

/** Whether some warranty stood on the record in that time. */
function hasWarranty(lane: RecordLane, span: Span): boolean {
  let found = false;
  lane.warranties(span, () => (found = true));
  return found;
}

function CombLegend() {
  return (
    <>
      {' '}
      <span className={styles.together}>
        <i className={styles.comb} aria-hidden="true" /> Comb:
      </span>{' '}
      <Term word="native">natives</Term>, denser the more there are;{' '}
      <span className={styles.together}>
        <i className={styles.hatched} aria-hidden="true" /> some waited;
      </span>{' '}
      <span className={styles.broke}>▲</span> they broke a transaction.
    </>
  );
}

/**
 * The records with most of a figure; where too few have any, the hottest others: a chain's runs cause neither conflicts nor waits. The
 * selected record is included, whatever its rank.
 */
function rankedLanes(store: TelemetryStore, span: Span, rank: Rank, count: number, selected: string | null): RecordLane[] {
  const ranked = store.records.lanes(span, rank, count);
  const hottest = ranked.length < count ? store.records.lanes(span, 'heat', count).filter((lane) => !ranked.includes(lane)) : [];
  const lanes = [...ranked, ...hottest].slice(0, count);
  const wanted = selected === null ? null : store.records.lane(selected);
  return wanted === null || lanes.includes(wanted) ? lanes : [wanted, ...lanes.slice(0, count - 1)];
}

function Legend({ modes }: { modes: readonly string[] }) {
  return (
    <span className={styles.legend}>
      {modes.map((mode) => !isRun(mode) && <ModeMark key={mode} mode={mode} isNamed />)}
      {modes.some(isRun) && <ModeMark mode={runOf('')} isNamed />}
    </span>
  );
}
