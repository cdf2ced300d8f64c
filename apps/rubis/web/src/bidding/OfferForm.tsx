// The form of a bid: a public amount and, optionally, a secret maximum.
import { Button, classes, formatMoney, typedMoney } from '@claret/ui/kit';
import { Gavel } from 'lucide-react';
import { useRef, useState, type FormEvent } from 'react';
import type * as api from '../../../server/api.ts';
import { useCatalogue } from '../api/useCatalogue.ts';
import { MoneyField } from '../components/MoneyField.tsx';
import { bidLabel, buyNowInstead, checkBid, suggestBids, type Offer, type TypedBid } from './bidding.ts';
import styles from './BidPanel.module.css';
import { BuyInstead } from './BuyInstead.tsx';
import { useTodo } from './useTodo.ts';
import type { Bidding } from './useBid.ts';

const NOTHING: TypedBid = { amount: '', max: null };

export interface OfferFormProps {
  live: api.LiveItem;
  isLeading: boolean;
  my_max_cents: number | null;
  bidding: Bidding;
  /** Opens the purchase instead. */
  onBuy(): void;
}

export function OfferForm({ live, isLeading, my_max_cents, bidding, onBuy }: OfferFormProps) {
  const { catalogue } = useCatalogue();
  const [typed, setTyped] = useState(NOTHING);
  const [wasTried, setTried] = useState(false);
  /** a bid that reaches the Buy now price, until the person has decided */
  const [doubtful, setDoubtful] = useState<Offer | null>(null);
  const amount = useRef<HTMLInputElement>(null);
  const max = useRef<HTMLInputElement>(null);
  useTodo('bid', () => amount.current?.focus());
  const isPlacing = bidding.state.step === 'placing';
  const base = { price_cents: live.price_cents, min_next_bid_cents: live.min_next_bid_cents, isLeading, my_max_cents };
  // Checked against the present price, also when it rises while the form is open.
  const { offer, errors } = checkBid(typed, base);
  const shown = wasTried ? errors : null;
  const buy_now_cents = doubtful && buyNowInstead(doubtful, live.buy_now);
  const change = (part: Partial<TypedBid>) => {
    setTyped({ ...typed, ...part });
    setTried(false);
    setDoubtful(null);
  };
  const place = async (wanted: Offer) => {
    setDoubtful(null);
    if (await bidding.place(wanted)) change(NOTHING);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isPlacing) return;
    setTried(true);
    if (offer === null) return (errors.amount ? amount : max).current?.focus();
    if (buyNowInstead(offer, live.buy_now) === null) void place(offer);
    else setDoubtful(offer);
  };
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <div className={classes(styles.row, typed.max !== null && styles.pair)}>
        <MoneyField
          ref={amount}
          label="Your bid"
          name="amount"
          value={typed.amount}
          placeholder={placeholder(typed, base)}
          error={shown?.amount}
          onChange={(value) => change({ amount: value })}
        />
        {typed.max !== null && (
          <MoneyField
            ref={max}
            label="Secret maximum"
            name="max"
            value={typed.max}
            placeholder={isLeading && my_max_cents !== null ? `more than ${typedMoney(my_max_cents)}` : 'only you see it'}
            error={shown?.max}
            onChange={(value) => change({ max: value })}
          />
        )}
        <Button type="submit" look="primary" isBusy={isPlacing}>
          {!isPlacing && <Gavel size={18} aria-hidden="true" />}
          {isPlacing ? 'Placing…' : bidLabel(typed, base)}
        </Button>
      </div>
      {doubtful && buy_now_cents !== null && (
        <BuyInstead offer={doubtful} buy_now_cents={buy_now_cents} onBuy={onBuy} onBid={() => void place(doubtful)} />
      )}
      {typed.max === null && (
        <div className={styles.quick} role="group" aria-label="Suggested bids">
          {suggestBids(live.min_next_bid_cents, catalogue?.increments ?? []).map((amount_cents) => (
            <Button
              key={amount_cents}
              size="small"
              aria-label={`Fill in ${formatMoney(amount_cents)}`}
              onClick={() => {
                change({ amount: typedMoney(amount_cents) });
                amount.current?.focus();
              }}
            >
              <span className="figures">{formatMoney(amount_cents)}</span>
            </Button>
          ))}
        </div>
      )}
      <label className={styles.option}>
        <input type="checkbox" checked={typed.max !== null} onChange={(event) => change({ max: event.target.checked ? '' : null })} />
        {isLeading ? 'Set or raise my secret maximum' : 'Bid automatically up to a secret maximum'}
      </label>
      {typed.max !== null && (
        <p className={styles.small}>
          We bid for you, only as much as it takes to keep you in the lead and never more than your maximum. Nobody else sees it, not even
          the seller.
        </p>
      )}
      <p className={styles.small}>
        Bids are binding. If you’re leading when time runs out{live.reserve === 'not_met' && ' and the reserve is met'}, it’s yours.
      </p>
    </form>
  );
}

function placeholder({ max }: TypedBid, base: { price_cents: number; min_next_bid_cents: number; isLeading: boolean }): string {
  if (max === null) return `${typedMoney(base.min_next_bid_cents)} or more`;
  return base.isLeading ? `stays ${typedMoney(base.price_cents)}` : `minimum ${typedMoney(base.min_next_bid_cents)}`;
}
