// Shown when the picture is out of date or incomplete without the user's choice: why, until when the data is known, and what happens next;
// afterwards, that it is whole again. It floats, so that nothing moves when it comes and goes.
import { Button, useLasting } from '@claret/ui/kit';
import { CircleCheck, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { useLocation } from 'react-router';
import { useFeed } from '../feed/useFeed.tsx';
import { PATH } from '../paths.ts';
import { clockTime } from '../time/ticks.ts';
import { useTelemetry } from '../time/useTimeAxis.tsx';
import styles from './LineBanner.module.css';
import { backWords, bannerWords, elsewhereWords, silentWords, takeOverWords, takeOversSince, troubleOf } from './lineWords.ts';

/** A trouble that is over within this time is not reported. */
const NEWS_MS = 1_200;
/** A trouble and a take-over in this time belong together. */
const RECENT_MS = 20_000;

export function LineBanner() {
  const { source, live, store } = useFeed();
  const { pathname } = useLocation();
  const { silent, takeOvers } = useTelemetry((shown) => ({
    silent: shown.silent,
    takeOvers: takeOversSince(shown.marks, (shown.newest_ms ?? 0) - RECENT_MS),
  }));
  // The story's headline says it, and the page has no room to say it twice.
  const untold = pathname === PATH.story ? [] : silent;
  const { trouble, over } = useLasting(source === 'live' ? troubleOf(live, untold) : null, NEWS_MS);
  const back = over && backWords(over, takeOvers);
  if (trouble === null) return back && <Banner icon={<CircleCheck size={18} aria-hidden="true" />} words={back} isOver />;
  const until = store.newest_ms === null ? null : clockTime(store.newest_ms);
  const words = () => {
    if (trouble === 'silent') return silentWords(silent);
    if (live.elsewhere === null || trouble !== 'elsewhere') return bannerWords(live, until);
    return [elsewhereWords(live.elsewhere), ...takeOvers.map(takeOverWords)].join(' ');
  };
  return (
    <Banner icon={<TriangleAlert size={18} aria-hidden="true" />} words={words()}>
      {trouble === 'other_version' && (
        <Button size="small" onClick={() => window.location.reload()}>
          Reload the page
        </Button>
      )}
      {trouble === 'elsewhere' && (
        <Button asChild size="small">
          <a href={`http://${live.elsewhere}${pathname}`}>Open it there</a>
        </Button>
      )}
    </Banner>
  );
}

function Banner({ icon, words, isOver = false, children }: { icon: ReactNode; words: string; isOver?: boolean; children?: ReactNode }) {
  return (
    <div className={styles.place} data-floats="">
      <section className={styles.banner} role="status" data-over={isOver || undefined}>
        {icon}
        <p className={styles.words}>{words}</p>
        {children}
      </section>
    </div>
  );
}
