// The end of a list that is read page by page: the next page is read when the end comes near. After some pages in a row it waits for a
// click, so that the footer can be reached.
import { ShowMore, type ShowMoreProps } from '@claret/ui/site';
import { useEffect, useEffectEvent, useRef, useState } from 'react';

const AHEAD = '600px 0px';
const BY_ITSELF_MAX = 10;

export function MoreAtEnd({ list }: Pick<ShowMoreProps, 'list'>) {
  const end = useRef<HTMLDivElement>(null);
  const [byItself, setByItself] = useState(0);
  const mayLoad = list.hasMore && !list.isLoadingMore && !list.moreProblem && byItself < BY_ITSELF_MAX;
  const load = useEffectEvent(() => {
    setByItself(byItself + 1);
    void list.loadMore();
  });
  useEffect(() => {
    if (!mayLoad) return;
    const observer = new IntersectionObserver(([entry]) => entry!.isIntersecting && load(), { rootMargin: AHEAD });
    observer.observe(end.current!);
    return () => observer.disconnect();
  }, [mayLoad]);
  const asked = {
    ...list,
    loadMore: () => {
      setByItself(0);
      return list.loadMore();
    },
  };
  return (
    <div ref={end}>
      <ShowMore list={asked} />
    </div>
  );
}
