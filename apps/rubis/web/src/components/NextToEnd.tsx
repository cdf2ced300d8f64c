import { Countdown, formatCounted, formatMoney, LiveValue, Skeleton } from '@claret/ui/kit';
import { AppLink } from '@claret/ui/site';
import { useEffect, useEffectEvent, useRef } from 'react';
import type * as api from '../../../server/api.ts';
import { PAGE } from '../api/paths.ts';
import { useFollow, useLiveItem } from '../live/live.ts';
import styles from '../pages/HomePage.module.css';
import { ItemPicture } from './ItemPicture.tsx';

const SHOW_RESULT_MS = 5_000;

export interface NextToEndProps {
  item: api.ItemCard;
  /** called when it has ended and its result was shown for a moment */
  onOver(): void;
}

/** The auction that ends next, large. It does not change while the pointer is on it. */
export function NextToEnd({ item: read, onOver }: NextToEndProps) {
  useFollow([read.id]);
  const item = useLiveItem(read);
  const link = useRef<HTMLAnchorElement>(null);
  const tellOver = useEffectEvent(() => {
    if (!link.current?.matches(':hover, :focus')) onOver();
  });
  useEffect(() => {
    if (item.status === 'open') return;
    const timer = window.setInterval(tellOver, SHOW_RESULT_MS);
    return () => window.clearInterval(timer);
  }, [item.status]);
  return (
    <AppLink ref={link} to={PAGE.item(read.id)} className={styles.next}>
      <div className={styles.nextPicture}>
        <ItemPicture item={read} />
      </div>
      <div className={styles.nextBody}>
        <p className={styles.nextKicker}>{item.status === 'closed' ? 'Just ended' : 'Ending next'}</p>
        <p className={styles.nextTitle} dir="auto">
          {read.title}
        </p>
        <p className={styles.nextFigures}>
          <LiveValue value={item.price_cents}>{formatMoney(item.price_cents)}</LiveValue>
          <Countdown end_ms={item.closes_at_ms} isOver={item.status === 'closed'} />
        </p>
        <p className={styles.categoryCount}>{item.bid_count === 0 ? 'No bids yet' : formatCounted(item.bid_count, 'bid', 'bids')}</p>
      </div>
    </AppLink>
  );
}

/** Its placeholder of the same size, so that nothing moves when it has loaded. */
export function NextToEndWaiting() {
  return (
    <div className={styles.next} aria-hidden="true">
      <div className={styles.nextPicture} />
      <div className={styles.nextBody}>
        <Skeleton width="30%" />
        <Skeleton width="70%" height="1.5em" />
        <Skeleton width="40%" height="2em" />
        <Skeleton width="20%" />
      </div>
    </div>
  );
}
