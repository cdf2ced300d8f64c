// The heatmap as numbers: a row for each record, over the whole shown time.
import { DataTable } from '../../components/DataTable.tsx';
import { figureWords } from '../../components/figures.ts';
import { RecordKey } from '../../components/RecordKey.tsx';
import type { RecordLane } from '../../store/telemetryStore.ts';
import { watched_ms } from '../../store/watched.ts';
import { useTelemetry } from '../../time/useTimeAxis.tsx';

export function HeatTable({ lanes }: { lanes: readonly RecordLane[] }) {
  const rows = useTelemetry((store, span) => {
    const seconds = watched_ms(store.totals, span) / 1_000;
    return lanes.map((lane) => ({ lane, seconds, ...lane.counts(span) }));
  });
  type Row = (typeof rows)[number];
  const rate = (header: string, count: (row: Row) => number) => ({
    header,
    cell: (row: Row) => figureWords(row.seconds > 0 ? count(row) / row.seconds : null),
    isNumber: true,
  });
  return (
    <DataTable
      caption="Hot records over the time shown"
      rows={rows}
      rowKey={({ lane }) => lane.key}
      columns={[
        { header: 'Record', cell: ({ lane }) => <RecordKey value={lane.key} /> },
        { header: 'Type', cell: ({ lane }) => lane.type },
        { header: 'Shard', cell: ({ lane }) => lane.shard, isNumber: true },
        rate('Operations/s', ({ operations }) => operations),
        rate('Conflicts/s', ({ conflicts }) => conflicts),
        rate('Waits/s', ({ waits }) => waits),
        rate('ms of waiting/s', ({ waitMs }) => waitMs),
      ]}
    />
  );
}
