import { useFeed } from '../feed/useFeed.tsx';

/** A hint what would fill an empty view. */
export function useEmptyHint(): string {
  const { source } = useFeed();
  return `${source === 'recording' ? 'Play on' : 'Start a load'}, or choose a longer time range.`;
}
