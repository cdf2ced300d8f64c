import { Countdown, formatCounted, formatMoney, LiveValue } from '@claret/ui/kit';
import { AppLink } from '@claret/ui/site';
import { ShoppingBag } from 'lucide-react';
import type * as api from '../../../server/api.ts';
import { PAGE } from '../api/paths.ts';
import { useCatalogue } from '../api/useCatalogue.ts';
import { useFollow, useLiveItem, useStanding } from '../live/live.ts';
import styles from './ItemCard.module.css';
import { ItemPicture } from './ItemPicture.tsx';
import { StandingPill } from './StandingPill.tsx';

export interface ItemGridProps {
  items: readonly api.ItemCard[];
  label: string;
  /** the level of the titles, one below the heading of the list */
  heading?: 'h2' | 'h3';
}

/** Cards of auctions; their prices and ends are live. */
export function ItemGrid({ items, label, heading = 'h2' }: ItemGridProps) {
  useFollow(items.map((item) => item.id));
  return (
    <ul className={styles.grid} aria-label={label}>
      {items.map((item) => (
        <ItemCard key={item.id} item={item} heading={heading} />
      ))}
    </ul>
  );
}

function ItemCard({ item: read, heading: Heading }: { item: api.ItemCard; heading: 'h2' | 'h3' }) {
  const item = useLiveItem(read);
  const standing = useStanding(read.id);
  const { region } = useCatalogue();
  const isWithdrawn = 'buy_now' in item && item.buy_now?.withdrawn === true;
  return (
    <li className={styles.card}>
      <div className={styles.picture}>
        <ItemPicture item={read} />
        {read.buy_now_price_cents !== null && item.status === 'open' && !isWithdrawn && (
          <p className={styles.buy}>
            <ShoppingBag size={14} aria-hidden="true" />
            Buy now {formatMoney(read.buy_now_price_cents)}
          </p>
        )}
      </div>
      {standing && (
        <span className={styles.standing}>
          <StandingPill standing={standing.standing} />
        </span>
      )}
      <div className={styles.body}>
        <Heading className={styles.title} dir="auto">
          <AppLink to={PAGE.item(read.id)} title={read.title} dir="auto">
            {read.title}
          </AppLink>
        </Heading>
        <p className={styles.figures}>
          <LiveValue value={item.price_cents} className={styles.price}>
            {formatMoney(item.price_cents)}
          </LiveValue>
          <Countdown end_ms={item.closes_at_ms} isOver={item.status === 'closed'} />
        </p>
        <p className={styles.meta}>
          <span>{region(read.region_id)}</span>
          <span className={styles.bids}>{item.bid_count === 0 ? 'No bids yet' : formatCounted(item.bid_count, 'bid', 'bids')}</span>
        </p>
      </div>
    </li>
  );
}
