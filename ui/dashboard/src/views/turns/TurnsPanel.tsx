// Turns: which client may send wide members, over time. The band shows whose turn it was, above it how many others waited.
import { useCallback, useState } from 'react';
import { Chart } from '../../chart/Chart.tsx';
import type { Drawing } from '../../chart/drawing.ts';
import type { ChartPoint } from '../../chart/gestures.ts';
import { ModeMark } from '../../chart/ModeMark.tsx';
import { figureWords, msWords, shareWords } from '../../components/figures.ts';
import { NO_TELEMETRY, Panel } from '../../components/Panel.tsx';
import { Term } from '../../components/Term.tsx';
import { useWidth } from '../../components/useWidth.ts';
import type { TelemetryStore } from '../../store/telemetryStore.ts';
import { useGutter } from '../../time/gutter.ts';
import type { Span } from '../../time/timeAxis.ts';
import { useTelemetry, useTimeAxis } from '../../time/useTimeAxis.tsx';
import { shownOf } from '../header/figuresShown.ts';
import { LanePicture, type LaneHeights } from '../phases/lanePicture.ts';
import { clientTurns } from './turnsAt.ts';
import styles from './TurnsPanel.module.css';
import { TurnsTable } from './TurnsTable.tsx';
import { TurnTip } from './TurnTip.tsx';

const HEIGHTS: LaneHeights = { lane: 58, queue: 18, warranty: 0, rail: 4, band: 34, comb: 0 };
/** Clients beside the panel's title; the table has all. */
const CLIENTS_SHOWN = 4;

export function TurnsPanel() {
  const read = useCallback((store: TelemetryStore, span: Span) => {
    const clients = clientTurns(store.turns, span);
    return {
      clients: clients.slice(0, CLIENTS_SHOWN),
      others: Math.max(0, clients.length - CLIENTS_SHOWN),
      modes: store.turns.modes,
      shards: store.shards,
      isKnown: store.newest_ms !== null,
      isAlone: clients.length === 1 && clients[0]!.waiting === 0,
    };
  }, []);
  const { clients, others, modes, shards, isKnown, isAlone } = useTelemetry(read);
  return (
    <Panel
      id="turns"
      isFlat
      title="Turns of clients"
      about={
        <>
          Band: the client whose <Term word="turn" /> it is to send <Term word="wide">transactions of several shards</Term>. Above it: how
          many others wait. Notch: timed out, some time after another one wanted it.
          {isAlone && ' A client that nobody else disturbs keeps its turn.'}
        </>
      }
      tools={
        <span className={styles.legend}>
          {clients.map(({ client, share }) => (
            <span key={client} className={styles.client}>
              <ModeMark mode={modes[client]!} isNamed /> <b className="figures">{shareWords(share)}</b>
            </span>
          ))}
          {others > 0 && <span>and {others} more</span>}
        </span>
      }
      table={() => <TurnsTable />}
      empty={clients.length > 0 ? null : emptyWords(isKnown, shards)}
    >
      <Band />
    </Panel>
  );
}

function emptyWords(isKnown: boolean, shards: number): string {
  if (!isKnown) return NO_TELEMETRY;
  if (shards === 1) return 'One shard needs no turns: it executes all transactions in one order.';
  return 'No turns in the time shown: no client has sent a transaction of several shards ahead of its commit.';
}

function Band() {
  const { span } = useTimeAxis();
  const { width: gutter } = useGutter();
  const [picture] = useState(() => new LanePicture());
  const [point, setPoint] = useState<ChartPoint | null>(null);
  const [box, width] = useWidth();
  const draw = useCallback(
    (drawing: Drawing) => {
      const { store, context, palette, time } = drawing;
      context.fillStyle = palette.line;
      context.fillRect(time.left, HEIGHTS.queue + HEIGHTS.rail + HEIGHTS.band - 1, time.right - time.left, 1);
      picture.draw(drawing, [store.turns], HEIGHTS, store.turns.modes);
    },
    [picture],
  );
  return (
    <div ref={box} className={styles.band}>
      <Chart title="Turns: the client whose turn it is, over time" height={HEIGHTS.lane} draw={draw} onHover={setPoint}>
        <Rates />
      </Chart>
      {point && point.x >= gutter && (
        <div className={styles.tip}>
          <TurnTip at_ms={point.at_ms} ms_per_px={(span.to_ms - span.from_ms) / Math.max(1, width - gutter)} x={point.x} />
        </div>
      )}
    </div>
  );
}

/** Over the time that the key figures cover. */
function Rates() {
  const { width } = useGutter();
  const { turns_per_s, waited_ms, kept_ms } = useTelemetry((store, _, axis) => {
    const { span } = shownOf(axis);
    const turns = store.totals.sum(span, 'turns');
    const of = clientTurns(store.turns, span);
    const kept = of.reduce((sum, { mean_ms, turns: count }) => sum + mean_ms * count, 0);
    const count = of.reduce((sum, { turns: one }) => sum + one, 0);
    return {
      turns_per_s: store.totals.perSecond(span, 'turns'),
      waited_ms: turns > 0 ? store.totals.sum(span, 'turnWaitMs') / turns : null,
      kept_ms: count > 0 ? kept / count : null,
    };
  });
  return (
    <div className={styles.name} style={{ width }}>
      <p>
        <span className={`figures ${styles.figure}`}>{figureWords(turns_per_s)}</span> <span className={styles.unit}>turns/s</span>
      </p>
      <p className={styles.unit}>kept {msWords(kept_ms)}</p>
      <p className={styles.unit}>waited {msWords(waited_ms)}</p>
    </div>
  );
}
