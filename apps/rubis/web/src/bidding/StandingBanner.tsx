import { classes, formatMoney } from '@claret/ui/kit';
import { CircleCheck, Tag, TriangleAlert } from 'lucide-react';
import type * as api from '../../../server/api.ts';
import styles from './BidPanel.module.css';

export interface StandingBannerProps {
  live: api.LiveItem;
  standing: api.StandingName | null;
  my_bid_cents: number | null;
  /** secret; null: unknown */
  my_max_cents: number | null;
}

/** The viewer's standing while the auction runs. */
export function StandingBanner({ live, standing, my_bid_cents, my_max_cents }: StandingBannerProps) {
  const mine = my_bid_cents === null ? '' : ` with ${formatMoney(my_bid_cents)}`;
  const hasMore = my_max_cents !== null && my_max_cents > (my_bid_cents ?? live.price_cents);
  const isTied = my_max_cents !== null && my_max_cents === live.price_cents; // no one bids more than an amount that does not lead
  return (
    <div role="status">
      {standing === 'leading' && (
        <p className={classes(styles.banner, styles.good)}>
          <CircleCheck size={20} aria-hidden="true" />
          <strong>You’re leading{mine}</strong>
          <span className={styles.detail}>
            {hasMore
              ? `Your secret maximum is ${formatMoney(my_max_cents)}. Only you can see it. We’ll tell you right away if someone beats it.`
              : 'We’ll tell you right away if someone bids more.'}
          </span>
        </p>
      )}
      {standing === 'outbid' && (
        <p className={classes(styles.banner, styles.warn)}>
          <TriangleAlert size={20} aria-hidden="true" />
          <strong>You’ve been outbid</strong>
          <span className={styles.detail}>
            {isTied && 'Someone bid the same amount before you. '}Bid {formatMoney(live.min_next_bid_cents)} or more to take the lead.
          </span>
        </p>
      )}
      {standing === 'selling' && (
        <p className={styles.banner}>
          <Tag size={20} aria-hidden="true" />
          <strong>This is your auction</strong>
          <span className={styles.detail}>You can’t bid on it. New bids appear here live.</span>
        </p>
      )}
    </div>
  );
}
