// The phase lanes as numbers: a row for each record and mode.
import { formatCount } from '@claret/ui/kit';
import { ModeMark } from '../../chart/ModeMark.tsx';
import { DataTable } from '../../components/DataTable.tsx';
import { msWords } from '../../components/figures.ts';
import { RecordKey } from '../../components/RecordKey.tsx';
import type { RecordLane, Span } from '../../store/telemetryStore.ts';
import { useTelemetry } from '../../time/useTimeAxis.tsx';
import { laneSummary } from './laneSummary.ts';

const nativesOf = (lane: RecordLane, span: Span) => ({
  executed: lane.sum(span, 'natives'),
  waits: lane.sum(span, 'nativeWaits'),
  breaks: lane.sum(span, 'nativeBreaks'),
});

export function PhasesTable({ lanes }: { lanes: readonly RecordLane[] }) {
  const { rows, modes } = useTelemetry((store, span) => ({
    modes: store.records.modes,
    rows: lanes.flatMap((lane) => laneSummary(lane, span).map((summary) => ({ lane, natives: nativesOf(lane, span), ...summary }))),
  }));
  return (
    <DataTable
      caption="Lock phases of hot records in the time shown, by record and mode"
      rows={rows}
      rowKey={({ lane, mode }) => `${lane.key} ${mode}`}
      columns={[
        { header: 'Record', cell: ({ lane }) => <RecordKey value={lane.key} /> },
        { header: 'Type', cell: ({ lane }) => lane.type },
        { header: 'Shard', cell: ({ lane }) => lane.shard, isNumber: true },
        { header: 'Mode', cell: ({ mode }) => <ModeMark mode={modes[mode] ?? ''} isNamed /> },
        { header: 'Share of the time', cell: ({ share }) => `${(share * 100).toFixed(1)}%`, isNumber: true },
        { header: 'Phases', cell: ({ phases }) => phases, isNumber: true },
        { header: 'Mean length', cell: ({ phases, mean_ms }) => (phases === 0 ? '–' : msWords(mean_ms)), isNumber: true },
        { header: 'Longest', cell: ({ phases, longest_ms }) => (phases === 0 ? '–' : msWords(longest_ms)), isNumber: true },
        { header: 'Operations admitted', cell: ({ letIn }) => formatCount(letIn), isNumber: true },
        { header: 'Ended by the time limit', cell: ({ capped }) => formatCount(capped), isNumber: true },
        { header: 'Natives on the record', cell: ({ natives }) => formatCount(natives.executed), isNumber: true },
        { header: 'Natives that waited', cell: ({ natives }) => formatCount(natives.waits), isNumber: true },
        { header: 'Broken by natives', cell: ({ natives }) => formatCount(natives.breaks), isNumber: true },
        { header: 'Longest queue', cell: ({ deepest }) => deepest, isNumber: true },
      ]}
    />
  );
}
