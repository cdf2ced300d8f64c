import { useState } from 'react';
import { useFeed } from '../feed/useFeed.tsx';
import { useLaboratory } from '../laboratory/useLaboratory.tsx';
import { useTelemetry } from '../time/useTimeAxis.tsx';
import type { Story } from './stories.ts';
import { viewOf, type StoryView } from './storyView.ts';
import type { Shipped } from './useShippedRecording.ts';

/** A story, evaluated at most four times a second. `choose`: the mode to show while none of its own runs. */
export function useStory(story: Story, shipped: Shipped | null): StoryView & { choose(mode: number): void } {
  const [chosen, choose] = useState<number | null>(null);
  const { replay } = useFeed();
  const { spikes } = useLaboratory();
  const state = spikes?.running?.line?.state ?? (spikes?.running ? 'preparing' : null);
  const view = useTelemetry((store) => viewOf(store, story, { shipped, chosen, state, isReplay: replay?.isShipped === true }));
  return { ...view, choose };
}
