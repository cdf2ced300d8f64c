// The first page: what Claret is and what it does, in one story. Cards that stay, the one record, why, and the run over time.
import { TokenForm } from '../laboratory/TokenForm.tsx';
import { Headline } from './Headline.tsx';
import { ModeCards } from './ModeCards.tsx';
import { Outcome } from './Outcome.tsx';
import { RecordLanes } from './RecordLanes.tsx';
import { RunChart } from './RunChart.tsx';
import { BIDS } from './stories.ts';
import { StoryControl } from './StoryControl.tsx';
import styles from './StoryPage.module.css';
import { useShippedRecording } from './useShippedRecording.ts';
import { useStory } from './useStory.ts';
import { useStoryActions } from './useStoryActions.ts';
import { useStoryKeys } from './useStoryKeys.ts';
import './ways.css';
import { Why } from './Why.tsx';

export function StoryPage() {
  const shipped = useShippedRecording();
  const view = useStory(BIDS, shipped);
  const actions = useStoryActions(view);
  useStoryKeys(actions);
  return (
    <div className={styles.page}>
      <title>Claret Dashboard</title>
      <div className={styles.top}>
        <div>
          <h1 className={styles.what}>Claret is a database for records that everybody writes at once.</h1>
          <Headline scene={view} />
        </div>
        <StoryControl view={view} toggle={actions.toggle} />
      </div>
      <TokenForm />
      <div className={styles.result}>
        <p className={styles.load}>
          <span>{BIDS.spike.clients} clients bid on one auction. Per commit:</span>
          {view.isShipped && <b>{recordedWords(shipped?.cores ?? null)}</b>}
        </p>
        <ModeCards view={view} shut={actions.shut} onPress={actions.press} />
      </div>
      <div className={styles.meeting}>
        <RecordLanes view={view} />
        <Why view={view} />
      </div>
      <RunChart view={view} />
      <Outcome story={BIDS} />
    </div>
  );
}

/** Where the cards' figures are from before anything was measured. */
function recordedWords(cores: number | null): string {
  return `Recorded${cores === null ? '' : ` on ${cores} cores`}; press Start to measure yours.`;
}
