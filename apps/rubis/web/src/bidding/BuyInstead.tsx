import { Button, formatMoney } from '@claret/ui/kit';
import { ShoppingBag } from 'lucide-react';
import styles from './BidPanel.module.css';
import type { Offer } from './bidding.ts';

export interface BuyInsteadProps {
  offer: Offer;
  buy_now_cents: number;
  onBuy(): void;
  onBid(): void;
}

/** Shown before a bid that reaches the Buy now price: the item could be bought for that right away. */
export function BuyInstead({ offer: { amount_cents, max_cents }, buy_now_cents, onBuy, onBid }: BuyInsteadProps) {
  const price = formatMoney(buy_now_cents);
  const most = formatMoney(max_cents ?? amount_cents);
  return (
    <div className={styles.banner} role="alert">
      <ShoppingBag size={20} aria-hidden="true" />
      <strong>You can buy it now for {price}</strong>
      <span className={styles.detail}>
        {max_cents === null || max_cents === amount_cents ? `You’re about to bid ${most}.` : `Your maximum is ${most}.`} A bid may cost you
        more, and you might still be outbid.
      </span>
      <span className={styles.choice}>
        <Button size="small" look="primary" onClick={onBuy}>
          Buy now for {price}
        </Button>
        <Button size="small" onClick={onBid}>
          Bid anyway
        </Button>
      </span>
    </div>
  );
}
