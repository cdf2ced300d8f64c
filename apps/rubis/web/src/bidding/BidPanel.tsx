// The heart of an auction's page: price, time, how one stands, and the form or the result.
import { classes, Countdown, formatCounted, formatMoment, formatMoney, LiveValue, useSecondsLeft } from '@claret/ui/kit';
import type * as api from '../../../server/api.ts';
import { AuctionResult } from './AuctionResult.tsx';
import { BidForm } from './BidForm.tsx';
import { BidOutcome } from './BidOutcome.tsx';
import styles from './BidPanel.module.css';
import { StandingBanner } from './StandingBanner.tsx';
import type { Bidding } from './useBid.ts';

export interface BidPanelProps {
  item: api.ItemView['item'];
  live: api.LiveItem;
  standing: api.StandingName | null;
  my_bid_cents: number | null;
  bidding: Bidding;
}

export function BidPanel({ item, live, standing, my_bid_cents, bidding }: BidPanelProps) {
  const seconds = useSecondsLeft(live.closes_at_ms);
  const isOver = live.status === 'closed';
  const isClosing = !isOver && seconds < 60;
  const { step } = bidding.state;
  // A bid may have been placed elsewhere since: then its outcome here is old news.
  const isOutdated = (step === 'leads' && standing !== 'leading') || (step === 'overtaken' && standing !== 'outbid');
  const saysStanding = step !== 'idle' && step !== 'failed' && !isOutdated;
  return (
    <section className={classes(styles.panel, isClosing && styles.closing)} aria-label="Bidding">
      <dl className={styles.figures}>
        <div>
          <dt>{isOver ? (live.winner ? 'Sold for' : 'Asked') : live.bid_count === 0 ? 'Starts at' : 'Highest bid'}</dt>
          <dd>
            <LiveValue value={live.price_cents} className={styles.price}>
              {formatMoney(live.price_cents)}
            </LiveValue>
          </dd>
          <dd className={styles.small}>{live.bid_count === 0 ? 'No bids yet' : formatCounted(live.bid_count, 'bid', 'bids')}</dd>
        </div>
        <div>
          <dt>{isOver ? 'Ended' : 'Time left'}</dt>
          {!isOver && (
            <dd>
              <Countdown end_ms={live.closes_at_ms} isAnnounced className={styles.left} />
            </dd>
          )}
          <dd className={styles.small}>{formatMoment(live.closed_at_ms ?? live.closes_at_ms)}</dd>
        </div>
      </dl>
      {isOver ? (
        <AuctionResult live={live} standing={standing} />
      ) : (
        <>
          {!saysStanding && <StandingBanner live={live} standing={standing} my_bid_cents={my_bid_cents} />}
          <BidOutcome state={isOutdated ? { step: 'idle' } : bidding.state} live={live} />
          <BidForm item={item} live={live} standing={standing} isClosed={seconds === 0} bidding={bidding} />
        </>
      )}
    </section>
  );
}
