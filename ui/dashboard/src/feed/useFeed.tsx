// React's access to the feed: what is shown, the state of its source, and its controls.
import { createContext, use, useEffect, useState, useSyncExternalStore, type ReactNode } from 'react';
import { attend, browser } from '@claret/ui/kit/live/browser.ts';
import type { TelemetryStore } from '../store/telemetryStore.ts';
import { Feed, type FeedView } from './feed.ts';
import type { LiveFeedWorld } from './liveFeed.ts';

export type { FeedState, FeedView, ReplayView } from './feed.ts';

const world: LiveFeedWorld = { ...browser, host: window.location.host, now: () => performance.now() };

/** A hidden page keeps its connection for this long, so that switching tabs briefly leaves no gap. */
const UNSEEN_MS = 60_000;

const FeedContext = createContext<Feed | null>(null);

/** One feed for the lifetime of the page. */
export function FeedProvider({ children }: { children: ReactNode }) {
  const [feed, setFeed] = useState<Feed | null>(null);
  useEffect(() => {
    const begun = new Feed(world, document.visibilityState !== 'visible');
    const unattend = attend(begun, UNSEEN_MS);
    setFeed(begun);
    return () => {
      unattend();
      begun.end();
    };
  }, []);
  return feed && <FeedContext value={feed}>{children}</FeedContext>;
}

/** The feed's controls: open, close, save, play, pause, jump. Always the same object. */
export function useFeedControls(): Feed {
  const feed = use(FeedContext);
  if (feed === null) throw new Error('outside of FeedProvider');
  return feed;
}

/** The source of the telemetry and its state; renders again when they change, not with each message. */
export function useFeed(): FeedView {
  const feed = useFeedControls();
  return useSyncExternalStore(feed.subscribe, feed.view);
}

/** The store that is shown; a different one after a recording is opened or closed. */
export function useStore(): TelemetryStore {
  const feed = useFeedControls();
  return useSyncExternalStore(feed.subscribe, () => feed.view().store);
}
