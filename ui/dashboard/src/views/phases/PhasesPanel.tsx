// Phase lanes: for each hot record the modes that were in force, one after the other, and who waited for which.
import { useCallback, useState } from 'react';
import { ModeMark } from '../../chart/ModeMark.tsx';
import { Choice } from '../../parts/Choice.tsx';
import { Panel } from '../../parts/Panel.tsx';
import { RecordOrder } from '../../parts/recordOrder.ts';
import { useSelectedRecord } from '../../parts/selectedRecord.ts';
import type { RecordLane, TelemetryStore } from '../../store/telemetryStore.ts';
import type { Span } from '../../time/timeAxis.ts';
import { useTelemetry } from '../../time/useTimeAxis.tsx';
import { LaneChart } from './LaneChart.tsx';
import styles from './PhasesPanel.module.css';
import { PhasesTable } from './PhasesTable.tsx';

const RANKS = [
  { value: 'conflicts', label: 'Most conflicts' },
  { value: 'waitMs', label: 'Most waited for' },
  { value: 'heat', label: 'Hottest' },
  { value: 'operations', label: 'Busiest' },
] as const;
type Rank = (typeof RANKS)[number]['value'];

const COUNTS: readonly Count[] = ['12', '24', '48', '200'];
type Count = '12' | '24' | '48' | '200';
const COUNT_CHOICES: readonly { value: Count; label: string }[] = COUNTS.map((value) => ({ value, label: value }));

export function PhasesPanel() {
  // Without phasing nobody waits; conflicts there are under any conditions.
  const [rank, setRank] = useState<Rank>('conflicts');
  const [count, setCount] = useState<Count>('12');
  const [order] = useState(() => new RecordOrder());
  const selected = useSelectedRecord();
  const read = useCallback(
    (store: TelemetryStore, span: Span) => ({
      lanes: order.arrange(rankedLanes(store, span, rank, Number(count), selected)),
      modes: store.records.modes,
      isKnown: store.newest_ms !== null,
    }),
    [order, rank, count, selected],
  );
  const { lanes, modes, isKnown } = useTelemetry(read);
  return (
    <Panel
      title="What is let in, and when?"
      about={
        <>
          A lane for each hot record. Its band is the mode in force, which lets in what commutes; a notch on it is a cap that cut a phase
          short. Above the band: operations that wait, by the mode they want. <Legend modes={modes} />
        </>
      }
      tools={
        <>
          <Choice
            label="Records"
            value={rank}
            choices={RANKS}
            onChange={(value) => {
              order.forget();
              setRank(value);
            }}
          />
          <Choice label="Lanes" value={count} choices={COUNT_CHOICES} onChange={(value) => setCount(value)} />
        </>
      }
      table={() => <PhasesTable lanes={lanes} />}
      empty={lanes.length > 0 ? null : emptyWords(isKnown, rank)}
    >
      <LaneChart lanes={lanes} />
    </Panel>
  );
}

function emptyWords(isKnown: boolean, rank: Rank): string {
  if (!isKnown) return 'Nothing has been told yet.';
  if (rank === 'waitMs') return 'Nobody has waited for a record in the time shown. Start a spike, or show more time.';
  return rank === 'conflicts' ? 'No conflicts in the time shown. Start a spike, or show more time.' : 'No record is hot in the time shown. Start a spike, or show more time.';
}

/** The selected one is among them, wherever it ranks. */
function rankedLanes(store: TelemetryStore, span: Span, rank: Rank, count: number, selected: string | null): RecordLane[] {
  const ranked = store.records.lanes(span, rank, count);
  const wanted = selected === null ? null : store.records.lane(selected);
  return wanted === null || ranked.includes(wanted) ? ranked : [wanted, ...ranked.slice(0, count - 1)];
}

function Legend({ modes }: { modes: readonly string[] }) {
  return (
    <span className={styles.legend}>
      {modes.map((mode) => (
        <ModeMark key={mode} mode={mode} isNamed />
      ))}
    </span>
  );
}
