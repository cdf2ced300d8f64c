// The story of the load that runs or ran last, or of one that was chosen, above everything that can be explored. Its cards are the switches of the
// cluster: while its load runs until that ends, else for good. What belongs to no card is among the settings.
import { areKeysOn } from '../components/singleKeys.ts';
import { TriangleAlert } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { areSame } from '../laboratory/conditions.ts';
import { LoadControl } from '../laboratory/LoadControl.tsx';
import { usualLoad, type Load } from '../laboratory/load.ts';
import { NormalMode } from '../laboratory/NormalMode.tsx';
import { SettingsButton } from '../laboratory/SettingsButton.tsx';
import { spikeName, spikeWords } from '../laboratory/spikeNames.ts';
import { storeStretches } from '../laboratory/stretches.ts';
import { TokenForm } from '../laboratory/TokenForm.tsx';
import { NOT_KNOWN_YET, useLaboratory } from '../laboratory/useLaboratory.tsx';
import type { TelemetryStore } from '../store/telemetryStore.ts';
import { isOwn } from '../time/timeKeys.ts';
import { useTelemetry, useTimeAxis } from '../time/useTimeAxis.tsx';
import { Headline } from './Headline.tsx';
import { ModeCards } from './ModeCards.tsx';
import { Outcome } from './Outcome.tsx';
import { BIDS, STORIES, storyOf } from './stories.ts';
import styles from './StoryStrip.module.css';
import { useStory } from './useStory.ts';
import './ways.css';

export function StoryStrip() {
  const { isKnown, closed, spikes, isBusy, problem, switchSpike, switchTo } = useLaboratory();
  const axis = useTimeAxis();
  const [chosen, setChosen] = useState<string | null>(null);
  const [wanted, setWanted] = useState<Load | null>(null);
  const seen = useTelemetry(newestSpike);
  const conditions = useTelemetry((store) => store.conditions);
  const running = spikes?.running ?? null;
  const name = running?.spike ?? chosen ?? seen ?? spikes?.last?.spike ?? BIDS.spike.spike;
  const story = storyOf(name) ?? BIDS;
  const load = wanted?.spike === story.spike.spike ? wanted : usualLoad(story);
  const view = useStory(story, null);
  const inForce = conditions === null ? -1 : story.modes.findIndex((mode) => areSame(mode.conditions, conditions));
  const shut = isKnown ? (closed ?? (conditions === null ? NOT_KNOWN_YET : null)) : NOT_KNOWN_YET;
  const press = (place: number) => {
    const mode = story.modes[place];
    if (mode === undefined || place === inForce || shut !== null || isBusy) return;
    axis.follow();
    void (running === null ? switchTo(mode.conditions) : switchSpike(mode.conditions));
  };
  useDigits((card) => running !== null && press(card));
  return (
    <section className={styles.strip} aria-label="The story of a load">
      <div className={styles.top}>
        <Headline scene={view} isSmall />
        <div className={styles.tools}>
          <select
            className={styles.choice}
            aria-label="Which load"
            title={spikeWords(story.spike.spike).about}
            value={story.spike.spike}
            disabled={running !== null}
            onChange={({ target }) => setChosen(target.value)}
          >
            {STORIES.map(({ spike }) => (
              <option key={spike.spike} value={spike.spike}>
                {spikeName(spike.spike)}
              </option>
            ))}
          </select>
          <SettingsButton load={load} modes={story.modes.length} onChange={setWanted} />
          <LoadControl load={load} kind={story} />
        </div>
      </div>
      <ModeCards view={{ ...view, shown: inForce < 0 ? null : inForce }} shut={shut} onPress={press} />
      <div className={styles.state}>
        <Outcome story={story} />
        {problem !== null && (
          <p className={styles.problem} role="status">
            <TriangleAlert size={15} aria-hidden="true" /> {problem}
          </p>
        )}
        <NormalMode />
      </div>
      <TokenForm />
    </section>
  );
}

/** A digit is the card of that number. */
function useDigits(press: (card: number) => void): void {
  const newest = useRef(press);
  useEffect(() => {
    newest.current = press;
  });
  useEffect(() => {
    const onKeyDown = ({ key, target, defaultPrevented, altKey, ctrlKey, metaKey, repeat }: KeyboardEvent) => {
      if (!areKeysOn() || defaultPrevented || altKey || ctrlKey || metaKey || repeat || isOwn(target instanceof Element ? target : null))
        return;
      if (/^[1-4]$/.test(key)) newest.current(Number(key) - 1);
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
}

const newestSpike = (store: TelemetryStore): string | null => storeStretches(store).findLast(({ spike }) => spike !== null)?.spike ?? null;
