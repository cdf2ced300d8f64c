import { Button, formatMoney } from '@claret/ui/kit';
import { AppLink } from '@claret/ui/site';
import type * as api from '../../../server/api.ts';
import { PAGE } from '../api/paths.ts';
import { useSession } from '../session.ts';
import styles from './BidPanel.module.css';
import { OfferForm } from './OfferForm.tsx';
import type { Bidding } from './useBid.ts';

export interface BidFormProps {
  item: api.ItemView['item'];
  live: api.LiveItem;
  standing: api.StandingName | null;
  my_max_cents: number | null;
  /** past the end; the result is being settled */
  isClosed: boolean;
  bidding: Bidding;
  /** Opens the purchase instead of a bid. */
  onBuy(): void;
}

/** The form, or the reason why there is none. */
export function BidForm({ item, live, standing, my_max_cents, isClosed, bidding, onBuy }: BidFormProps) {
  const { user, isKnown } = useSession();
  if (isClosed) return <p className={styles.small}>Time’s up. The last bids are being counted, and the result will appear here.</p>;
  if (!isKnown || standing === 'selling' || user?.id === item.seller.id) return null;
  if (user) return <OfferForm live={live} isLeading={standing === 'leading'} my_max_cents={my_max_cents} bidding={bidding} onBuy={onBuy} />;
  const back = PAGE.todo(item.id, 'bid');
  return (
    <div className={styles.form}>
      <Button asChild look="primary" isWide>
        <AppLink to={PAGE.login(back)}>Log in to bid {formatMoney(live.min_next_bid_cents)} or more</AppLink>
      </Button>
      <p className={styles.small}>
        New here? <AppLink to={PAGE.register(back)}>Register</AppLink>. It takes half a minute.
      </p>
    </div>
  );
}
