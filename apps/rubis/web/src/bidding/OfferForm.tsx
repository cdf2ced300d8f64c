// What one offers: an amount that everybody sees and, if one likes, a maximum that nobody else does.
import { Button, classes, formatMoney, typedMoney } from '@claret/ui/kit';
import { Gavel } from 'lucide-react';
import { useRef, useState, type FormEvent } from 'react';
import type * as api from '../../../server/api.ts';
import { useCatalogue } from '../api/useCatalogue.ts';
import { MoneyField } from '../parts/MoneyField.tsx';
import { bidLabel, checkBid, suggestBids, type BidErrors, type TypedBid } from './bidding.ts';
import styles from './BidPanel.module.css';
import { useTodo } from './useTodo.ts';
import type { Bidding } from './useBid.ts';

const NOTHING: TypedBid = { amount: '', max: null };

export interface OfferFormProps {
  live: api.LiveItem;
  isLeading: boolean;
  my_max_cents: number | null;
  bidding: Bidding;
}

export function OfferForm({ live, isLeading, my_max_cents, bidding }: OfferFormProps) {
  const { catalogue } = useCatalogue();
  const [typed, setTyped] = useState(NOTHING);
  const [errors, setErrors] = useState<BidErrors>({});
  const amount = useRef<HTMLInputElement>(null);
  const max = useRef<HTMLInputElement>(null);
  useTodo('bid', () => amount.current?.focus());
  const isPlacing = bidding.state.step === 'placing';
  const base = { price_cents: live.price_cents, min_next_bid_cents: live.min_next_bid_cents, isLeading, my_max_cents };
  const change = (part: Partial<TypedBid>) => {
    setTyped({ ...typed, ...part });
    setErrors({});
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isPlacing) return;
    const { offer, errors: wrong } = checkBid(typed, base);
    setErrors(wrong ?? {});
    if (offer === null) return (wrong.amount ? amount : max).current?.focus();
    if (await bidding.place(offer)) setTyped(NOTHING);
  };
  return (
    <form className={styles.form} onSubmit={(event) => void submit(event)} noValidate>
      <div className={classes(styles.row, typed.max !== null && styles.pair)}>
        <MoneyField
          ref={amount}
          label="Your bid"
          name="amount"
          value={typed.amount}
          placeholder={placeholder(typed, base)}
          error={errors.amount}
          onChange={(value) => change({ amount: value })}
        />
        {typed.max !== null && (
          <MoneyField
            ref={max}
            label="Bid for me up to"
            name="max"
            value={typed.max}
            placeholder={isLeading && my_max_cents !== null ? `more than ${typedMoney(my_max_cents)}` : 'your secret'}
            error={errors.max}
            onChange={(value) => change({ max: value })}
          />
        )}
        <Button type="submit" look="primary" isBusy={isPlacing}>
          {!isPlacing && <Gavel size={18} aria-hidden="true" />}
          {isPlacing ? 'Placing…' : bidLabel(typed, base)}
        </Button>
      </div>
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
        {isLeading ? 'Set or raise my secret maximum' : 'Bid for me, up to a secret maximum'}
      </label>
      {typed.max !== null && (
        <p className={styles.small}>
          The price rises only as far as it takes to keep you ahead, never above your maximum. Nobody else sees it, the seller
          neither; only somebody who bids more finds out that you would not go further.
        </p>
      )}
      <p className={styles.small}>
        A bid is binding. If you lead when the time is up{live.reserve === 'not_met' && ' and the reserve is met'}, it is yours.
      </p>
    </form>
  );
}

function placeholder({ max }: TypedBid, base: { price_cents: number; min_next_bid_cents: number; isLeading: boolean }): string {
  if (max === null) return `${typedMoney(base.min_next_bid_cents)} or more`;
  return base.isLeading ? `stays ${typedMoney(base.price_cents)}` : `the least: ${typedMoney(base.min_next_bid_cents)}`;
}
