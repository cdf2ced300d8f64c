// The tooltip of the band of turns.
import { formatCounted } from '@claret/ui/kit';
import { ModeMark } from '../../chart/ModeMark.tsx';
import { msWords, shareWords } from '../../components/figures.ts';
import { Tip } from '../../components/Tip.tsx';
import type { TurnSlice } from '../../store/telemetryStore.ts';
import { isUnwatched } from '../../store/watched.ts';
import { instantWords } from '../../time/ticks.ts';
import { useTelemetry } from '../../time/useTimeAxis.tsx';
import { turnsAt, type ClientTurns } from './turnsAt.ts';

export interface TurnTipProps {
  at_ms: number;
  ms_per_px: number;
  /** of the pointer; the tooltip stands below the band */
  x: number;
}

export function TurnTip({ at_ms, ms_per_px, x }: TurnTipProps) {
  const { at, modes, isKnown } = useTelemetry((store) => ({
    at: turnsAt(store.turns, { from_ms: at_ms - ms_per_px / 2, to_ms: at_ms + ms_per_px / 2 }),
    modes: store.turns.modes,
    isKnown: !isUnwatched(store.totals, { from_ms: at_ms, to_ms: at_ms }),
  }));
  return (
    <Tip x={x} y={0} title={`Turns at ${instantWords(at_ms)}`}>
      {!isKnown ? (
        <p>Not known: no dashboard was open</p>
      ) : at.only !== null ? (
        <OneSlice slice={at.only} mode={modes[at.only.client]!} />
      ) : at.clients.length === 0 ? (
        <p>Nobody’s turn: no client had wide members to send</p>
      ) : (
        <Several clients={at.clients} modes={modes} ms_per_px={ms_per_px} />
      )}
    </Tip>
  );
}

function OneSlice({ slice, mode }: { slice: TurnSlice; mode: string }) {
  const { began_ms, ended_ms, turns, waiting, recalled, timedOut, isOpen } = slice;
  return (
    <>
      <p>
        <ModeMark mode={mode} isNamed /> {turns > 1 && <>{formatCounted(turns, 'turn', 'turns')}, </>}from {instantWords(began_ms)} for{' '}
        {msWords(ended_ms - began_ms)}
        {isOpen && ' so far'}
        {turns > 1 && ' in all'}
      </p>
      <p>{waiting === 0 ? 'No other client waited' : `${formatCounted(waiting, 'other client', 'other clients')} waited`}</p>
      <p>{endWords(turns, recalled, timedOut, isOpen)}</p>
    </>
  );
}

/** How the turns ended. */
function endWords(turns: number, recalled: number, timedOut: number, isOpen: boolean): string {
  if (turns > 1) return `${recalled} recalled${timedOut > 0 ? `, ${timedOut} of them timed out` : ''}`;
  if (timedOut > 0) return 'Recalled, and timed out';
  if (isOpen) return recalled > 0 ? 'Recalled, not yet given back' : 'Kept until another client wants one';
  return recalled > 0 ? 'Recalled, and given back' : 'Given back';
}

function Several({ clients, modes, ms_per_px }: { clients: readonly ClientTurns[]; modes: readonly string[]; ms_per_px: number }) {
  const sum = (name: 'turns' | 'recalled' | 'timedOut') => clients.reduce((all, client) => all + client[name], 0);
  return (
    <>
      <p>
        {formatCounted(sum('turns'), 'turn', 'turns')} around these {msWords(ms_per_px)}
      </p>
      {clients.map(({ client, share }) => (
        <p key={client}>
          <ModeMark mode={modes[client]!} isNamed /> {shareWords(share)} of that time
        </p>
      ))}
      <p>Up to {formatCounted(Math.max(...clients.map(({ waiting }) => waiting)), 'other client', 'other clients')} waited</p>
      <p>{endWords(2, sum('recalled'), sum('timedOut'), false)}</p>
    </>
  );
}
