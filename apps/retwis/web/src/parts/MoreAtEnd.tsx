// The end of a list that is read page by page: the next page is read as one comes near. After some pages in a row it waits
// to be asked, so that the foot of the page can be reached.
import { ShowMore, type ShowMoreProps } from '@claret/ui/site';
import { useEffect, useEffectEvent, useRef } from 'react';

const AHEAD = '600px 0px';

export function MoreAtEnd({ list }: Pick<ShowMoreProps, 'list'>) {
  const end = useRef<HTMLDivElement>(null);
  const mayLoad = list.hasMore && !list.isLoadingMore && !list.moreProblem;
  const load = useEffectEvent(() => void list.loadMore());
  useEffect(() => {
    if (!mayLoad) return;
    const observer = new IntersectionObserver(([entry]) => entry!.isIntersecting && load(), { rootMargin: AHEAD });
    observer.observe(end.current!);
    return () => observer.disconnect();
  }, [mayLoad]);
  return (
    <div ref={end}>
      <ShowMore list={list} />
    </div>
  );
}
