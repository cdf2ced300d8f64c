import { formatCounted } from '@claret/ui/kit';
import { msWords, shareWords } from '../../components/figures.ts';
import { Tip } from '../../components/Tip.tsx';
import type { EpochLane, ToldEpochs } from '../../store/telemetryStore.ts';
import { isUnwatched } from '../../store/watched.ts';
import { instantWords } from '../../time/ticks.ts';
import { useTelemetry } from '../../time/useTimeAxis.tsx';
import { epochsAt, type ShardEpochs } from './epochsAt.ts';
import { calledOffWords, cameBackWords, committedWords, lengthWords } from './epochWords.ts';

export interface EpochTipProps {
  lane: EpochLane;
  at_ms: number;
  ms_per_px: number;
  /** of the pointer, in the chart */
  x: number;
  y: number;
}

export function EpochTip({ lane, at_ms, ms_per_px, x, y }: EpochTipProps) {
  const { at, isKnown } = useTelemetry((store) => ({
    at: epochsAt(lane, { from_ms: at_ms - ms_per_px / 2, to_ms: at_ms + ms_per_px / 2 }),
    isKnown: !isUnwatched(store.totals, { from_ms: at_ms, to_ms: at_ms }),
  }));
  const { only, several, gathered } = at;
  return (
    <Tip x={x} y={y} title={`Shard ${lane.shard} at ${instantWords(at_ms)}`}>
      {!isKnown ? (
        <p>Not known: no dashboard was open</p>
      ) : (
        <>
          {only !== null ? <OneSlice slice={only} /> : several !== null ? <Several of={several} ms_per_px={ms_per_px} /> : <p>No epoch</p>}
          {gathered !== null && <p>{gatheredWords(gathered)}</p>}
        </>
      )}
    </Tip>
  );
}

/** Nothing is held by those that are gathered. */
const gatheredWords = ({ reads, writes, cameBack, epochs, began_ms }: ToldEpochs): string =>
  `${formatCounted(reads + writes + cameBack, 'member', 'members')} gathered for ${epochs === 1 ? 'the epoch' : 'the epochs'} from ${instantWords(began_ms)}`;

function OneSlice({ slice }: { slice: ToldEpochs }) {
  const { manager, began_ms, gathered_ms, epochs, readOperations, writeOperations, cameBack } = slice;
  return (
    <>
      <p>
        {epochs === 1 ? 'Epoch' : `${epochs} epochs`} from {instantWords(began_ms)}, managed by shard {manager}
      </p>
      <p>
        {lengthWords(slice)}
        {epochs > 1 && ', in all'}
      </p>
      <p>Members gathered for up to {msWords(began_ms - gathered_ms)}</p>
      <Ends of={{ ...slice, operations: readOperations + writeOperations }} cameBack={cameBack} />
    </>
  );
}

function Several({ of, ms_per_px }: { of: ShardEpochs; ms_per_px: number }) {
  return (
    <>
      <p>
        {formatCounted(of.epochs, 'epoch', 'epochs')} around these {msWords(ms_per_px)}, {shareWords(of.heldShare)} of that time held
      </p>
      <p>
        Each held for {msWords(of.held_ms)}, turn of {msWords(of.turn_ms)}
      </p>
      <Ends of={of} cameBack={of.cameBack} />
    </>
  );
}

type Ended = Parameters<typeof committedWords>[0] & Parameters<typeof calledOffWords>[0];

function Ends({ of, cameBack }: { of: Ended; cameBack: number }) {
  const [off, back] = [calledOffWords(of), cameBackWords(cameBack)];
  return (
    <>
      <p>{committedWords(of)}</p>
      {back !== null && <p>{back}</p>}
      {off !== null && <p>{off}</p>}
    </>
  );
}
