// The tooltip of the phase lanes.
import { formatCounted } from '@claret/ui/kit';
import { ModeMark } from '../../chart/ModeMark.tsx';
import type { TimeScale } from '../../chart/timeScale.ts';
import { msWords, shareWords } from '../../components/figures.ts';
import { Tip } from '../../components/Tip.tsx';
import type { RecordLane, ToldWarranty } from '../../store/telemetryStore.ts';
import { instantWords } from '../../time/ticks.ts';
import { isRun } from '../../store/runs.ts';
import { isUnwatched } from '../../store/watched.ts';
import { useTelemetry } from '../../time/useTimeAxis.tsx';
import { phasesAt, type NativesAt, type PhasesAt, type ToldPhase } from './phasesAt.ts';

export interface PhaseTipProps {
  lane: RecordLane;
  at_ms: number;
  ms_per_px: TimeScale['ms_per_px'];
  x: number;
  y: number;
}

export function PhaseTip({ lane, at_ms, ms_per_px, x, y }: PhaseTipProps) {
  const { at, modes, newest_ms, isKnown } = useTelemetry((store) => ({
    at: phasesAt(lane, at_ms - ms_per_px / 2, at_ms + ms_per_px / 2),
    modes: store.records.modes,
    newest_ms: store.newest_ms ?? at_ms,
    isKnown: !isUnwatched(store.totals, { from_ms: at_ms, to_ms: at_ms }),
  }));
  if (!isKnown) {
    return (
      <Tip x={x} y={y} title={lane.key}>
        <p>Not known at {instantWords(at_ms)}: no dashboard was open</p>
      </Tip>
    );
  }
  return (
    <Tip x={x} y={y} title={lane.key}>
      {at.only ? (
        <OnePhase phase={at.only} modes={modes} isGoingOn={at.only.ended_ms >= newest_ms} />
      ) : (
        <SeveralPhases at={at} modes={modes} at_ms={at_ms} width_ms={ms_per_px} />
      )}
      <Waiting waiting={at.waiting} modes={modes} />
      {at.natives && <Natives natives={at.natives} />}
      <Warranties warranties={at.warranties} at_ms={at_ms} />
    </Tip>
  );
}

function OnePhase({ phase, modes, isGoingOn }: { phase: ToldPhase; modes: readonly string[]; isGoingOn: boolean }) {
  const { mode, began_ms, ended_ms, letIn, capped } = phase;
  return (
    <>
      <p>
        <ModeMark mode={modes[mode] ?? ''} isNamed /> from {instantWords(began_ms)} for {msWords(ended_ms - began_ms)}
        {isGoingOn && ' so far'}
      </p>
      <p>
        {formatCounted(letIn, 'operation', 'operations')} {isRun(modes[mode] ?? '') ? 'executed' : 'admitted'}
        {capped && '; ended by its time limit'}
      </p>
    </>
  );
}

function SeveralPhases({ at, modes, at_ms, width_ms }: { at: PhasesAt; modes: readonly string[]; at_ms: number; width_ms: number }) {
  if (at.count === 0) return <p>No phase at {instantWords(at_ms)}: nothing waited</p>;
  const shares = [...at.shares].sort(([, one], [, other]) => other - one);
  return (
    <>
      <p>
        {at.count} phases within {msWords(width_ms)} at {instantWords(at_ms)}
      </p>
      {shares.map(([mode, share]) => (
        <p key={mode}>
          <ModeMark mode={modes[mode] ?? ''} isNamed /> {shareWords(share)} of that time
        </p>
      ))}
      <p>
        {formatCounted(at.letIn, 'operation', 'operations')} admitted; {at.capped} ended by the time limit
      </p>
    </>
  );
}

function Waiting({ waiting, modes }: { waiting: ReadonlyMap<number, number>; modes: readonly string[] }) {
  if (waiting.size === 0) return <p>Nothing waits</p>;
  return (
    <p>
      Waiting:{' '}
      {[...waiting].map(([mode, count], index) => (
        <span key={mode}>
          {index > 0 && ', '}
          {count} to {modes[mode]}
        </span>
      ))}
    </p>
  );
}

const WARRANTIES_TOLD = 3;

/** The warranties of that moment; the longest waits for their ends first. */
function Warranties({ warranties, at_ms }: { warranties: readonly ToldWarranty[]; at_ms: number }) {
  const waited = ({ ended_ms, recalled_ms }: ToldWarranty) => ended_ms - recalled_ms;
  const told = warranties.toSorted((one, other) => waited(other) - waited(one) || one.began_ms - other.began_ms);
  return (
    <>
      {told.slice(0, WARRANTIES_TOLD).map((one, place) => (
        <p key={place}>
          Warranty of {one.operation}
          {one.stands && `, which ${formatCounted(one.holders, 'client has', 'clients have')},`} from {instantWords(one.began_ms)}
          {waited(one) > 0 && one.recalled_ms <= at_ms
            ? `; a change waited ${msWords(waited(one))} for its end${one.stands ? ' so far' : ''}${one.lapsed ? ': a client was silent' : ''}`
            : ` for ${msWords(one.ended_ms - one.began_ms)}${one.stands ? ' so far' : ''}`}
        </p>
      ))}
      {told.length > WARRANTIES_TOLD && <p>{told.length - WARRANTIES_TOLD} more warranties</p>}
    </>
  );
}

function Natives({ natives: { from_ms, to_ms, executed, waits, breaks } }: { natives: NativesAt }) {
  return (
    <>
      <p>
        {formatCounted(executed, 'native', 'natives')} within {msWords(to_ms - from_ms)}
      </p>
      {waits > 0 && <p>{waits} of them had to wait</p>}
      {breaks > 0 && <p>▲ They broke {formatCounted(breaks, 'transaction', 'transactions')}</p>}
    </>
  );
}
