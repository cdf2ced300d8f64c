// The heatmap of hot records: which records were hot, when, and by which figure.
import { useCallback, useState } from 'react';
import { HeatScale } from '../../chart/heatRamp.ts';
import { Choice } from '../../components/Choice.tsx';
import { NO_TELEMETRY, Panel } from '../../components/Panel.tsx';
import { RecordOrder } from '../../components/recordOrder.ts';
import { useEmptyHint } from '../../components/useEmptyHint.ts';
import { Term } from '../../components/Term.tsx';
import type { TelemetryStore } from '../../store/telemetryStore.ts';
import type { Span } from '../../time/timeAxis.ts';
import { useTelemetry } from '../../time/useTimeAxis.tsx';
import { FIGURES, figureLook } from './figures.ts';
import { HeatChart } from './HeatChart.tsx';
import { HeatGrid, type HeatFigure, columnWidth_ms } from './heatGrid.ts';
import { HeatLegend } from './HeatLegend.tsx';
import { HeatTable } from './HeatTable.tsx';

/** About as many columns as fit into a panel. */
const COLUMNS = 60;
const COUNTS = ['5', '12', '24'] as const;
type Count = (typeof COUNTS)[number];
const COUNT_CHOICES = COUNTS.map((value) => ({ value, label: value }));

export function HeatPanel() {
  const hint = useEmptyHint();
  const [figure, setFigure] = useState<HeatFigure>('operations');
  const [count, setCount] = useState<Count>('5');
  const [order] = useState(() => new RecordOrder());
  const [grid] = useState(() => new HeatGrid());
  const read = useCallback(
    (store: TelemetryStore, span: Span) => {
      const lanes = order.arrange(store.records.lanes(span, figure, Number(count)));
      const column_ms = columnWidth_ms((span.to_ms - span.from_ms) / COLUMNS);
      grid.read(lanes, span, figure, column_ms, store.newest_ms ?? span.to_ms);
      return {
        lanes,
        column_ms,
        greatest: grid.greatest,
        hasRecords: store.records.lanes(span, 'heat', 1).length > 0,
        isKnown: store.newest_ms !== null,
      };
    },
    [order, grid, figure, count],
  );
  const { lanes, column_ms, greatest, hasRecords, isKnown } = useTelemetry(read);
  const { max } = new HeatScale(greatest);
  const look = figureLook(figure);
  return (
    <Panel
      id="hot-records"
      isFlat
      title={<Term word="hot record">Hot records</Term>}
      name="Hot records"
      isAboutBeside
      about={<HeatLegend max={max} unit={look.unit} />}
      tools={
        <>
          <Choice
            label="By"
            value={figure}
            choices={FIGURES}
            onChange={(value) => {
              order.forget();
              setFigure(value);
            }}
          />
          <Choice label="Rows" value={count} choices={COUNT_CHOICES} onChange={(value) => setCount(value)} />
        </>
      }
      table={() => <HeatTable lanes={lanes} />}
      empty={lanes.length > 0 ? null : isKnown ? emptyWords(figure, hasRecords, hint) : NO_TELEMETRY}
    >
      <HeatChart lanes={lanes} figure={figure} column_ms={column_ms} max={max} />
    </Panel>
  );
}

function emptyWords(figure: HeatFigure, hasRecords: boolean, hint: string): string {
  if (!hasRecords) return `No record was used in the time shown. ${hint}`;
  return figure === 'conflicts'
    ? 'No conflicts in the time shown: all operations that met commute.'
    : 'No transaction waited in the time shown.';
}
