// The lanes' picture, the shards' names and figures beside it, and the tooltip.
import { useCallback, useState } from 'react';
import { Chart } from '../../chart/Chart.tsx';
import type { Drawing } from '../../chart/drawing.ts';
import type { ChartPoint } from '../../chart/gestures.ts';
import { figureWords, shareWords } from '../../components/figures.ts';
import { useSame } from '../../components/useSame.ts';
import { useWidth } from '../../components/useWidth.ts';
import type { EpochLane } from '../../store/telemetryStore.ts';
import { watched_ms } from '../../store/watched.ts';
import { useGutter } from '../../time/gutter.ts';
import { useTelemetry, useTimeAxis } from '../../time/useTimeAxis.tsx';
import { shownOf } from '../header/figuresShown.ts';
import { aboveBand, LanePicture, type LaneHeights } from '../phases/lanePicture.ts';
import { shardEpochs } from './epochsAt.ts';
import styles from './EpochsPanel.module.css';
import { EpochTip } from './EpochTip.tsx';

/** A few lanes have room for two lines of text; many are an overview. */
const TALL: LaneHeights = { lane: 46, queue: 14, warranty: 0, rail: 2, band: 22, comb: 0 };
const CLOSE: LaneHeights = { lane: 25, queue: 6, warranty: 0, rail: 1, band: 14, comb: 0 };
const TALL_LANES = 4;
/** Room for the tooltip. */
const HEIGHT_PX_MIN = 150;

export function EpochChart({ lanes }: { lanes: readonly EpochLane[] }) {
  const { span } = useTimeAxis();
  const { width: gutter, isWide } = useGutter();
  const [picture] = useState(() => new LanePicture());
  const [point, setPoint] = useState<ChartPoint | null>(null);
  const [box, width] = useWidth();
  const heights = lanes.length <= TALL_LANES ? TALL : CLOSE;
  // Each beat brings a new array of lanes: the picture is redrawn only if the lanes differ.
  const shown = useSame(lanes);
  const draw = useCallback(
    (drawing: Drawing) => {
      const { store, context, palette, time } = drawing;
      context.fillStyle = palette.line;
      for (let index = 0; index < shown.length; index += 1) {
        context.fillRect(time.left, index * heights.lane + aboveBand(heights) + heights.band - 1, time.right - time.left, 1);
      }
      picture.draw(drawing, shown, heights, store.epochs.modes);
    },
    [picture, shown, heights],
  );
  const pointed = point && point.x >= gutter ? lanes[Math.floor(point.y / heights.lane)] : undefined;
  return (
    <div ref={box} className={styles.lanes}>
      <Chart
        title={`Epochs of ${lanes.length} ${lanes.length === 1 ? 'shard' : 'shards'} over time`}
        height={lanes.length * heights.lane}
        draw={draw}
        onHover={setPoint}
      >
        <ul className={styles.names} style={{ width: gutter }}>
          {lanes.map((lane) => (
            <li key={lane.shard} className={styles.name} style={{ height: heights.lane }}>
              <b>Shard {lane.shard}</b> {(isWide || heights === TALL) && <Rates lane={lane} isShort={heights === CLOSE} />}
            </li>
          ))}
        </ul>
      </Chart>
      {point && pointed && (
        <div className={styles.tip} style={{ minHeight: HEIGHT_PX_MIN }}>
          <EpochTip
            lane={pointed}
            at_ms={point.at_ms}
            ms_per_px={(span.to_ms - span.from_ms) / Math.max(1, width - gutter)}
            x={point.x}
            y={0}
          />
        </div>
      )}
    </div>
  );
}

/** Over the time that the key figures cover. */
function Rates({ lane, isShort }: { lane: EpochLane; isShort: boolean }) {
  const { epochs_per_s, heldShare } = useTelemetry(({ totals }, _, axis) => {
    const { span } = shownOf(axis);
    const { epochs, heldShare: share } = shardEpochs(lane, span);
    const seconds = watched_ms(totals, span) / 1_000;
    return { epochs_per_s: seconds > 0 ? epochs / seconds : null, heldShare: share };
  });
  return (
    <span className={styles.rates}>
      {!isShort && (
        <>
          <span className="figures">{figureWords(epochs_per_s)}</span>/s,{' '}
        </>
      )}
      <span className="figures">{shareWords(heldShare)}</span> held
    </span>
  );
}
