// Epochs over time: a lane for each shard. The band shows what the shard did with its list, above it how many members were being gathered.
import { useCallback } from 'react';
import { ModeMark } from '../../chart/ModeMark.tsx';
import { NO_TELEMETRY, Panel } from '../../components/Panel.tsx';
import { Term } from '../../components/Term.tsx';
import { CALLED_OFF, calledOffFor, HELD, LISTING, READ_TURN, WRITE_TURN } from '../../store/epochParts.ts';
import type { TelemetryStore } from '../../store/telemetryStore.ts';
import type { Span } from '../../time/timeAxis.ts';
import { useTelemetry } from '../../time/useTimeAxis.tsx';
import { EpochChart } from './EpochChart.tsx';
import { shardEpochs, type ShardEpochs } from './epochsAt.ts';
import styles from './EpochsPanel.module.css';
import { EpochsTable } from './EpochsTable.tsx';

/** Lanes in the picture; the table has all. */
const LANES_MAX = 16;
/** Shards that are named beside the title. */
const LATE_NAMED_MAX = 3;

export function EpochsPanel() {
  const read = useCallback((store: TelemetryStore, span: Span) => {
    const shards = store.epochs.lanes.map((lane) => ({ lane, of: shardEpochs(lane, span) }));
    return {
      lanes: shards.slice(0, LANES_MAX).map(({ lane }) => lane),
      others: Math.max(0, shards.length - LANES_MAX),
      hasAny: shards.some(({ of }) => of.epochs > 0),
      calledOff: calledOffBy(shards.map(({ of }) => of)),
      isKnown: store.newest_ms !== null,
    };
  }, []);
  const { lanes, others, hasAny, calledOff, isKnown } = useTelemetry(read);
  return (
    <Panel
      id="epochs"
      isFlat
      title="Epochs"
      about={
        <>
          Band: an <Term word="epoch" />. Its <Term word="listed">listed</Term> members hold their records until the <Term word="seal" />,
          and then take their turn: writes, then reads.{' '}
          <span className={styles.together}>
            <i className={styles.gathered} aria-hidden="true" /> Above it:
          </span>{' '}
          how many are <Term word="gathered" />, and hold nothing.
          {others > 0 && ` The table has ${others} more shards.`}
        </>
      }
      tools={
        <span className={styles.legend}>
          {[LISTING, HELD, WRITE_TURN, READ_TURN].map((mode) => (
            <ModeMark key={mode} mode={mode} isNamed />
          ))}
          {calledOff !== null && (
            <span className={styles.together}>
              <span aria-hidden="true">
                <ModeMark mode={calledOff} />
              </span>{' '}
              <Term word="call off">called off</Term>
              {calledOff.slice(CALLED_OFF.length)}
            </span>
          )}
        </span>
      }
      table={() => <EpochsTable />}
      empty={hasAny ? null : emptyWords(isKnown)}
    >
      <EpochChart lanes={lanes} />
    </Panel>
  );
}

/** The mode of call-offs in the time shown, with all that were late; null: there were none. A long list of them is in the table. */
function calledOffBy(shards: readonly ShardEpochs[]): string | null {
  if (shards.every(({ calledOff }) => calledOff === 0)) return null;
  const late = [...new Set(shards.flatMap((of) => of.late))].sort((one, other) => one - other);
  return calledOffFor(late.length <= LATE_NAMED_MAX ? late : []);
}

function emptyWords(isKnown: boolean): string {
  if (!isKnown) return NO_TELEMETRY;
  return 'No epochs in the time shown: no list of operations ran in one. Long ones do where the client has measured that they are faster so.';
}
