// The heatmap of hot records: which of them were hot when, and by what.
import { useCallback, useState } from 'react';
import { HeatScale } from '../../chart/heatRamp.ts';
import { Choice } from '../../parts/Choice.tsx';
import { Panel } from '../../parts/Panel.tsx';
import { RecordOrder } from '../../parts/recordOrder.ts';
import type { TelemetryStore } from '../../store/telemetryStore.ts';
import type { Span } from '../../time/timeAxis.ts';
import { useTelemetry } from '../../time/useTimeAxis.tsx';
import { FIGURES, figureLook } from './figures.ts';
import { HeatChart } from './HeatChart.tsx';
import { HeatGrid, type HeatFigure, columnWidth_ms } from './heatGrid.ts';
import { HeatLegend } from './HeatLegend.tsx';
import { HeatTable } from './HeatTable.tsx';

const ROWS = 24;
/** About as many columns as a panel has room for. */
const COLUMNS = 40;

export function HeatPanel() {
  const [figure, setFigure] = useState<HeatFigure>('operations');
  const [order] = useState(() => new RecordOrder());
  const [grid] = useState(() => new HeatGrid());
  const read = useCallback(
    (store: TelemetryStore, span: Span) => {
      const lanes = order.arrange(store.records.lanes(span, figure, ROWS));
      const column_ms = columnWidth_ms((span.to_ms - span.from_ms) / COLUMNS);
      grid.read(lanes, span, figure, column_ms, store.newest_ms ?? span.to_ms);
      return { lanes, column_ms, greatest: grid.greatest, hasRecords: store.records.lanes(span, 'heat', 1).length > 0 };
    },
    [order, grid, figure],
  );
  const { lanes, column_ms, greatest, hasRecords } = useTelemetry(read);
  const { max } = new HeatScale(greatest);
  const look = figureLook(figure);
  return (
    <Panel
      title="What is hot, and when?"
      about={
        <>
          Records down, time across: {look.about}. <HeatLegend max={max} unit={look.unit} />
        </>
      }
      tools={
        <Choice
          label="Show"
          value={figure}
          choices={FIGURES}
          onChange={(value) => {
            order.forget();
            setFigure(value);
          }}
        />
      }
      table={() => <HeatTable lanes={lanes} />}
      empty={lanes.length > 0 ? null : emptyWords(figure, hasRecords)}
    >
      <HeatChart lanes={lanes} figure={figure} column_ms={column_ms} max={max} />
    </Panel>
  );
}

function emptyWords(figure: HeatFigure, hasRecords: boolean): string {
  if (!hasRecords) return 'Nothing touches any record in the time shown. Start a spike, or show more time.';
  return figure === 'conflicts' ? 'No conflicts in the time shown: whatever met, commuted.' : 'Nobody has waited in the time shown.';
}
