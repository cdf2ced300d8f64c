// Shown when the picture is out of date without the user's choice: why, until when the data is known, and what happens next.
import { Button, useDelayed } from '@claret/ui/kit';
import { TriangleAlert } from 'lucide-react';
import type { LiveStatus } from '../feed/liveFeed.ts';
import { useFeed } from '../feed/useFeed.tsx';
import { clockTime } from '../time/ticks.ts';
import styles from './LineBanner.module.css';
import { bannerWords } from './lineWords.ts';

/** A connection that is back within this time is not reported. */
const NEWS_MS = 1_200;

export function LineBanner() {
  const { source, live, store } = useFeed();
  if (source !== 'live' || live.state === 'live') return null;
  return <Banner live={live} until={store.newest_ms === null ? null : clockTime(store.newest_ms)} />;
}

function Banner({ live, until }: { live: LiveStatus; until: string | null }) {
  const isNews = useDelayed(NEWS_MS);
  if (!isNews) return null;
  return (
    <section className={styles.banner} role="status">
      <TriangleAlert size={18} aria-hidden="true" />
      <p className={styles.words}>{bannerWords(live, until)}</p>
      {live.state === 'other_version' && (
        <Button size="small" onClick={() => window.location.reload()}>
          Reload the page
        </Button>
      )}
    </section>
  );
}
