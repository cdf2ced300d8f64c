// The one button: it starts the load that is set, and stops what runs. Beside it, how far the load is, or why none can be started.
import { useTimeAxis } from '../time/useTimeAxis.tsx';
import styles from './Laboratory.module.css';
import { wishFor, type Load, type LoadKind } from './load.ts';
import { progressWords, SpikeProgress, StartStop } from './StartStop.tsx';
import { useLaboratory } from './useLaboratory.tsx';

export function LoadControl({ load, kind }: { load: Load; kind: LoadKind }) {
  const { closed, noSpikes, spikes, isBusy, start, stop } = useLaboratory();
  const axis = useTimeAxis();
  const running = spikes?.running ?? null;
  const begin = () => {
    axis.follow();
    void start(wishFor(load, kind));
  };
  return (
    <div className={styles.control}>
      <StartStop
        {...{ running, isBusy }}
        className={styles.start}
        canStart={closed === null && spikes?.spikes.includes(load.spike) === true}
        start={begin}
        stop={() => void stop()}
      />
      <p className={styles.beside}>
        {running === null ? (closed ?? noSpikes ?? loadWords(load, kind)) : `${running.clients} clients, ${progressWords(running)}`}
        {running !== null && <SpikeProgress running={running} className={styles.progress} />}
      </p>
    </div>
  );
}

function loadWords({ clients, seconds, isInTurn }: Load, { modes }: LoadKind): string {
  const under = isInTurn ? `${modes.length} modes in turn` : 'the mode in force';
  return `${clients} clients, ${seconds} s, ${under}`;
}
