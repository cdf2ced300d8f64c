import { useAnnounce } from '@claret/ui/kit';
import { ArrowUp } from 'lucide-react';
import { useEffect, useRef } from 'react';
import styles from './NewsPill.module.css';
import { newsCount, type ListNews } from './useListNews.ts';

/** Says that there are new posts, and shows them when pressed. It lies over the list: nothing moves when it comes. */
export function NewsPill({ news, isBusy, onShow }: { news: ListNews; isBusy: boolean; onShow(): void }) {
  const { count } = news;
  const words = `${newsCount(news)} new ${count === 1 ? 'post' : 'posts'}`;
  useSaidOnce(count, words);
  return (
    <div className={styles.place}>
      {count > 0 && (
        <button type="button" className={styles.pill} aria-disabled={isBusy} onClick={isBusy ? undefined : onShow}>
          <ArrowUp size={17} aria-hidden="true" />
          <span className="figures">{words}</span>
        </button>
      )}
    </div>
  );
}

/** Who listens hears of the first new posts, not of each. */
function useSaidOnce(count: number, words: string): void {
  const announce = useAnnounce();
  const hadNews = useRef(false);
  useEffect(() => {
    if (count > 0 && !hadNews.current) announce(words);
    hadNews.current = count > 0;
  }, [count, words, announce]);
}
