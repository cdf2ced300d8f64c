// The one button: it starts the story's load under its modes in turn, and stops it. Beside it, how far the load is, or why it cannot be started.
import { classes } from '@claret/ui/kit';
import { toggleKeys, useKeysOn } from '../components/singleKeys.ts';
import { progressWords, SpikeProgress, StartStop } from '../laboratory/StartStop.tsx';
import { useLaboratory } from '../laboratory/useLaboratory.tsx';
import styles from './StoryControl.module.css';
import type { StoryView } from './storyView.ts';

export interface StoryControlProps {
  view: StoryView;
  toggle(): void;
}

export function StoryControl({ view, toggle }: StoryControlProps) {
  const { closed, noSpikes, spikes, isBusy, problem, token } = useLaboratory();
  const areKeysOn = useKeysOn();
  const running = spikes?.running ?? null;
  const why = token === 'not needed' ? (closed ?? noSpikes) : null;
  const { seconds, modes } = view.story;
  return (
    <div className={styles.control}>
      <div className={styles.row}>
        <StartStop
          {...{ running, isBusy }}
          className={styles.start}
          canStart={closed === null && spikes !== null}
          keys={areKeysOn ? 'Space' : undefined}
          start={toggle}
          stop={toggle}
        />
        <p className={styles.beside}>
          <span role={problem === null ? undefined : 'status'}>
            {problem ?? why ?? (running ? progressWords(running) : `${seconds * modes.length} s.`)}
          </span>
          <button type="button" className={classes(styles.keys, running && styles.hidden)} aria-pressed={areKeysOn} onClick={toggleKeys}>
            Keys: {areKeysOn ? `space, 1–${modes.length}` : 'off'}
          </button>
        </p>
      </div>
      {running && <SpikeProgress running={running} className={styles.progress} />}
    </div>
  );
}
