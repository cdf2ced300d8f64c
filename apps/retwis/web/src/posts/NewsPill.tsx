import { useAnnounce } from '@claret/ui/kit';
import { ArrowUp } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { FloatingPill } from './FloatingPill.tsx';
import { newsCount, type ListNews } from './useListNews.ts';

/** Announces new posts, and shows them when pressed. */
export function NewsPill({ news, isBusy, onShow }: { news: ListNews; isBusy: boolean; onShow(): void }) {
  const { count } = news;
  const words = `${newsCount(news)} new ${count === 1 ? 'post' : 'posts'}`;
  useSaidOnce(count, words);
  return (
    <FloatingPill isShown={count > 0} isBusy={isBusy} onPress={onShow}>
      <ArrowUp size={17} aria-hidden="true" />
      <span className="figures">{words}</span>
    </FloatingPill>
  );
}

/** Announces the first new posts to screen readers, not each one. */
function useSaidOnce(count: number, words: string): void {
  const announce = useAnnounce();
  const hadNews = useRef(false);
  useEffect(() => {
    if (count > 0 && !hadNews.current) announce(words);
    hadNews.current = count > 0;
  }, [count, words, announce]);
}
