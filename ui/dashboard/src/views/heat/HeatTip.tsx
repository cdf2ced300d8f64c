// The tooltip of a heatmap cell.
import { Tip } from '../../components/Tip.tsx';
import { useTelemetry } from '../../time/useTimeAxis.tsx';
import { cellWords, type Cell } from './cellWords.ts';

export function HeatTip({ cell, x, y }: { cell: Cell; x: number; y: number }) {
  const lines = useTelemetry((store) => cellWords(cell, store));
  return (
    <Tip x={x} y={y} title={cell.lane.key}>
      {lines.map((line) => (
        <p key={line}>{line}</p>
      ))}
    </Tip>
  );
}
