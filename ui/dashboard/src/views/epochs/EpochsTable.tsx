// The lanes of epochs as numbers: a row for each shard.
import { formatCount } from '@claret/ui/kit';
import { DataTable } from '../../components/DataTable.tsx';
import { msWords, NOTHING, shareWords } from '../../components/figures.ts';
import { useTelemetry } from '../../time/useTimeAxis.tsx';
import { shardEpochs } from './epochsAt.ts';

export function EpochsTable() {
  const rows = useTelemetry((store, span) => store.epochs.lanes.map((lane) => shardEpochs(lane, span)).filter(({ epochs }) => epochs > 0));
  return (
    <DataTable
      caption="Epochs in the time shown, by shard"
      rows={rows}
      rowKey={({ shard }) => String(shard)}
      columns={[
        { header: 'Shard', cell: ({ shard }) => shard, isNumber: true },
        { header: 'Epochs', cell: ({ epochs }) => formatCount(epochs), isNumber: true },
        { header: 'Writes', cell: ({ writes }) => formatCount(writes), isNumber: true },
        { header: 'Reads', cell: ({ reads }) => formatCount(reads), isNumber: true },
        { header: 'Operations', cell: ({ operations }) => formatCount(operations), isNumber: true },
        { header: 'Came back', cell: ({ cameBack }) => formatCount(cameBack), isNumber: true },
        { header: 'Called off', cell: ({ calledOff }) => formatCount(calledOff), isNumber: true },
        { header: 'Late shards', cell: ({ late }) => (late.length > 0 ? late.join(', ') : NOTHING), isNumber: true },
        { header: 'Time held', cell: ({ heldShare }) => shareWords(heldShare), isNumber: true },
        { header: 'Mean held', cell: ({ held_ms }) => msWords(held_ms), isNumber: true },
        { header: 'Mean turn', cell: ({ turn_ms }) => msWords(turn_ms), isNumber: true },
      ]}
    />
  );
}
