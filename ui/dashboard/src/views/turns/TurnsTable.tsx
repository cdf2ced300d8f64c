// The band of turns as numbers: a row for each client.
import { formatCount } from '@claret/ui/kit';
import { ModeMark } from '../../chart/ModeMark.tsx';
import { DataTable } from '../../components/DataTable.tsx';
import { msWords, shareWords } from '../../components/figures.ts';
import { useTelemetry } from '../../time/useTimeAxis.tsx';
import { clientTurns } from './turnsAt.ts';

export function TurnsTable() {
  const { rows, modes } = useTelemetry((store, span) => ({ modes: store.turns.modes, rows: clientTurns(store.turns, span) }));
  return (
    <DataTable
      caption="Turns in the time shown, by client"
      rows={rows}
      rowKey={({ client }) => String(client)}
      columns={[
        { header: 'Client', cell: ({ client }) => <ModeMark mode={modes[client]!} isNamed /> },
        { header: 'Share of the time', cell: ({ share }) => shareWords(share), isNumber: true },
        { header: 'Turns', cell: ({ turns }) => formatCount(turns), isNumber: true },
        { header: 'Mean length', cell: ({ mean_ms }) => msWords(mean_ms), isNumber: true },
        { header: 'Longest', cell: ({ longest_ms }) => msWords(longest_ms), isNumber: true },
        { header: 'Recalled', cell: ({ recalled }) => formatCount(recalled), isNumber: true },
        { header: 'Timed out', cell: ({ timedOut }) => formatCount(timedOut), isNumber: true },
        { header: 'Most waiting', cell: ({ waiting }) => formatCount(waiting), isNumber: true },
      ]}
    />
  );
}
