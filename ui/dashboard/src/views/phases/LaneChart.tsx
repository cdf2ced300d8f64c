// The lanes' picture, the record names beside it, and the tooltip.
import { formatCompact } from '@claret/ui/kit';
import { useCallback, useState } from 'react';
import { Chart } from '../../chart/Chart.tsx';
import type { Drawing } from '../../chart/drawing.ts';
import type { ChartPoint } from '../../chart/gestures.ts';
import { figureWords, NOTHING } from '../../components/figures.ts';
import { RecordLabels } from '../../components/RecordLabels.tsx';
import { selectRecord, useSelectedRecord } from '../../components/selectedRecord.ts';
import { useSame } from '../../components/useSame.ts';
import { useWidth } from '../../components/useWidth.ts';
import type { RecordLane } from '../../store/telemetryStore.ts';
import { watched_ms } from '../../store/watched.ts';
import { useGutter } from '../../time/gutter.ts';
import { useTelemetry, useTimeAxis } from '../../time/useTimeAxis.tsx';
import { around } from '../header/figuresShown.ts';
import { aboveBand, LanePicture, type LaneHeights } from './lanePicture.ts';
import { PhaseTip } from './PhaseTip.tsx';

/** A few lanes have room for their queues and two lines of text; many are an overview. */
const TALL: LaneHeights = { lane: 65, queue: 34, warranty: 0, rail: 4, band: 19, comb: 3 };
const ROOMY: LaneHeights = { lane: 38, queue: 14, warranty: 0, rail: 3, band: 14, comb: 3 };
const CLOSE: LaneHeights = { lane: 24, queue: 5, warranty: 0, rail: 2, band: 11, comb: 3 };
const DENSE: LaneHeights = { lane: 13, queue: 0, warranty: 0, rail: 2, band: 9, comb: 0 };
const TALL_LANES = 3;
/** On a very wide screen there is room for more of them. */
const VAST_TALL_LANES = 6;
const ROOMY_LANES = 24;
const CLOSE_LANES = 48;

/** Of the band of warranties, which is there while the time shown has any, with its gap. */
const WARRANTY_PX = 5;

/** Room for the tooltip. */
const HEIGHT_PX_MIN = 150;

const usualHeights = (lanes: number, isVast: boolean): LaneHeights =>
  lanes <= (isVast ? VAST_TALL_LANES : TALL_LANES) ? TALL : lanes <= ROOMY_LANES ? ROOMY : lanes <= CLOSE_LANES ? CLOSE : DENSE;

const withWarranties = (heights: LaneHeights): LaneHeights => ({ ...heights, lane: heights.lane + WARRANTY_PX, warranty: WARRANTY_PX });
/** By the same heights, so that the picture is redrawn only if they change. */
const WITH_WARRANTIES = new Map([TALL, ROOMY, CLOSE, DENSE].map((heights) => [heights, withWarranties(heights)]));

function heightsFor(lanes: number, hasWarranties: boolean, isVast: boolean): LaneHeights {
  const usual = usualHeights(lanes, isVast);
  return hasWarranties ? WITH_WARRANTIES.get(usual)! : usual;
}

export interface LaneChartProps {
  lanes: readonly RecordLane[];
  /** some warranty stood on one of them in the time shown */
  hasWarranties: boolean;
}

export function LaneChart({ lanes, hasWarranties }: LaneChartProps) {
  const axis = useTimeAxis();
  const selected = useSelectedRecord();
  const [picture] = useState(() => new LanePicture());
  const [point, setPoint] = useState<ChartPoint | null>(null);
  const [box, width] = useWidth();
  const { width: gutter, isVast } = useGutter();
  const heights = heightsFor(lanes.length, hasWarranties, isVast);
  // Each beat brings a new array of lanes: the picture is redrawn only if the lanes differ.
  const shown = useSame(lanes);
  const draw = useCallback(
    (drawing: Drawing) => {
      drawBackground(drawing, shown, selected, heights);
      picture.draw(drawing, shown, heights, drawing.store.records.modes);
    },
    [picture, shown, selected, heights],
  );
  const laneAt = ({ y }: ChartPoint) => lanes[Math.floor(y / heights.lane)];
  const pointed = point && point.x >= gutter ? laneAt(point) : undefined;
  const { span } = axis;
  return (
    <div ref={box}>
      <Chart
        title={`Lock phases of ${lanes.length} hot records over time`}
        height={Math.max(HEIGHT_PX_MIN, lanes.length * heights.lane)}
        draw={draw}
        onHover={setPoint}
        onSelect={(at) => {
          const lane = laneAt(at);
          if (lane) selectRecord(lane.key === selected ? null : lane.key);
        }}
      >
        <RecordLabels
          lanes={lanes}
          pitch={heights.lane}
          {...(heights.lane >= ROOMY.lane && { detail: (lane: RecordLane) => <LaneRates lane={lane} /> })}
        />
        {point && pointed && (
          <PhaseTip
            lane={pointed}
            at_ms={point.at_ms}
            ms_per_px={(span.to_ms - span.from_ms) / Math.max(1, width - gutter)}
            x={point.x}
            y={point.y}
          />
        )}
      </Chart>
    </div>
  );
}

/** The rates in the second that is pointed at in any chart; otherwise over the whole shown time. */
function LaneRates({ lane }: { lane: RecordLane }) {
  const { operations, waitMs, seconds } = useTelemetry(({ totals }, span, { hover_ms }) => {
    const counted = hover_ms === null ? span : around(hover_ms);
    return { ...lane.counts(counted), seconds: watched_ms(totals, counted) / 1_000 };
  });
  if (seconds === 0) return NOTHING;
  return (
    <>
      {formatCompact(Math.round(operations / seconds))}/s{waitMs >= seconds * 50 && `, ${figureWords(waitMs / seconds / 1_000)} waiting`}
    </>
  );
}

/** A line for each lane, which also shows that a record had no phases, and a background for the selected lane. */
function drawBackground(
  { context, palette, time, width, seen }: Drawing,
  lanes: readonly RecordLane[],
  selected: string | null,
  heights: LaneHeights,
): void {
  for (let index = 0; index < lanes.length; index += 1) {
    const top = index * heights.lane;
    if (top + heights.lane < seen.top || top > seen.bottom) continue;
    if (lanes[index]!.key === selected) {
      context.fillStyle = palette.accentSoft;
      context.fillRect(0, top, width, heights.lane);
    }
    context.fillStyle = palette.line;
    context.fillRect(time.left, top + aboveBand(heights) + heights.band - 1, time.right - time.left, 1);
  }
}
