// The heatmap's picture: cells are selected with the pointer or the arrow keys.
import { formatCompact } from '@claret/ui/kit';
import { useCallback, useId, useState, type KeyboardEvent } from 'react';
import { Chart } from '../../chart/Chart.tsx';
import type { Drawing } from '../../chart/drawing.ts';
import { HeatScale } from '../../chart/heatRamp.ts';
import { NOTHING } from '../../components/figures.ts';
import { RecordLabels } from '../../components/RecordLabels.tsx';
import { selectRecord, useSelectedRecord } from '../../components/selectedRecord.ts';
import { useSame } from '../../components/useSame.ts';
import { useWidth } from '../../components/useWidth.ts';
import type { RecordLane } from '../../store/telemetryStore.ts';
import { watched_ms } from '../../store/watched.ts';
import { useGutter } from '../../time/gutter.ts';
import { useTelemetry, useTimeAxis } from '../../time/useTimeAxis.tsx';
import { cellWords, type Cell } from './cellWords.ts';
import { drawHeat } from './drawHeat.ts';
import styles from './HeatChart.module.css';
import { HeatGrid, type HeatFigure } from './heatGrid.ts';
import { HeatTip } from './HeatTip.tsx';

/** As high as a name has to be to be hit. */
const ROW_PX = 24;
/** Room for the tooltip. */
const HEIGHT_PX_MIN = 120;

export interface HeatChartProps {
  lanes: readonly RecordLane[];
  figure: HeatFigure;
  column_ms: number;
  /** the scale's end */
  max: number;
}

export function HeatChart({ lanes, figure, column_ms, max }: HeatChartProps) {
  const axis = useTimeAxis();
  const selected = useSelectedRecord();
  const [grid] = useState(() => new HeatGrid());
  const [pointed, setPointed] = useState<(Cell & { x: number; y: number }) | null>(null);
  const [box, width] = useWidth();
  const id = useId();
  const cursor = useCursor(lanes, column_ms);
  const { width: gutter } = useGutter();
  const shown = useSame(lanes);
  const cell = cursor.cell ?? pointed;
  const [outlinedKey, outlinedFrom_ms] = [cell?.lane.key, cell?.from_ms];
  const draw = useCallback(
    (drawing: Drawing) => {
      grid.read(shown, drawing.time, figure, column_ms, drawing.store.newest_ms ?? drawing.time.to_ms);
      const outlined =
        outlinedKey === undefined ? null : { row: shown.findIndex(({ key }) => key === outlinedKey), from_ms: outlinedFrom_ms! };
      drawHeat(
        drawing,
        grid,
        new HeatScale(max),
        ROW_PX,
        shown.findIndex(({ key }) => key === selected),
        outlined,
      );
    },
    [grid, shown, figure, column_ms, max, selected, outlinedKey, outlinedFrom_ms],
  );
  const words = useTelemetry((store) => (cursor.cell ? cellWords(cursor.cell, store).join(', ') : ''));
  const place = cursor.cell && { x: width / 2, y: (lanes.indexOf(cursor.cell.lane) + 1) * ROW_PX };
  return (
    <div ref={box} className={styles.box}>
      <div
        className={styles.grid}
        role="grid"
        tabIndex={0}
        aria-label="Hot records over time. Arrow keys move from cell to cell; Enter highlights the record."
        aria-rowcount={lanes.length}
        aria-activedescendant={cursor.cell ? id : undefined}
        onKeyDown={cursor.onKeyDown}
        onBlur={cursor.leave}
      >
        <div role="row" className="visually-hidden">
          <span role="gridcell" id={id} aria-live="polite">
            {words}
          </span>
        </div>
      </div>
      <Chart
        title={`Heat of ${lanes.length} records over time`}
        height={Math.max(HEIGHT_PX_MIN, lanes.length * ROW_PX)}
        draw={draw}
        onHover={(point) => {
          const lane = point && point.x >= gutter ? lanes[Math.floor(point.y / ROW_PX)] : undefined;
          setPointed(point && lane ? { ...point, lane, from_ms: Math.floor(point.at_ms / column_ms) * column_ms, column_ms } : null);
        }}
        onSelect={({ y }) => {
          const lane = lanes[Math.floor(y / ROW_PX)];
          if (lane) selectRecord(lane.key === selected ? null : lane.key);
        }}
      >
        <RecordLabels lanes={lanes} pitch={ROW_PX} value={(lane) => <LaneValue lane={lane} figure={figure} column_ms={column_ms} />} />
        {cursor.cell && place ? (
          <HeatTip cell={cursor.cell} x={cellX(axis.span, cursor.cell, gutter, width)} y={place.y} />
        ) : (
          pointed && <HeatTip cell={pointed} x={pointed.x} y={pointed.y} />
        )}
      </Chart>
    </div>
  );
}

/** The value in the column that is pointed at in any chart; otherwise over the whole shown time. */
function LaneValue({ lane, figure, column_ms }: { lane: RecordLane; figure: HeatFigure; column_ms: number }) {
  return useTelemetry(({ totals }, span, { hover_ms }) => {
    const from_ms = hover_ms === null ? null : Math.floor(hover_ms / column_ms) * column_ms;
    const counted = from_ms === null ? span : { from_ms, to_ms: from_ms + column_ms };
    const seconds = watched_ms(totals, counted) / 1_000;
    return seconds > 0 ? formatCompact(Math.round(lane.counts(counted)[figure] / seconds)) : NOTHING;
  });
}

function cellX(span: { from_ms: number; to_ms: number }, { from_ms, column_ms }: Cell, left: number, width: number): number {
  return left + ((from_ms + column_ms - span.from_ms) / (span.to_ms - span.from_ms)) * (width - left);
}

/** The cell selected with the arrow keys; null while the keys are not in use. */
function useCursor(lanes: readonly RecordLane[], column_ms: number) {
  const axis = useTimeAxis();
  const [at, setAt] = useState<{ key: string; at_ms: number } | null>(null);
  const lane = lanes.find(({ key }) => key === at?.key);
  const cell: Cell | null = at && lane ? { lane, from_ms: Math.floor(at.at_ms / column_ms) * column_ms, column_ms } : null;
  const go = (rows: number, columns: number) => {
    const { from_ms, to_ms } = axis.span;
    const row = lane ? lanes.indexOf(lane) + rows : 0;
    const to = lanes[Math.min(lanes.length - 1, Math.max(0, row))];
    if (to === undefined) return;
    const from = cell ? cell.from_ms + columns * column_ms : to_ms - column_ms * 2;
    const at_ms = Math.min(to_ms - 1, Math.max(from_ms, from + column_ms / 2));
    setAt({ key: to.key, at_ms });
    axis.hover(at_ms);
  };
  const leave = () => {
    setAt(null);
    axis.hover(null);
  };
  const keys: Record<string, () => void> = {
    ArrowUp: () => go(-1, 0),
    ArrowDown: () => go(1, 0),
    ArrowLeft: () => go(0, -1),
    ArrowRight: () => go(0, 1),
    Enter: () => lane && selectRecord(lane.key),
    Escape: leave,
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const press = keys[event.key];
    if (press === undefined || event.altKey || event.ctrlKey || event.metaKey || event.target !== event.currentTarget) return;
    event.preventDefault();
    press();
  };
  return { cell, onKeyDown, leave };
}
