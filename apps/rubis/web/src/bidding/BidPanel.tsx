// The main panel of an auction's page: price, time, the viewer's standing, and the form or the result.
import { classes, Countdown, formatCounted, formatMoment, formatMoney, LiveValue, Pill, useSecondsLeft } from '@claret/ui/kit';
import { AppLink } from '@claret/ui/site';
import { ShoppingBag } from 'lucide-react';
import { useState } from 'react';
import type * as api from '../../../server/api.ts';
import { PAGE } from '../api/paths.ts';
import { BuyDialog } from '../buying/BuyDialog.tsx';
import { BuyNow, BuyNowOver } from '../buying/BuyNow.tsx';
import type { Buying } from '../buying/useBuy.ts';
import { useSession } from '../session.ts';
import { AuctionResult } from './AuctionResult.tsx';
import { BidForm } from './BidForm.tsx';
import { BidOutcome } from './BidOutcome.tsx';
import styles from './BidPanel.module.css';
import { ReservePill } from './ReservePill.tsx';
import { StandingBanner } from './StandingBanner.tsx';
import type { Bidding } from './useBid.ts';
import { useTodo } from './useTodo.ts';

export interface BidPanelProps {
  item: api.ItemView['item'];
  live: api.LiveItem;
  standing: api.StandingName | null;
  my_bid_cents: number | null;
  my_max_cents: number | null;
  /** pieces that this person has bought */
  bought_quantity: number;
  bidding: Bidding;
  buying: Buying;
}

export function BidPanel({ item, live, standing, my_bid_cents, my_max_cents, bought_quantity, bidding, buying }: BidPanelProps) {
  const seconds = useSecondsLeft(live.closes_at_ms);
  const [isBuyOpen, setBuyOpen] = useState(false);
  const isOver = live.status === 'closed';
  const isSoldOut = live.buy_now?.left === 0;
  const isBuyNowShown = live.buy_now?.withdrawn === false || buying.state.step === 'unknown';
  const isClosing = !isOver && seconds < 60;
  const { step } = bidding.state;
  // A later bid may have changed the standing; then this outcome is out of date.
  const isOutdated = (step === 'leads' && standing !== 'leading') || (step === 'overtaken' && standing !== 'outbid');
  const saysStanding = step !== 'idle' && step !== 'failed' && !isOutdated;
  return (
    <section className={classes(styles.panel, isClosing && styles.closing)} aria-label="Bidding">
      <Figures live={live} />
      {(live.reserve !== 'none' || bought_quantity > 0) && (
        <p className={styles.pills}>
          <ReservePill reserve={live.reserve} />
          {bought_quantity > 0 && (
            <Pill tone="good" icon={<ShoppingBag size={14} strokeWidth={2.5} aria-hidden="true" />}>
              You bought {formatCounted(bought_quantity, 'piece', 'pieces')}
            </Pill>
          )}
        </p>
      )}
      {isOver && <AuctionResult live={live} standing={standing} quantity={item.quantity} />}
      {!isOver && isSoldOut && <p className={styles.small}>Sold out. The auction is closing.</p>}
      {!isOver && !isSoldOut && (
        <>
          {!saysStanding && <StandingBanner live={live} standing={standing} my_bid_cents={my_bid_cents} my_max_cents={my_max_cents} />}
          <BidOutcome bidding={bidding} isOutdated={isOutdated} live={live} />
          <BidForm
            item={item}
            live={live}
            standing={standing}
            my_max_cents={my_max_cents}
            isClosed={seconds === 0}
            bidding={bidding}
            onBuy={() => setBuyOpen(true)}
          />
          {live.buy_now && seconds > 0 && isBuyNowShown && (
            <BuyNow item={item} buy_now={live.buy_now} isOwed={buying.state.step === 'unknown'} onOpen={() => setBuyOpen(true)} />
          )}
          {live.buy_now && seconds > 0 && !isBuyNowShown && <BuyNowOver price_cents={live.buy_now.price_cents} />}
        </>
      )}
      <BuyWish isPossible={!isOver && live.buy_now?.withdrawn === false} onWish={() => setBuyOpen(true)} />
      <BuyDialog item={item} live={live} buying={buying} isOpen={isBuyOpen} onOpenChange={setBuyOpen} />
    </section>
  );
}

function Figures({ live }: { live: api.LiveItem }) {
  const isOver = live.status === 'closed';
  const bought_for_cents = live.ended_by === 'sold_out' ? live.buy_now?.price_cents : undefined;
  const price_cents = bought_for_cents ?? live.price_cents;
  return (
    <dl className={styles.figures}>
      <div>
        <dt>{priceLabel(live)}</dt>
        <dd>
          <LiveValue value={price_cents} className={styles.price}>
            {formatMoney(price_cents)}
          </LiveValue>
        </dd>
        <dd className={styles.small}>
          {live.bid_count === 0 ? (
            isOver ? (
              'No bids'
            ) : (
              'No bids yet'
            )
          ) : (
            <AppLink to={PAGE.bids(live.id)}>{formatCounted(live.bid_count, 'bid', 'bids')}</AppLink>
          )}
        </dd>
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
  );
}

function priceLabel({ status, winner, ended_by, bid_count }: api.LiveItem): string {
  if (status === 'open') return bid_count === 0 ? 'Starting price' : 'Current price';
  if (ended_by === 'sold_out') return 'Sold for';
  if (winner) return 'Sold for';
  return bid_count === 0 ? 'Starting price' : 'Final price';
}

/** Opens the dialog for a person who came to buy, such as after logging in. */
function BuyWish({ isPossible, onWish }: { isPossible: boolean; onWish(): void }) {
  const { user } = useSession();
  useTodo(user && isPossible ? 'buy' : null, onWish);
  return null;
}
