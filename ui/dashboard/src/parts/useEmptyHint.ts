import { useFeed } from '../feed/useFeed.tsx';

/** What would bring something to an empty view. */
export function useEmptyHint(): string {
  const { source } = useFeed();
  return `${source === 'recording' ? 'Play on' : 'Start a load spike'}, or choose a longer time range.`;
}
