import { Button, formatMoney, parseMoney, TextField, typedMoney } from '@claret/ui/kit';
import { AppLink } from '@claret/ui/site';
import { Gavel } from 'lucide-react';
import { useRef, useState, type FormEvent } from 'react';
import { useLocation } from 'react-router';
import type * as api from '../../../server/api.ts';
import { PAGE } from '../api/paths.ts';
import { useCatalogue } from '../api/useCatalogue.ts';
import { useSession } from '../session.ts';
import { checkAmount, suggestBids } from './bidding.ts';
import styles from './BidPanel.module.css';
import type { Bidding } from './useBid.ts';

export interface BidFormProps {
  item: api.ItemView['item'];
  live: api.LiveItem;
  standing: api.StandingName | null;
  /** The time is up; the result is being settled. */
  isClosed: boolean;
  bidding: Bidding;
}

export function BidForm({ item, live, standing, isClosed, bidding }: BidFormProps) {
  const { user, isKnown } = useSession();
  const { pathname } = useLocation();
  if (isClosed)
    return <p className={styles.small}>The time is up. The last bids are being counted; the result shows here in a moment.</p>;
  if (!isKnown || standing === 'selling' || user?.id === item.seller.id) return null;
  if (!user) {
    return (
      <div className={styles.form}>
        <Button asChild look="primary" isWide>
          <AppLink to={PAGE.login(pathname)}>Log in to bid {formatMoney(live.min_next_bid_cents)} or more</AppLink>
        </Button>
        <p className={styles.small}>
          New here? <AppLink to={PAGE.register(pathname)}>Register</AppLink> in half a minute.
        </p>
      </div>
    );
  }
  return <AmountForm live={live} bidding={bidding} />;
}

function AmountForm({ live, bidding }: { live: api.LiveItem; bidding: Bidding }) {
  const { catalogue } = useCatalogue();
  const [typed, setTyped] = useState('');
  const [error, setError] = useState<string | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const isPlacing = bidding.state.step === 'placing';
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isPlacing) return;
    const { amount_cents, error: wrong } = checkAmount(typed, live.min_next_bid_cents);
    setError(wrong);
    if (amount_cents === null) return input.current?.focus();
    if (await bidding.place(amount_cents)) setTyped('');
  };
  const typed_cents = parseMoney(typed);
  const label = typed_cents !== null && typed_cents >= live.min_next_bid_cents ? `Bid ${formatMoney(typed_cents)}` : 'Place bid';
  return (
    <form className={styles.form} onSubmit={(event) => void submit(event)} noValidate>
      <div className={styles.row}>
        <TextField
          ref={input}
          label="Your bid"
          name="amount"
          prefix="$"
          inputMode="decimal"
          autoComplete="off"
          maxLength={16}
          value={typed}
          placeholder={`${typedMoney(live.min_next_bid_cents)} or more`}
          error={error}
          onChange={(event) => {
            setTyped(event.target.value);
            setError(null);
          }}
        />
        <Button type="submit" look="primary" isBusy={isPlacing}>
          {!isPlacing && <Gavel size={18} aria-hidden="true" />}
          {isPlacing ? 'Placing…' : label}
        </Button>
      </div>
      <div className={styles.quick} role="group" aria-label="Suggested bids">
        {suggestBids(live.min_next_bid_cents, catalogue?.increments ?? []).map((amount_cents) => (
          <Button
            key={amount_cents}
            size="small"
            aria-label={`Fill in ${formatMoney(amount_cents)}`}
            onClick={() => {
              setTyped(typedMoney(amount_cents));
              setError(null);
              input.current?.focus();
            }}
          >
            <span className="figures">{formatMoney(amount_cents)}</span>
          </Button>
        ))}
      </div>
      <p className={styles.small}>A bid is binding. If you lead when the time is up, it is yours.</p>
    </form>
  );
}
