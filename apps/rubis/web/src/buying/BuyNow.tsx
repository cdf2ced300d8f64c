import { Button, formatMoney, LiveValue } from '@claret/ui/kit';
import { AppLink } from '@claret/ui/site';
import { ShoppingBag } from 'lucide-react';
import type * as api from '../../../server/api.ts';
import { PAGE } from '../api/paths.ts';
import { useSession } from '../session.ts';
import styles from './Buying.module.css';

/** Replaces Buy now once it is withdrawn or over. */
export function BuyNowOver({ price_cents }: { price_cents: number }) {
  return <p className={styles.small}>Buy now ended when the price reached {formatMoney(price_cents)}.</p>;
}

export interface BuyNowProps {
  item: api.ItemView['item'];
  buy_now: NonNullable<api.LiveItem['buy_now']>;
  /** the outcome of an earlier purchase is unknown: it has to be resolved first */
  isOwed: boolean;
  onOpen(): void;
}

/** The price per piece, the number left, and the button to buy. */
export function BuyNow({ item, buy_now: { price_cents, left }, isOwed, onOpen }: BuyNowProps) {
  const { user, isKnown } = useSession();
  const isOwn = user?.id === item.seller.id;
  return (
    <section className={styles.offer} aria-labelledby="buy-now">
      <div>
        <h2 id="buy-now" className={styles.title}>
          {isOwn ? 'Buy now price' : 'Or buy it now for'} <span className="figures">{formatMoney(price_cents)}</span>
        </h2>
        {item.quantity > 1 && (
          <p className={styles.small}>
            <LiveValue value={left}>{left}</LiveValue> of {item.quantity} pieces left
          </p>
        )}
      </div>
      {isKnown && !isOwn && (
        <div>
          {user ? (
            <Button onClick={onOpen}>
              <ShoppingBag size={18} aria-hidden="true" />
              {isOwed ? 'Check my purchase' : 'Buy now'}
            </Button>
          ) : (
            <Button asChild>
              <AppLink to={PAGE.login(PAGE.todo(item.id, 'buy'))}>
                <ShoppingBag size={18} aria-hidden="true" />
                Log in to buy
              </AppLink>
            </Button>
          )}
        </div>
      )}
    </section>
  );
}
