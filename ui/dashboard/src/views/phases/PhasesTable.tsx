// The phase lanes as numbers: a row for each record and mode.
import { formatCount } from '@claret/ui/kit';
import { ModeMark } from '../../chart/ModeMark.tsx';
import { DataTable } from '../../components/DataTable.tsx';
import { msWords } from '../../components/figures.ts';
import { RecordKey } from '../../components/RecordKey.tsx';
import type { RecordLane, Span } from '../../store/telemetryStore.ts';
import { useTelemetry } from '../../time/useTimeAxis.tsx';
import { laneSummary, type ModeSummary } from './laneSummary.ts';
import { warrantySummary, type WarrantySummary } from './warrantySummary.ts';

interface Row {
  lane: RecordLane;
  natives: ReturnType<typeof nativesOf>;
  warranties: WarrantySummary;
  mode: ModeSummary | null;
}

const nativesOf = (lane: RecordLane, span: Span) => ({
  executed: lane.sum(span, 'natives'),
  waits: lane.sum(span, 'nativeWaits'),
  breaks: lane.sum(span, 'nativeBreaks'),
});

const lengthWords = (mode: ModeSummary | null, name: 'mean_ms' | 'longest_ms'): string =>
  mode === null || mode.phases === 0 ? '–' : msWords(mode[name]);

/** A record of which results were promised may have had no phase: then its row has no mode. */
function rowsOf(lane: RecordLane, span: Span): Row[] {
  const natives = nativesOf(lane, span);
  const warranties = warrantySummary(lane, span);
  const modes: (ModeSummary | null)[] = laneSummary(lane, span);
  return (modes.length === 0 && warranties.count > 0 ? [null] : modes).map((mode) => ({ lane, natives, warranties, mode }));
}

export function PhasesTable({ lanes }: { lanes: readonly RecordLane[] }) {
  const { rows, modes } = useTelemetry((store, span) => ({
    modes: store.records.modes,
    rows: lanes.flatMap((lane) => rowsOf(lane, span)),
  }));
  return (
    <DataTable
      caption="Lock phases of hot records in the time shown, by record and mode"
      rows={rows}
      rowKey={({ lane, mode }) => `${lane.key} ${mode?.mode ?? ''}`}
      columns={[
        { header: 'Record', cell: ({ lane }) => <RecordKey value={lane.key} /> },
        { header: 'Type', cell: ({ lane }) => lane.type },
        { header: 'Shard', cell: ({ lane }) => lane.shard, isNumber: true },
        { header: 'Mode', cell: ({ mode }) => (mode === null ? '–' : <ModeMark mode={modes[mode.mode] ?? ''} isNamed />) },
        { header: 'Share of the time', cell: ({ mode }) => `${((mode?.share ?? 0) * 100).toFixed(1)}%`, isNumber: true },
        { header: 'Phases', cell: ({ mode }) => mode?.phases ?? 0, isNumber: true },
        { header: 'Mean length', cell: ({ mode }) => lengthWords(mode, 'mean_ms'), isNumber: true },
        { header: 'Longest', cell: ({ mode }) => lengthWords(mode, 'longest_ms'), isNumber: true },
        { header: 'Operations admitted', cell: ({ mode }) => formatCount(mode?.letIn ?? 0), isNumber: true },
        { header: 'Ended by the time limit', cell: ({ mode }) => formatCount(mode?.capped ?? 0), isNumber: true },
        { header: 'Warranties', cell: ({ warranties }) => formatCount(warranties.count), isNumber: true },
        { header: 'Warranties recalled', cell: ({ warranties }) => formatCount(warranties.recalled), isNumber: true },
        {
          header: 'Longest wait for a warranty',
          cell: ({ warranties }) => (warranties.recalled === 0 ? '–' : msWords(warranties.longest_ms)),
          isNumber: true,
        },
        { header: 'Natives on the record', cell: ({ natives }) => formatCount(natives.executed), isNumber: true },
        { header: 'Natives that waited', cell: ({ natives }) => formatCount(natives.waits), isNumber: true },
        { header: 'Broken by natives', cell: ({ natives }) => formatCount(natives.breaks), isNumber: true },
        { header: 'Longest queue', cell: ({ mode }) => mode?.deepest ?? 0, isNumber: true },
      ]}
    />
  );
}
