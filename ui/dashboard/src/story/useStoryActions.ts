// What a person can do with a story: start and stop its load, and press a card. While the load runs, a card switches the cluster to its mode
// until the load ends; else it only shows what was measured.
import { NOT_KNOWN_YET, useLaboratory } from '../laboratory/useLaboratory.tsx';
import { useTimeAxis } from '../time/useTimeAxis.tsx';
import { wishOf } from './stories.ts';
import type { StoryKeys } from './useStoryKeys.ts';
import type { useStory } from './useStory.ts';

export interface StoryActions extends StoryKeys {
  /** why a press of a card would be lost, in a sentence; null: it would not */
  shut: string | null;
}

export function useStoryActions(view: ReturnType<typeof useStory>): StoryActions {
  const { isKnown, closed, spikes, isBusy, start, stop, switchSpike } = useLaboratory();
  const axis = useTimeAxis();
  const { story, running, choose } = view;
  const canAct = closed === null && spikes !== null && !isBusy;
  const shut = isKnown ? null : NOT_KNOWN_YET;
  return {
    shut,
    toggle: () => {
      if (!canAct) return;
      axis.follow();
      void (spikes.running === null ? start(wishOf(story)) : stop());
    },
    press: (place) => {
      const mode = story.modes[place];
      if (mode === undefined || shut !== null) return;
      choose(place);
      if (canAct && spikes.running?.spike === story.spike.spike && running !== place) void switchSpike(mode.conditions);
    },
  };
}
